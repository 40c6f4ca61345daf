import { basename, dirname } from 'node:path'
import type { LoopDirectory, LoopFile } from '../../adapters/loop-directory.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { RunEvent } from '../../contract/event.ts'
import { RunId } from '../../contract/ids.ts'
import type { LoopSpec } from '../../contract/loop.ts'
import { EMPTY_TASKS } from '../../core/pool/tasks-file.ts'
import type { Run } from '../runtime/live-run.ts'
import { loopOf } from '../runtime/run-kinds.ts'
import { leftOutWords } from './left-out-words.ts'
import { type LoopOutside, loopDirectory } from './loop-outside.ts'
import { projectIsThere } from './restore-files.ts'
import { ledgerHash, taskStates } from './task-ledger.ts'
import { keepTree, setUpWords } from './workplace.ts'

const RUNTIME_ENTRIES = [
  '.rehoboam/anchor.md',
  '.rehoboam/progress.md',
  '.rehoboam/tasks.md',
  '.rehoboam/guardrails.md',
  '.rehoboam/state.json',
  '.rehoboam/activity.log',
  '.rehoboam/session_history.log',
  '.rehoboam/errors.log',
  '.rehoboam/archive/',
  '.rehoboam/quests/',
  '.rehoboam/*.tmp',
]

/** The loop directory, with what an earlier run left there moved to its archive, and the base as the first checkpoint. */
export async function openLoop(outside: LoopOutside, run: Run, key: string): Promise<RunEvent> {
  const state = loopOf(run)
  const { project } = state.spec
  if (!(await projectIsThere(outside, run))) return { type: 'loop-not-opened', effect: key, cause: 'project-missing' }
  const texts = outside.textsOf(run.id)
  const said = state.loop.worktree ? await setUpWords(outside, run) : []
  const repository = await outside.repository.locate(project)
  if (repository?.inProgress) return { type: 'loop-not-opened', effect: key, cause: 'git-busy' }
  said.push(...(await makeDirectory(outside, run)))
  let base: { commit: string; tree: string } | null = null
  if (repository) await overlook(outside, run)
  if (repository && !state.loop.disposable) {
    const subject = `Rehoboam ${run.id}: what was there before`
    const made = await keepTree(outside, run, { iteration: 0, parent: null, subject })
    base = { commit: made.commit, tree: made.tree }
    if (made.leftOut.length) said.push(leftOutWords(made.leftOut))
  } else if (!repository) {
    said.push('the project is not in a git repository: no checkpoints, nothing is proven; git init changes that')
  }
  const ledger = ledgerHash(await taskStates(loopDirectory(outside, state)), base?.tree ?? null)
  const notes = await Promise.all(said.map(sentence => texts.put(sentence)))
  return { type: 'loop-opened', effect: key, base, ledger, notes }
}

/** What is ours is in nobody's commit. A worker's stands at the root of its worktree. */
async function overlook({ repository }: LoopOutside, run: Run): Promise<void> {
  const { spec, loop } = loopOf(run)
  await repository.exclude(spec.project, RUNTIME_ENTRIES)
  if (loop.task) await repository.exclude(dirname(loop.directory), [`${basename(loop.directory)}/`])
}

/** A worktree that is thrown away, exactly as its commit has it. */
export async function makeAnew(
  { repository }: Pick<LoopOutside, 'repository'>,
  disposable: NonNullable<LoopSpec['disposable']>,
): Promise<void> {
  await repository.cleanWorktree(disposable)
}

async function makeDirectory(outside: LoopOutside, run: Run): Promise<string[]> {
  const state = loopOf(run)
  const directory = loopDirectory(outside, state)
  const anchor = await outside.textsOf(run.id).get(state.prompt)
  const said: string[] = []
  const { moved } = await directory.make(run.id)
  if (moved) said.push(`${directory.path} was not a directory; what stood there is now ${moved}`)
  const owner = ownerOf(await directory.read('state.json', 1_000_000))
  const standing = await directory.read('anchor.md', 2_000_000)
  if (owner !== run.id && (owner !== null || standing !== anchor)) {
    said.push(...(await archived(directory, owner, state.createdAt)))
  }
  const writeAnchor = async () => {
    if ((await directory.read('anchor.md', 2_000_000)) !== anchor) await directory.write('anchor.md', anchor)
  }
  const first = Object.entries(await firstTexts(outside, run)) as [LoopFile, string][]
  const writeMissing = async ([name, text]: [LoopFile, string]) => {
    if ((await directory.read(name, 1)) === null) await directory.write(name, text)
  }
  // Each is on the disk when it is written; together they wait for it once.
  await Promise.all([writeAnchor(), ...first.map(writeMissing), outside.stateFiles.begin(directory, run.id)])
  return said
}

/** What its agents begin with, each role with its own. */
async function firstTexts(outside: LoopOutside, run: Run): Promise<Partial<Record<LoopFile, string>>> {
  const { role, task, lessons } = loopOf(run).loop
  const texts = outside.textsOf(run.id)
  return {
    'progress.md': '',
    'guardrails.md': lessons === null ? '' : await texts.get(lessons),
    ...(role === 'planner' && { 'tasks.md': EMPTY_TASKS }),
    ...(task && { 'assigned_task.md': assignedTask(task.id, await texts.get(task.text)) }),
  }
}

export function assignedTask(id: string, text: string): string {
  return `- [ ] [${id}] ${text}\n`
}

/** A run that ended goes on: whoever had its directory since then is put away as it was itself. */
export async function takeBack(outside: LoopOutside, run: Run): Promise<string[]> {
  const directory = loopDirectory(outside, loopOf(run))
  const owner = ownerOf(await directory.read('state.json', 1_000_000))
  if (owner === null || owner === run.id) return []
  const said = await archived(directory, owner, run.record.at)
  await outside.stateFiles.begin(directory, run.id)
  return said
}

async function archived(directory: LoopDirectory, owner: string | null, at: number): Promise<string[]> {
  const under = new Date(at).toISOString().replaceAll(':', '-')
  const moved = await directory.archive(under)
  const whose = owner ? `of run ${owner}` : 'that stood there'
  return moved.length ? [`the loop files ${whose} are now in ${directory.path}/archive/${under}`] : []
}

/** Which run a loop directory belongs to, by its own word; null when nobody says. */
export function ownerOf(text: string | null): string | null {
  if (text === null) return null
  try {
    const { run } = JSON.parse(text) as { run?: unknown }
    return RunId.safeParse(run).data ?? null
  } catch {
    return null
  }
}

/** Before a run exists: a repository in the middle of something would be checkpointed half-way. */
export async function refuseBusyRepository(outside: Pick<LoopOutside, 'repository'>, project: string): Promise<void> {
  const repository = await outside.repository.locate(project)
  if (!repository?.inProgress) return
  const { inProgress } = repository
  throw new RehoboamError(
    'git-busy',
    `the repository is in the middle of a ${inProgress}; finish it (git ${inProgress} --continue) or end it (git ${inProgress} --abort), then start the loop again`,
  )
}
