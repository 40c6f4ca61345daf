import { LoopDirectory } from '../../adapters/loop-directory.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { RESERVED_IDS, rootOf, TaskId } from '../../contract/ids.ts'
import type { NewTask } from '../../contract/pool.ts'
import { ENDED } from '../../contract/run.ts'
import { filesNamedIn } from '../../core/parent/files-named.ts'
import { oneLine } from '../../core/plain-text.ts'
import type { PoolRun, PoolTask } from '../../core/pool/pool-state.ts'
import { proposalsIn, type ShownTask, tickedIn, withTasks } from '../../core/pool/tasks-file.ts'
import type { Texts } from '../../ports.ts'
import { ownerOf } from '../loops/open-loop.ts'
import type { ParentOutside } from '../parent/parent-outside.ts'
import type { Run } from '../runtime/live-run.ts'
import { poolOf } from '../runtime/run-kinds.ts'

const FILE_LIMIT = 4_000_000
const MOST_NOTES = 10

/** What tasks.md holds that nobody knows yet. */
export async function readTasks(outside: ParentOutside, run: Run): Promise<{ added: NewTask[]; notes: string[] }> {
  const state = poolOf(run)
  const texts = outside.textsOf(run.id)
  const file = (await directoryOf(outside, state).read('tasks.md', FILE_LIMIT)) ?? ''
  const { added, problems } = proposalsIn(file, await withTexts(state.tasks, texts))
  return {
    added: await Promise.all(added.map(task => newTask(task, texts))),
    notes: await Promise.all(problems.slice(0, MOST_NOTES).map(problem => texts.put(`tasks.md: ${problem}`))),
  }
}

/** From a person's command, with an id of their own or the next that is free. */
export async function proposed(state: PoolRun, texts: Texts, id: string | null, text: string): Promise<NewTask> {
  if (id !== null && (!TaskId.safeParse(id).success || RESERVED_IDS.has(id.toLowerCase()))) {
    throw new RehoboamError(
      'usage',
      `"${id}" is no id of a task: letters, digits, _ and -, at most 64, and no reserved word`,
    )
  }
  if (id !== null && state.tasks.some(task => task.id.toLowerCase() === id.toLowerCase())) {
    throw new RehoboamError('already', `the id ${id} is used already; a task keeps its id for ever`)
  }
  const line = `- [ ] ${id === null ? '' : `[${id}] `}${text.trim().replace(/\n(?=\S)/g, '\n  ')}`
  const [task] = proposalsIn(line, await withTexts(state.tasks, texts)).added
  if (!task) throw new RehoboamError('already', 'there is a task with these words already')
  return newTask(task, texts)
}

async function newTask({ id, text }: { id: string; text: string }, texts: Texts): Promise<NewTask> {
  return { id, text: await texts.put(text), files: filesNamedIn(text) }
}

const SIGN: Record<PoolTask['state'], ShownTask['box']> = {
  pending: ' ',
  claimed: '~',
  active: '~',
  merging: '~',
  merged: 'x',
  done: 'x',
  stuck: '~',
  failed: ' ',
  dropped: ' ',
}

const NOT_DONE: Partial<Record<PoolTask['state'], NonNullable<ShownTask['notDone']>>> = {
  failed: 'failed',
  dropped: 'left out',
}

/** tasks.md as the journal has it. While somebody may be writing there, and before that is read, it is left alone. */
export async function projectTasks(outside: ParentOutside, run: Run): Promise<void> {
  const state = poolOf(run)
  const isBeingWritten = state.endedAt === null && ['planning', 'reading', 'rereading'].includes(state.phase)
  if (state.tasks.length === 0 || isBeingWritten) return
  const directory = directoryOf(outside, state)
  if (ENDED.has(state.status) && !(await isItsOwn(directory, run.id))) return
  if (!(await directory.isThere())) return
  const found = await directory.read('tasks.md', FILE_LIMIT)
  const file = found ?? ''
  const known = await withTexts(state.tasks, outside.textsOf(run.id))
  const shown = known.map(({ id, text }, n): ShownTask => {
    const { state: is, by } = state.tasks[n]!
    const task = { id, text, box: SIGN[is], worker: SIGN[is] === '~' ? by : null }
    const notDone = NOT_DONE[is]
    return notDone ? { ...task, notDone } : task
  })
  const written = withTasks(file, shown)
  if (written === file) return
  const ticked = tickedIn(file, shown)
  // What somebody claimed is looked at by nobody but people.
  if (ticked.length > 0) await directory.setAside('tasks.md', `${run.id}-${run.record.seq}`)
  await directory.write('tasks.md', written)
  const said: string[] = []
  if (found === null) said.push('tasks.md was gone and is written anew; what stood around the tasks is lost')
  const named = oneLine(ticked.slice(0, MOST_NOTES).join(', '), 400)
  if (named) said.push(`tasks.md: ${named} ticked by somebody, and not done yet; what was written is in the archive`)
  if (said.length === 0) return
  const notes = await Promise.all(said.map(sentence => outside.textsOf(run.id).put(sentence)))
  await run.post(() => ({ type: 'tasks-added', added: [], notes }))
}

/** A directory serves one run after the other: what an ended one has to say is not for the files of the next. */
async function isItsOwn(directory: LoopDirectory, run: string): Promise<boolean> {
  const owner = ownerOf(await directory.read('state.json', FILE_LIMIT))
  return owner === null || rootOf(owner) === run
}

export function titles(tasks: PoolTask[], texts: Texts): Promise<string[]> {
  return Promise.all(tasks.map(async ({ text }) => (await texts.get(text).catch(() => '')).split('\n')[0]!))
}

function withTexts(tasks: PoolTask[], texts: Texts): Promise<{ id: string; text: string }[]> {
  return Promise.all(tasks.map(async ({ id, text }) => ({ id, text: await texts.get(text).catch(() => '') })))
}

function directoryOf({ disk }: ParentOutside, { loop }: PoolRun): LoopDirectory {
  return new LoopDirectory(loop.directory, disk)
}
