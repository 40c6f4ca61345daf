import { join } from 'node:path'
import { isDirectory } from '../../adapters/is-directory.ts'
import type { LoopDirectory, LoopFile } from '../../adapters/loop-directory.ts'
import type { Run } from '../runtime/live-run.ts'
import { drivenOf, loopOf } from '../runtime/run-kinds.ts'
import { together } from '../runtime/together.ts'
import { appendOnce } from '../ward/lessons.ts'
import { type LoopOutside, loopDirectory } from './loop-outside.ts'
import { assignedTask, makeAnew } from './open-loop.ts'
import { openWorkplace } from './workplace.ts'

export const FILE_LIMIT = 2_000_000

/** What agents write and later iterations read: a run's memory, so a copy stands where no agent comes. */
const MEMORY = ['progress.md', 'guardrails.md', 'tasks.md'] as const

const ANCHOR_LESSON =
  'Never change anchor.md: it is the task as it was given. Write what you found out into progress.md.'
const DIRECTORY_LESSON =
  'Never delete, move or replace the files in this directory: later sessions know only what they say.'

type Restored = { anchorChanged: boolean; said: string[] }

/**
 * Puts back what an agent took away or changed of the loop directory. A changed anchor is kept aside. With `of`
 * a changed anchor is remembered for that iteration before it is put back: it counts also when we are cut off in between.
 */
export async function restoreDirectory(
  outside: LoopOutside,
  run: Run,
  aside: string,
  of: number | null,
): Promise<Restored> {
  const state = loopOf(run)
  const directory = loopDirectory(outside, state)
  const said: string[] = []
  const { wasThere, moved } = await directory.make(aside)
  if (moved) said.push(`something else stood at ${directory.path}; it is now ${moved}`)
  const anchor = await outside.textsOf(run.id).get(state.prompt)
  const [anchorChanged, memory, taskRestored, stateAltered] = await together([
    restoreAnchor(outside, run, directory, { anchor, aside, of }),
    restoreMemory(outside, run, directory),
    state.loop.task !== null && restoreTask(outside, run, directory),
    restoreState(outside, run, directory, wasThere),
  ])
  if (!wasThere) said.push(`${directory.path} was gone and is restored`)
  else {
    if (stateAltered) said.push('state.json was changed and is restored')
    if (taskRestored) said.push('assigned_task.md was changed and is restored')
    if (anchorChanged) said.push('anchor.md was changed and is restored; what was written is in the archive')
    if (memory.length) said.push(`${memory.join(', ')} of the loop directory were gone and are restored`)
  }
  if (anchorChanged) await appendOnce(directory, ANCHOR_LESSON)
  if (!wasThere || stateAltered || taskRestored || memory.length) await appendOnce(directory, DIRECTORY_LESSON)
  return { anchorChanged, said }
}

async function restoreState({ stateFiles }: LoopOutside, run: Run, directory: LoopDirectory, wasThere: boolean) {
  if (!wasThere) await stateFiles.begin(directory, run.id)
  await stateFiles.restore(directory, run.id)
  return stateFiles.wasAltered(run.id)
}

/** True when a worker's own task was changed or gone. */
async function restoreTask(outside: LoopOutside, run: Run, directory: LoopDirectory): Promise<boolean> {
  const { id, text } = loopOf(run).loop.task!
  const assigned = assignedTask(id, await outside.textsOf(run.id).get(text))
  if ((await directory.read('assigned_task.md', FILE_LIMIT)) === assigned) return false
  await directory.write('assigned_task.md', assigned)
  return true
}

/** As they are now: what they are restored from. */
export async function keepMemory(outside: LoopOutside, run: Run): Promise<void> {
  const directory = loopDirectory(outside, loopOf(run))
  const keep = async (name: LoopFile) => {
    const text = await directory.read(name, FILE_LIMIT)
    if (text === null || text === (await keptOf(outside, run, name))) return
    await outside.disk.makeDirectory(join(outside.directoryOf(run.id), 'files'))
    await outside.disk.replace(keptAt(outside, run, name), text)
  }
  await Promise.all(MEMORY.map(keep))
}

/** Moved, or not mounted, it is not. A worktree that is gone is made again from its branch, where the user's project is. */
export async function projectIsThere(outside: LoopOutside, run: Run): Promise<boolean> {
  const { spec, loop } = drivenOf(run)
  if (loop.disposable) {
    if (!(await isDirectory(loop.disposable.repository))) return false
    if (!(await isDirectory(spec.project))) await makeAnew(outside, loop.disposable)
    return true
  }
  if (!loop.worktree) return isDirectory(spec.project)
  if (!(await isDirectory(loop.worktree.project))) return false
  // One that this daemon has not seen whole may have been cut off while it was made.
  const isWhole = outside.workplaces.known(loop.worktree.branch) !== null && (await isDirectory(spec.project))
  if (!isWhole) await openWorkplace(outside, run)
  return true
}

/** True when it was changed or gone, now or when this iteration was looked at before. */
async function restoreAnchor(
  outside: LoopOutside,
  run: Run,
  directory: LoopDirectory,
  { anchor, aside, of }: { anchor: string; aside: string; of: number | null },
): Promise<boolean> {
  const place = of === null ? null : join(outside.directoryOf(run.id), 'iterations', String(of))
  const mark = place && join(place, 'anchor-changed')
  if ((await directory.read('anchor.md', FILE_LIMIT)) === anchor)
    return mark !== null && (await outside.disk.read(mark)) !== null
  if (place && mark) {
    await outside.disk.makeDirectory(place)
    await outside.disk.replace(mark, '')
  }
  await directory.setAside('anchor.md', aside)
  await directory.write('anchor.md', anchor)
  return true
}

async function restoreMemory(outside: LoopOutside, run: Run, directory: LoopDirectory) {
  const each = MEMORY.map(async name => {
    if ((await directory.read(name, 1)) !== null) return []
    const kept = await keptOf(outside, run, name)
    // A run without tasks has no file for them.
    if (kept === null && name === 'tasks.md') return []
    await directory.write(name, kept ?? '')
    return [name]
  })
  return (await Promise.all(each)).flat()
}

async function keptOf(outside: LoopOutside, run: Run, name: LoopFile): Promise<string | null> {
  const bytes = await outside.disk.read(keptAt(outside, run, name))
  return bytes && new TextDecoder().decode(bytes)
}

function keptAt(outside: LoopOutside, run: Run, name: LoopFile): string {
  return join(outside.directoryOf(run.id), 'files', name)
}
