import { statSync } from 'node:fs'
import { cellBlock, cellText } from '../view/cell-text.ts'
import { widthOf } from '../view/width.ts'
import type { Field } from './field.ts'
import { cutRow, type Row, rowWidth, span, spread } from './row.ts'
import type { KeyHint } from './screen.ts'
import { type FieldName, fieldsOf, problemOf, problemsOf, SPECS, type SpawnForm } from './spawn-form.ts'
import type { Dialog } from './ui.ts'

type Shown = { title: string; rows: Row[]; keys: KeyHint[]; isWhole: boolean }

/** What is being typed or agreed to: below the view, or in its place. */
export function dialogRows(dialog: Dialog, columns: number, height: number): Shown {
  switch (dialog.kind) {
    case 'agree':
      return {
        title: '',
        rows: [cutRow([{ text: ' ' }, span(dialog.sentence, 'attention', { bold: true })], columns)],
        keys: [
          ['y', 'yes'],
          ['n', 'no'],
        ],
        isWhole: false,
      }
    case 'text':
      return {
        title: '',
        rows: typed(dialog.field, columns - 2, Math.min(6, height - 2), span(`${dialog.title}: `, 'attention')),
        keys: [
          ['enter', 'send'],
          ['esc', 'leave'],
        ],
        isWhole: false,
      }
    case 'spawn':
      return { title: 'spawn', rows: formRows(dialog.form, columns, height), keys: FORM_KEYS, isWhole: true }
  }
}

const FORM_KEYS: KeyHint[] = [
  ['tab', 'next'],
  ['←→', 'choose'],
  ['^S', 'start'],
  ['esc', 'leave'],
]

export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

const LABEL = 13
const SHORTEST_PROBLEM = 20

function formRows(form: SpawnForm, columns: number, height: number): Row[] {
  const names = fieldsOf(form)
  // The task takes what the others leave.
  const promptRows = Math.max(3, Math.min(10, height - names.length - 6))
  const rows = names.flatMap(name => (name === 'start' ? [] : fieldRows(form, name, columns, promptRows)))
  const wrong = problemsOf(form, isDirectory)
  const start = span(' start ', wrong.length ? 'dim' : 'done', { bold: true, inverse: form.focus === 'start' })
  const left = wrong.length ? [span(`   ${wrong.map(name => SPECS[name].label).join(', ')}: not yet`, 'dim')] : []
  return [...rows, [], [span(form.focus === 'start' ? '▶ ' : '  ', 'working'), start, ...left]].slice(-height)
}

function fieldRows(form: SpawnForm, name: FieldName, columns: number, promptRows: number): Row[] {
  const { label, choices, hint } = SPECS[name]
  const field = form.values[name]
  const isFocused = form.focus === name
  const problem = field.text !== '' || isFocused ? problemOf(form, name, isDirectory) : null
  const head: Row = [
    span(isFocused ? '▶ ' : '  ', 'working'),
    span(label.padEnd(LABEL), isFocused ? 'text' : 'dim', { bold: isFocused }),
  ]
  const room = columns - LABEL - 3
  const said = problem ? [span(` ${cellText(problem, 120)}`, 'failed')] : []
  if (choices) {
    const shown = choices.map(choice => {
      return span(` ${choice} `, choice === field.text ? 'working' : 'dim', {
        bold: choice === field.text,
        inverse: isFocused && choice === field.text,
      })
    })
    return [...(name === 'agree' ? planRows(form, columns) : []), cutRow([...head, ...shown, ...said], columns)]
  }
  if (name === 'prompt') {
    const lines = isFocused ? typed(field, room, promptRows) : still(field, room, promptRows)
    const rows = lines.map((line, n) => [...(n === 0 ? head : [{ text: ' '.repeat(LABEL + 2) }]), ...line])
    return [...rows, ...(problem ? [[{ text: ' '.repeat(LABEL + 2) }, ...said]] : [])]
  }
  const value = isFocused ? typed(field, room, 1)[0]! : [span(cellText(field.text, 500))]
  const shown = field.text === '' && hint ? [...value, span(`${hint}`, 'dim')] : value
  const found = name === 'ward' ? planRows(form, columns) : []
  // What is wrong gives way to what is typed: that is what has to be seen to be mended.
  const left = [...head, ...shown]
  const beside = Math.max(SHORTEST_PROBLEM, columns - rowWidth(left) - 1)
  return [spread(left, cutRow(said, beside), columns), ...(needsAgree(form) ? [] : found)]
}

function needsAgree(form: SpawnForm): boolean {
  return fieldsOf(form).includes('agree')
}

/** The commands that would be run, and the files that a worktree would be without. */
function planRows({ plan }: SpawnForm, columns: number): Row[] {
  if (!plan) return []
  const indent = { text: ' '.repeat(LABEL + 2) }
  if (plan.error) return [cutRow([indent, span(cellText(plan.error, 300), 'failed')], columns)]
  if (!plan.found) return [[indent, span('looking for checks …', 'dim')]]
  const { commands, setup, dirty } = plan.found
  const lines = [
    ...commands.map(({ command, from }) => `check: ${cellText(command, 200)} (${cellText(from, 60)})`),
    ...setup.map(({ command, from }) => `setup: ${cellText(command, 200)} (${cellText(from, 60)})`),
    ...(commands.length === 0 ? ['no checks: what is claimed stays unproven'] : []),
    ...(dirty.length
      ? [`not committed, and not in the worktree: ${dirty.map(path => cellText(path, 60)).join(', ')}`]
      : []),
  ]
  return lines.slice(0, 6).map(line => cutRow([indent, span(line, 'dim')], columns))
}

/** A field with its caret, as many lines of it as padTo, the caret among them. */
function typed({ text, at }: Field, columns: number, most: number, head?: { text: string }): Row[] {
  const indent = head ? widthOf(head.text) : 0
  const before = wrapped(text.slice(0, at), columns - indent - 1)
  const caretLine = before.length - 1
  const last = before.at(-1) ?? ''
  const rest = wrapped(text.slice(at), columns - indent - 1)
  const [under = '', ...after] = rest[0] ? [...SEGMENTS.segment(rest[0])].map(({ segment }) => segment) : []
  const rows: Row[] = [
    ...before.slice(0, -1).map(line => [span(line)]),
    cutRow([span(last), span(under || ' ', 'text', { inverse: true }), span(after.join(''))], columns - indent),
    ...rest.slice(1).map(line => [span(line)]),
  ]
  const from = Math.max(0, Math.min(caretLine - most + 1, rows.length - most))
  return rows
    .slice(from, from + most)
    .map((row, n) => [
      n === 0 && head
        ? { tone: 'attention' as const, bold: true, text: ` ${head.text}` }
        : { text: head ? ' '.repeat(indent + 1) : '' },
      ...row,
    ])
}

function still({ text }: Field, columns: number, most: number): Row[] {
  const lines = wrapped(text, columns)
  return lines.slice(0, most).map((line, n) => [span(n === most - 1 && lines.length > most ? '…' : line)])
}

const SEGMENTS = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** By columns, without losing a blank: what is typed must stand where it was typed. */
function wrapped(text: string, columns: number): string[] {
  const room = Math.max(4, columns)
  return cellBlock(text).flatMap(line => {
    const parts: string[] = ['']
    let width = 0
    for (const { segment } of SEGMENTS.segment(line)) {
      const wide = widthOf(segment)
      if (width + wide > room) {
        parts.push('')
        width = 0
      }
      parts[parts.length - 1] += segment
      width += wide
    }
    return parts
  })
}
