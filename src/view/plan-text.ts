import type { PlanRequest, StepView } from '../contract/quest.ts'

/**
 * The steps of a plan that have not begun as a text for an editor, and back. A step is a heading with its id and title, lines with
 * its files and dependencies, and below them its words.
 */

type Step = PlanRequest['steps'][number]
type Editable = Pick<StepView, 'id' | 'title' | 'text' | 'files' | 'dependsOn' | 'requirements'>

// As the contract has it, which is not loaded for this: a schema is a third of a command's start.
const STEP_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

const LISTS = { files: 'files', after: 'dependsOn', meets: 'requirements' } as const

export function planText(run: string, steps: Editable[]): string {
  const head = `# The steps of quest ${run} that have not begun. Change them, add others, take some out; save and leave.
# A step begins with "## id: title". Below it "files:", "after:" (what it depends on) and "meets:" (requirements),
# then an empty line and its words. A step that is gone is dropped. Lines with # at the top are left out.
`
  return [head, ...steps.map(stepText)].join('\n')
}

function stepText({ id, title, text, ...lists }: Editable): string {
  const rows = Object.entries(LISTS).flatMap(([word, key]) =>
    lists[key].length ? [`${word}: ${lists[key].join(', ')}`] : [],
  )
  // A heading of its own would begin another step.
  const words = text.replace(/^(\\*## )/gm, '\\$1')
  return [`## ${id}: ${title}`, ...rows, '', words, ''].join('\n')
}

/** What the text changes: steps that are new or other, and those that are gone. Or the first thing that is wrong with it. */
export function changesIn(text: string, before: Editable[]): { change: PlanRequest } | { wrong: string } {
  const steps: Step[] = []
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  let from = lines.findIndex(line => line.startsWith('## '))
  const stray = lines.slice(0, from < 0 ? lines.length : from).find(line => line.trim() !== '' && !line.startsWith('#'))
  if (stray !== undefined)
    return { wrong: `"${stray.slice(0, 60)}" belongs to no step; a step begins with "## id: title"` }
  while (from >= 0) {
    const next = lines.findIndex((line, n) => n > from && line.startsWith('## '))
    const read = stepOf(lines.slice(from, next < 0 ? lines.length : next))
    if ('wrong' in read) return { wrong: `line ${from + 1}: ${read.wrong}` }
    steps.push(read.step)
    from = next
  }
  const ids = new Set(steps.map(({ id }) => id))
  const known = new Map(before.map(step => [step.id, step]))
  return {
    change: {
      steps: steps.filter(step => !isSame(step, known.get(step.id))),
      drop: before.filter(({ id }) => !ids.has(id)).map(({ id }) => id),
    },
  }
}

function stepOf([heading = '', ...lines]: string[]): { step: Step } | { wrong: string } {
  const [, id = '', title = ''] = /^## ([^:]*):?(.*)$/.exec(heading) ?? []
  if (!STEP_ID.test(id.trim())) return { wrong: `"${id.trim().slice(0, 60)}" is no id: letters, digits, _ and -` }
  if (title.trim() === '') return { wrong: `${id.trim()} has no title; write "## ${id.trim()}: what it is"` }
  const step: Step = { id: id.trim(), title: title.trim(), text: '', files: [], dependsOn: [], requirements: [] }
  let at = 0
  for (; at < lines.length; at++) {
    const [, word, list] = /^(files|after|meets):(.*)$/.exec(lines[at]!) ?? []
    if (!word) break
    step[LISTS[word as keyof typeof LISTS]] = list!
      .split(',')
      .map(entry => entry.trim())
      .filter(Boolean)
  }
  step.text = lines
    .slice(at)
    .join('\n')
    .replace(/^\\(\\*## )/gm, '$1')
    .trim()
  return step.text === '' ? { wrong: `${step.id} has no words; whoever builds it sees nothing else` } : { step }
}

function isSame(step: Step, before: Editable | undefined): boolean {
  const shape = ({ title, text, files, dependsOn, requirements }: Editable | Step) =>
    JSON.stringify([title.trim(), text.trim(), files, dependsOn, requirements])
  return before !== undefined && shape(step) === shape(before)
}
