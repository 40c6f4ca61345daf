import { RESERVED_IDS, TaskId } from '../../contract/ids.ts'
import { cut, oneLine, plain } from '../plain-text.ts'

/**
 * tasks.md: for people and agents. What is a task in it is a list item with a box at the left edge, outside code; what is
 * indented below belongs to it. Everything else is theirs, and stays where it is.
 */
export type TaskLine = {
  id: string | null
  box: ' ' | '~' | 'x'
  /** The first line without box, id and worker, and what is indented below it. */
  text: string
  /** Lines of the file, the last one not included. */
  from: number
  to: number
  section: Section | null
}

export type Section = 'pending' | 'in progress' | 'completed'

/** A task as it stands in truth. */
export type ShownTask = {
  id: string
  text: string
  box: TaskLine['box']
  worker: string | null
  /** Why nobody does it any more. */
  notDone?: 'failed' | 'left out'
}

const HEADINGS: Record<Section, string> = {
  pending: '## Pending',
  'in progress': '## In Progress',
  completed: '## Completed',
}
const SECTION_OF: Record<TaskLine['box'], Section> = { ' ': 'pending', '~': 'in progress', x: 'completed' }

// A link, `[text](address)`, is no id.
const ITEM = /^[-*+] {1,4}\[([ xX~])\](?: +\[([^[\]]{1,200})\](?!\())?(?: +(.*))?$/
// What we write behind a task.
const REMARK = / \((?:worker: [A-Za-z0-9._-]{1,80}|not done: (?:failed|left out))\)$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
// With more a planner has written a book; a prompt could not hold it.
const LONGEST_TASK = 8_000

export const EMPTY_TASKS = `${Object.values(HEADINGS).join('\n\n')}\n`

export function tasksIn(file: string): TaskLine[] {
  return itemsIn(linesOf(file))
}

function itemsIn(lines: string[]): TaskLine[] {
  const tasks: TaskLine[] = []
  const isCode = codeIn(lines)
  let section: Section | null = null
  for (let n = 0; n < lines.length; n++) {
    if (isCode[n]) continue
    const line = lines[n]!
    section = sectionAt(line) ?? (/^#{1,2} /.test(line) ? null : section)
    const item = ITEM.exec(line)
    if (!item) continue
    const to = endOf(lines, n + 1)
    const first = (item[3] ?? '').trimEnd().replace(REMARK, '')
    const text = plain([first, ...lines.slice(n + 1, to)].join('\n')).trimEnd()
    const box = item[1]!.toLowerCase() as TaskLine['box']
    tasks.push({ id: item[2] ?? null, box, text: cut(text, LONGEST_TASK), from: n, to, section })
    n = to - 1
  }
  return tasks
}

/** Which lines are in a code block. One that nobody closes would hide our own sections, so it is none. */
function codeIn(lines: string[]): boolean[] {
  const isCode = lines.map(() => false)
  for (let n = 0; n < lines.length; n++) {
    const mark = FENCE.exec(lines[n]!)?.[1]
    if (!mark) continue
    const end = lines.findIndex(
      (line, m) => m > n && FENCE.exec(line)?.[1]?.startsWith(mark) && line.trim() === FENCE.exec(line)![1],
    )
    if (end < 0) continue
    isCode.fill(true, n, end + 1)
    n = end
  }
  return isCode
}

/** The line of a section's heading, or -1. */
function headingOf(lines: string[], section: Section): number {
  const isCode = codeIn(lines)
  return lines.findIndex((line, n) => !isCode[n] && sectionAt(line) === section)
}

/** Indented lines directly below an item belong to it. */
function endOf(lines: string[], from: number): number {
  let end = from
  while (end < lines.length && isIndented(lines[end]!)) end += 1
  return end
}

function isIndented(line: string): boolean {
  return /^(?: {2}|\t)\s*\S/.test(line)
}

function sectionAt(line: string): Section | null {
  const title = /^#{1,3} +(.*?)[ #]*$/.exec(line)?.[1]?.toLowerCase()
  return title !== undefined && Object.hasOwn(HEADINGS, title) ? (title as Section) : null
}

export type Proposals = { added: { id: string; text: string }[]; problems: string[] }

/**
 * What somebody wrote into the file that is not known yet: new items with an empty box. A ticked one is not believed, and
 * an id that was used once means that task for ever.
 */
export function proposalsIn(file: string, known: { id: string; text: string }[]): Proposals {
  const texts = new Map(known.map(({ id, text }) => [id.toLowerCase(), text]))
  const titles = new Set(known.map(({ text }) => titleOf(text)))
  const added: Proposals['added'] = []
  const problems: string[] = []
  const standing = tasksIn(file)
  const items = standing.filter(({ box, text }) => box === ' ' && text.trim() !== '')
  const nextId = numbering([...texts.keys(), ...standing.map(({ id }) => id ?? '')])
  const add = (id: string, text: string) => {
    texts.set(id.toLowerCase(), text)
    added.push({ id, text })
  }
  for (const { id, text } of items) {
    if (id === null) {
      // A line that lost its id is still the same task.
      if (!titles.has(titleOf(text))) add(nextId(), text)
      continue
    }
    const before = texts.get(id.toLowerCase())
    if (!TaskId.safeParse(id).success)
      problems.push(`"${oneLine(id, 80)}" is no id of a task: letters, digits, _ and -`)
    else if (RESERVED_IDS.has(id.toLowerCase())) problems.push(`"${id}" is a reserved word and no id of a task`)
    else if (before === undefined) add(id, text)
    else if (titleOf(before) !== titleOf(text))
      problems.push(`the id ${id} is used already; a task keeps its id for ever`)
  }
  return { added, problems: [...new Set(problems)] }
}

/** Ids of tasks that somebody ticked although they are not done: our own marks may be late, never early. */
export function tickedIn(file: string, tasks: ShownTask[]): string[] {
  const open = new Set(tasks.filter(({ box }) => box !== 'x').map(({ id }) => id.toLowerCase()))
  const ticked = tasksIn(file).filter(({ box, id }) => box === 'x' && id !== null && open.has(id.toLowerCase()))
  return ticked.map(({ id }) => id!)
}

function titleOf(text: string): string {
  return oneLine(text.split('\n')[0]!, 400).toLowerCase()
}

/** TASK-001 and so on, above every number that was seen. */
function numbering(ids: string[]): () => string {
  let last = Math.max(0, ...ids.map(id => Number(/^task-(\d{1,6})$/i.exec(id)?.[1] ?? 0)))
  return () => {
    last += 1
    return `TASK-${String(last).padStart(3, '0')}`
  }
}

/** The file with every task as it stands in truth: each once, in its section; what else was written stays. */
export function withTasks(file: string, tasks: ShownTask[]): string {
  const lines = linesOf(file)
  const wanted = new Map(tasks.map(task => [task.id.toLowerCase(), task]))
  const idless = new Map(tasks.map(task => [titleOf(task.text), task]))
  const placed = new Set<string>()
  const replaced = new Map<number, { to: number; with: string[] }>()
  for (const item of itemsIn(lines)) {
    const task = item.id === null ? idless.get(titleOf(item.text)) : wanted.get(item.id.toLowerCase())
    if (!task) continue
    const stays = !placed.has(task.id) && item.section === SECTION_OF[task.box]
    if (stays) placed.add(task.id)
    replaced.set(item.from, { to: item.to, with: stays ? linesFor(task) : [] })
  }
  const kept: string[] = []
  for (let n = 0; n < lines.length; n++) {
    const change = replaced.get(n)
    if (change) {
      kept.push(...change.with)
      n = change.to - 1
    } else kept.push(lines[n]!)
  }
  const missing = tasks.filter(({ id }) => !placed.has(id))
  return `${inSections(kept, missing).join('\n').trimEnd()}\n`
}

/** What has no place yet comes behind the last task of its section. */
function inSections(lines: string[], missing: ShownTask[]): string[] {
  let all = lines
  for (const section of Object.keys(HEADINGS) as Section[]) {
    const here = missing.filter(({ box }) => SECTION_OF[box] === section).flatMap(linesFor)
    const heading = headingOf(all, section)
    if (heading < 0) {
      const gap = all.length > 0 && all.at(-1)!.trim() !== '' ? [''] : []
      all = [...all, ...gap, HEADINGS[section], ...(here.length ? here : [''])]
      continue
    }
    if (here.length === 0) continue
    const at = itemsIn(all).findLast(item => item.section === section)?.to ?? heading + 1
    const next = all[at]
    // What stood there must not become a part of the task above it.
    const gap = next !== undefined && (sectionAt(next) !== null || isIndented(next)) ? [''] : []
    all = [...all.slice(0, at), ...here, ...gap, ...all.slice(at)]
  }
  return all
}

function linesFor({ id, text, box, worker, notDone }: ShownTask): string[] {
  const [first = '', ...more] = text.split('\n')
  const remark = worker ? ` (worker: ${worker})` : notDone ? ` (not done: ${notDone})` : ''
  return [`- [${box}] [${id}] ${first}${remark}`, ...more]
}

function linesOf(file: string): string[] {
  const text = file.replace(/\r\n?/g, '\n').trimEnd()
  return text === '' ? [] : text.split('\n')
}
