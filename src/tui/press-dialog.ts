import { isDirectory } from './dialog.ts'
import { erase, eraseWord, type Field, fieldOf, insert, moveBy, toEdge } from './field.ts'
import { type Outcome, type Pressed, saying } from './press.ts'
import { type FieldName, fieldsOf, problemsOf, requestOf, SPECS, type SpawnForm } from './spawn-form.ts'
import type { Stroke } from './stroke.ts'
import type { Dialog } from './ui.ts'

export function pressInDialog(pressed: Pressed, dialog: Dialog, stroke: Stroke): Outcome {
  const { ui } = pressed
  const closed = { ...ui, dialog: null }
  if ('key' in stroke && stroke.key === 'escape') return { ui: closed }
  switch (dialog.kind) {
    case 'agree':
      if ('char' in stroke && /^y$/i.test(stroke.char)) return { ui: closed, deed: dialog.deed }
      return 'char' in stroke && /^n$/i.test(stroke.char) ? { ui: closed } : { ui }
    case 'text': {
      if ('key' in stroke && stroke.key === 'enter') {
        const text = dialog.field.text.trim()
        return text ? { ui: closed, deed: dialog.deed(text) } : { ui: closed }
      }
      return { ui: { ...ui, dialog: { ...dialog, field: edit(dialog.field, stroke) } } }
    }
    case 'spawn':
      return pressInForm(pressed, dialog.form, stroke)
  }
}

/** What a key does to text that is being typed. */
export function edit(field: Field, stroke: Stroke): Field {
  if ('char' in stroke) return insert(field, stroke.char)
  if ('paste' in stroke) return insert(field, stroke.paste)
  if ('ctrl' in stroke) {
    if (stroke.ctrl === 'w') return eraseWord(field)
    if (stroke.ctrl === 'u') return fieldOf('')
    if (stroke.ctrl === 'a') return toEdge(field, 'start')
    return stroke.ctrl === 'e' ? toEdge(field, 'end') : field
  }
  switch (stroke.key) {
    case 'left':
      return moveBy(field, -1)
    case 'right':
      return moveBy(field, 1)
    case 'home':
      return toEdge(field, 'start')
    case 'end':
      return toEdge(field, 'end')
    case 'backspace':
      return erase(field)
    default:
      return field
  }
}

function pressInForm(pressed: Pressed, form: SpawnForm, stroke: Stroke): Outcome {
  const { ui } = pressed
  const shown = (next: SpawnForm): Outcome => ({ ui: { ...ui, dialog: { kind: 'spawn', form: next } } })
  if ('ctrl' in stroke && stroke.ctrl === 's') return submit(pressed, form)
  const { focus } = form
  const { choices } = SPECS[focus]
  if ('key' in stroke) {
    const isPrompt = focus === 'prompt'
    if (stroke.key === 'tab' || (stroke.key === 'down' && !isPrompt)) return shown(focused(form, 1))
    if (stroke.key === 'backTab' || (stroke.key === 'up' && !isPrompt)) return shown(focused(form, -1))
    if (isPrompt && (stroke.key === 'up' || stroke.key === 'down')) return shown(acrossLines(form, stroke.key))
    if (stroke.key === 'enter') {
      if (focus === 'start') return submit(pressed, form)
      return shown(isPrompt ? withValue(form, focus, insert(form.values[focus], '\n')) : focused(form, 1))
    }
    if (choices) return shown(stroke.key === 'left' || stroke.key === 'right' ? chosen(form, stroke.key) : form)
  }
  if (choices) return shown('char' in stroke ? chosen(form, stroke.char === ' ' ? 'right' : stroke.char) : form)
  return shown(withValue(form, focus, edit(form.values[focus], stroke)))
}

function submit({ ui, now, environment }: Pressed, form: SpawnForm): Outcome {
  const [wrong] = problemsOf(form, isDirectory)
  if (wrong) {
    const there = { ...ui, dialog: { kind: 'spawn' as const, form: { ...form, focus: wrong } } }
    return { ui: saying(there, `${SPECS[wrong].label}: not yet`, now, 'attention') }
  }
  return { ui, deed: { do: 'spawn', request: requestOf(form, environment) } }
}

function withValue(form: SpawnForm, name: FieldName, value: Field): SpawnForm {
  return { ...form, values: { ...form.values, [name]: value } }
}

function focused(form: SpawnForm, by: 1 | -1): SpawnForm {
  const names = fieldsOf(form)
  const at = names.indexOf(form.focus)
  return { ...form, focus: names[(at + by + names.length) % names.length]! }
}

/** The next or the one before, or the next that begins with a letter. */
function chosen(form: SpawnForm, how: string): SpawnForm {
  const choices = SPECS[form.focus].choices ?? []
  const at = choices.indexOf(form.values[form.focus].text)
  const next =
    how === 'left' || how === 'right'
      ? choices[(at + (how === 'right' ? 1 : -1) + choices.length) % choices.length]
      : [...choices.slice(at + 1), ...choices].find(choice => choice.startsWith(how))
  return next === undefined ? form : withValue(form, form.focus, fieldOf(next))
}

/** A line up or down in the task; from its first or last line to the field before or after it. */
function acrossLines(form: SpawnForm, key: 'up' | 'down'): SpawnForm {
  const { text, at } = form.values.prompt
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  if (key === 'up') {
    if (start === 0) return focused(form, -1)
    const before = text.lastIndexOf('\n', start - 2) + 1
    return withValue(form, 'prompt', { text, at: Math.min(before + at - start, start - 1) })
  }
  if (end === -1) return focused(form, 1)
  const stop = text.indexOf('\n', end + 1)
  return withValue(form, 'prompt', { text, at: Math.min(end + 1 + at - start, stop === -1 ? text.length : stop) })
}
