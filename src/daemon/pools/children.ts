import { mkdir, realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { LoopDirectory } from '../../adapters/loop-directory.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { RunEvent } from '../../contract/event.ts'
import { childId } from '../../contract/ids.ts'
import type { LoopSpec, LoopWorktree } from '../../contract/loop.ts'
import { ENDED } from '../../contract/run.ts'
import type { EffectOf } from '../../core/effect.ts'
import { PLANNING_WORD } from '../../core/loop/prompt-roles.ts'
import type { LoopRun } from '../../core/loop/state.ts'
import { unheard } from '../../core/session/moves.ts'
import type { Run } from '../runtime/run.ts'
import { loopOf } from '../runtime/run-kinds.ts'
import { sessionIdOf } from '../runtime/stable-id.ts'
import { together } from '../runtime/together.ts'
import { appendOnce } from '../ward/lessons.ts'
import { setupOf } from '../worktrees/setup-of.ts'
import { followChild } from './follow-child.ts'
import { type PoolOutside, poolOf } from './pool-outside.ts'
import { tellChild } from './tell-children.ts'

type RunChild = EffectOf<'run-child'>

const LESSONS_LIMIT = 200_000

/**
 * Starts a child or sends it on, and follows it to its end. Done again, it finds the child as it was made or sent on by
 * this very effect, and only follows.
 */
export async function runChild(outside: PoolOutside, run: Run, key: string, effect: RunChild): Promise<RunEvent> {
  const { child: name } = effect
  const id = childId(run.id, name)
  try {
    const known = outside.runs.get(id)
    if (known) await sendOn(outside, run, known, key, effect)
    else if (!isStopping(run)) await create(outside, run, id, key, effect)
  } catch (error) {
    // What git or a directory refuses is refused the next time too; anything else is tried again.
    if (!(error instanceof RehoboamError) || error.code === 'journal-write' || error.code === 'daemon-stopping')
      throw error
    const why = await outside.textsOf(run.id).put(`${id} could not be started: ${error.message}`)
    return { type: 'child-not-started', effect: key, child: name, cause: 'not-started', why }
  }
  const child = outside.runs.get(id)
  // The pool was ended before it began.
  if (!child)
    return ended(key, name, {
      status: 'cancelled',
      cause: 'cancelled',
      iteration: 0,
      costUsd: 0,
      commit: null,
      heard: [],
    })
  await obey(run, child)
  for (const said of await waitingIn(run)) await tellText(outside, run, child, said)
  const outcome = await followChild(outside, run, child, key, name)
  const commit = effect.task === null ? null : await leftBy(outside, run, child)
  await flowBack(outside, run, child)
  return ended(key, name, { ...outcome, commit, heard: await heardBy(child, await waitingIn(run)) })
}

function ended(
  effect: string,
  child: string,
  outcome: Extract<RunEvent, { type: 'child-ended' }>['outcome'],
): RunEvent {
  return { type: 'child-ended', effect, child, outcome }
}

async function create(outside: PoolOutside, run: Run, id: string, key: string, effect: RunChild): Promise<void> {
  const pool = poolOf(run)
  const { task } = effect
  // git and the disk take their time: what does not wait for each other is done at once.
  const [{ loop, project, directories }, prompt] = await together([
    task === null ? plannerSpec(outside, run, effect) : workerSpec(outside, run, effect, task),
    copied(outside, run, id, pool.prompt),
    task && openPlace(outside, run, id, await worktreeOf(run, task.id, effect.from), { isUntouched: true }),
  ])
  const spec = { ...pool.spec, project, directories, maxTimeMs: null, maxCostUsd: effect.maxCostUsd }
  await outside.runs.create(id, {
    type: 'run-created',
    kind: 'loop',
    run: id,
    request: sessionIdOf(`child ${key}`),
    spec,
    prompt,
    environment: pool.environment,
    loop,
  })
}

/** Before the child exists, or goes on: where its worktree cannot be, it is a worker that could not start. */
async function openPlace(
  outside: PoolOutside,
  run: Run,
  id: string,
  worktree: LoopWorktree,
  { isUntouched }: { isUntouched: boolean },
): Promise<void> {
  const { spec, environment } = poolOf(run)
  await outside.workplaces.open({
    ...worktree,
    isUntouched,
    environment: outside.environments.of(run.id, spec.session, environment).environment,
    setup: await setupOf(outside, run),
    runDirectory: outside.directoryOf(id),
    signal: outside.stopping,
  })
}

/** The place of a worker who will come, as it would be made for them now. */
export async function openAhead(
  outside: PoolOutside,
  run: Run,
  task: { id: string; text: string },
  base: string,
): Promise<void> {
  const id = childId(run.id, task.id)
  await together([
    copied(outside, run, id, poolOf(run).prompt),
    copied(outside, run, id, task.text),
    openPlace(outside, run, id, await worktreeOf(run, task.id, base), { isUntouched: true }),
  ])
}

async function worktreeOf(run: Run, task: string, base: string): Promise<LoopWorktree> {
  return { project: await realpath(poolOf(run).spec.project), branch: { run: run.id, task }, base }
}

type ChildSpec = { loop: LoopSpec; project: string; directories: string[] }

/** In a worktree that is thrown away; its loop directory is the user's own. */
async function plannerSpec(outside: PoolOutside, run: Run, { from }: RunChild): Promise<ChildSpec> {
  const { spec, loop } = poolOf(run)
  const id = childId(run.id, 'planner')
  const path = await worktreePath(outside, `${run.id}-planner`)
  return {
    project: join(path, await below(outside, spec.project)),
    directories: [loop.directory],
    loop: {
      ...loop,
      role: 'planner',
      stopWord: PLANNING_WORD,
      judge: loop.judge === 'off' ? 'off' : 'heuristic',
      judgePrompt: null,
      ward: null,
      instructions: loop.instructions && (await copied(outside, run, id, loop.instructions)),
      disposable: { repository: spec.project, path, commit: from },
    },
  }
}

/** On a branch of its own that begins with the result as it is now. Its checks are the merge's. */
async function workerSpec(
  outside: PoolOutside,
  run: Run,
  { from }: RunChild,
  task: { id: string; text: string },
): Promise<ChildSpec> {
  const { spec, loop, pool } = poolOf(run)
  const id = childId(run.id, task.id)
  const branch = { run: run.id, task: task.id }
  const [worktree, project, root, text, lessons] = await Promise.all([
    worktreeOf(run, task.id, from),
    outside.workplaces.directoryOf(branch, spec.project),
    worktreePath(outside, id),
    copied(outside, run, id, task.text),
    new LoopDirectory(loop.directory, outside.disk).read('guardrails.md', LESSONS_LIMIT),
  ])
  return {
    project,
    directories: relative(project, root).startsWith('..') ? [join(root, `.rehoboam-worker-${task.id}`)] : [],
    loop: {
      ...loop,
      directory: join(root, `.rehoboam-worker-${task.id}`),
      role: 'worker',
      maxIterations: pool.workerIterations,
      stopWord: pool.stopWord,
      judge: loop.judge === 'off' ? 'off' : 'heuristic',
      judgePrompt: null,
      ward: null,
      instructions: pool.workerInstructions && (await copied(outside, run, id, pool.workerInstructions)),
      task: { id: task.id, text },
      lessons: lessons?.trim() ? await outside.textsOf(id).put(lessons) : null,
      worktree,
    },
  }
}

async function worktreePath(outside: PoolOutside, name: string): Promise<string> {
  const worktrees = join(outside.home, 'worktrees')
  await mkdir(worktrees, { recursive: true, mode: 0o700 })
  return join(await realpath(worktrees), name)
}

async function below(outside: PoolOutside, project: string): Promise<string> {
  const located = await outside.repository.locate(project)
  return located ? relative(located.root, await realpath(project)) : ''
}

/** Texts are kept by run: a child has its own. */
async function copied(outside: PoolOutside, run: Run, id: string, ref: string): Promise<string> {
  return outside.textsOf(id).put(await outside.textsOf(run.id).get(ref))
}

/** A child that has ended goes on with what came of its work. */
async function sendOn(outside: PoolOutside, run: Run, child: Run, key: string, effect: RunChild): Promise<void> {
  const isHeard = ({ request, resumedBy }: LoopRun) => request === sessionIdOf(`child ${key}`) || resumedBy === key
  const state = loopOf(child)
  if (isHeard(state) || state.status === 'active') return
  if (state.loop.worktree) await openPlace(outside, run, child.id, state.loop.worktree, { isUntouched: false })
  if (effect.bring !== null) await takeIn(outside, child, effect.bring)
  const { say, from } = effect
  const said = say && [say.note, say.text && (await outside.textsOf(run.id).get(say.text))].filter(Boolean).join('\n\n')
  const text = said ? await outside.textsOf(child.id).put(said) : null
  const { environment } = poolOf(run)
  await child.post(({ state: now }) =>
    isHeard(now as LoopRun) || now.status === 'active'
      ? null
      : { type: 'resume-requested', text, environment, by: key, from },
  )
}

/** The result as it is now, into the worker's branch and files: marks of conflicts are for the worker to resolve. */
async function takeIn(outside: PoolOutside, child: Run, from: string): Promise<void> {
  const { loop } = loopOf(child)
  const { project, branch } = loop.worktree!
  const path = outside.workplaces.pathOf(branch)
  const request = { repository: project, path, branch }
  await outside.repository.bringIn({
    ...request,
    from,
    subject: `Rehoboam: the result of the others, for ${branch.task}`,
  })
}

/** What its worker left: its last checkpoint, which is the newest commit of its branch. */
async function leftBy(outside: PoolOutside, run: Run, child: Run): Promise<string | null> {
  const { loop, isOpen, iterations } = loopOf(child)
  if (!loop.worktree || !isOpen) return null
  const last = iterations.at(-1)?.facts?.checkpoint
  if (last) return last.commit
  return outside.repository.tipOf({ directory: poolOf(run).spec.project, branch: loop.worktree.branch })
}

/** Lessons of a worker are its planner's too. */
async function flowBack(outside: PoolOutside, run: Run, child: Run): Promise<void> {
  const { loop } = loopOf(child)
  const own = poolOf(run).loop.directory
  if (loop.directory === own) return
  const lessons = await new LoopDirectory(loop.directory, outside.disk).read('guardrails.md', LESSONS_LIMIT)
  const directory = new LoopDirectory(own, outside.disk)
  if (!lessons || !(await directory.isThere())) return
  for (const line of lessons.split('\n').slice(0, 500)) {
    if (line.startsWith('- ') && line.length < 1_000) await appendOnce(directory, line.slice(2))
  }
}

/** Whoever asked for it while the child was being made meant the child too. */
async function obey(run: Run, child: Run): Promise<void> {
  if (isStopping(run)) await tellChild(child, 'cancel')
  else if (poolOf(run).status === 'paused' && poolOf(run).cause === 'paused-by-user') await tellChild(child, 'pause')
}

function isStopping(run: Run): boolean {
  const { wish } = poolOf(run)
  return wish !== null && wish !== 'reject'
}

/** What somebody said to the pool, for those who work now. Those who begin later are told when they do. */
export async function passOn(
  outside: PoolOutside,
  run: Run,
  key: string,
  { text, of, children }: EffectOf<'pass-on'>,
): Promise<RunEvent> {
  for (const name of children) {
    const child = outside.runs.get(childId(run.id, name))
    if (child) await tellText(outside, run, child, { text, of: of ?? null })
  }
  return { type: 'children-told', effect: key }
}

/** `of`: the event of the pool with which it was said. Null: no such event of the pool was found. */
type Said = { text: string; of: number | null }

/** What waits in a pool. Texts are named by what they say, so those that were said with the same words are told apart here. */
async function waitingIn(run: Run): Promise<Said[]> {
  const { waiting } = poolOf(run)
  const { seq } = run.record
  if (waiting.length === 0) return []
  const said = (await run.eventsAfter(0)).flatMap(event =>
    event.seq <= seq && (event.type === 'told' || event.type === 'resume-requested') && event.text
      ? [{ text: event.text, of: event.seq }]
      : [],
  )
  // What waits is what was said last.
  const newestFirst = [...waiting].reverse().map(text => {
    const at = said.findLastIndex(one => one.text === text)
    return at < 0 ? { text, of: null } : said.splice(at, 1)[0]!
  })
  return newestFirst.reverse()
}

/** Once. */
async function tellText(outside: PoolOutside, run: Run, child: Run, said: Said): Promise<void> {
  if ((await toldTo(child)).has(nameOf(said))) return
  const text = await copied(outside, run, child.id, said.text)
  const of = said.of ?? undefined
  await child.post(({ state }) => (ENDED.has(state.status) ? null : { type: 'told', text, of }))
}

async function toldTo(child: Run): Promise<Set<string>> {
  const told = (await child.eventsAfter(0)).filter(event => event.type === 'told')
  return new Set(told.map(({ text, of = null }) => nameOf({ text, of })))
}

function nameOf({ text, of }: Said): string {
  return of === null ? text : String(of)
}

/** Of what waits in its pool, what it was told and did not only keep for a prompt that never came. */
async function heardBy(child: Run, waiting: Said[]): Promise<string[]> {
  if (waiting.length === 0) return []
  const { given, waiting: kept, session } = loopOf(child)
  const unsaid = new Set([...given, ...kept, ...(session ? unheard(session) : [])])
  const told = await toldTo(child)
  return waiting.filter(said => told.has(nameOf(said)) && !unsaid.has(said.text)).map(({ text }) => text)
}
