import { mkdir, realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { LoopDirectory } from '../../adapters/loop-directory.ts'
import { childId } from '../../contract/ids.ts'
import type { LoopSpec, LoopWorktree } from '../../contract/loop.ts'
import { PLANNING_WORD } from '../../core/loop/prompt-roles.ts'
import { PLANNER, type PoolTask, taskOf } from '../../core/pool/pool-state.ts'
import { unheard } from '../../core/session/session-moves.ts'
import type { ParentOutside } from '../parent/parent-outside.ts'
import type { Children, NewRun, RunChild } from '../parent/run-child.ts'
import { copiedText, tellMessage, toldTo } from '../parent/tell-children.ts'
import type { Run } from '../runtime/live-run.ts'
import { loopOf, poolOf } from '../runtime/run-kinds.ts'
import { together } from '../runtime/together.ts'
import { appendOnce } from '../ward/lessons.ts'
import { setupOf } from '../worktrees/setup-of.ts'

const LESSONS_LIMIT = 200_000

/** The children of a pool are loops: its planner, and a worker for each task. */
export function poolChildren(outside: ParentOutside): Children {
  return {
    titleOf: (run, child) => childId(run.id, child),
    create: (run, effect) => newLoop(outside, run, effect),
    async resume(run, child, { bring, say, from }) {
      const { worktree } = loopOf(child).loop
      if (worktree) await openPlace(outside, run, child.id, worktree, { isUntouched: false })
      if (bring !== null) await takeIn(outside, child, bring)
      const texts = await Promise.all((say?.texts ?? []).map(ref => outside.textsOf(run.id).get(ref)))
      return { text: say && [say.note, ...texts].filter(Boolean).join('\n\n'), from }
    },
    async greet(run, child) {
      for (const message of poolOf(run).waiting) await tellMessage(outside, run, child, message)
    },
    async leave(run, child) {
      const commit = await leftBy(outside, run, child)
      await flowBack(outside, run, child)
      return { commit, heard: await heardBy(run, child), notes: [] }
    },
  }
}

async function newLoop(outside: ParentOutside, run: Run, { child, from, maxCostUsd }: RunChild): Promise<NewRun> {
  const pool = poolOf(run)
  const id = childId(run.id, child)
  const task = child === PLANNER ? null : taskOf(pool, child)!
  // git and the disk take their time: what does not wait for each other is done at once.
  const [{ loop, project, directories }, prompt] = await together([
    task === null ? plannerSpec(outside, run, from) : workerSpec(outside, run, from, task),
    copied(outside, run, id, pool.prompt),
    task && openPlace(outside, run, id, await worktreeOf(run, task.id, from), { isUntouched: true }),
  ])
  return { kind: 'loop', spec: { ...pool.spec, project, directories, maxTimeMs: null, maxCostUsd }, prompt, loop }
}

/** Before the child exists, or goes on: where its worktree cannot be, it is a worker that could not start. */
async function openPlace(
  outside: ParentOutside,
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
  outside: ParentOutside,
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
async function plannerSpec(outside: ParentOutside, run: Run, from: string): Promise<ChildSpec> {
  const { spec, loop } = poolOf(run)
  const id = childId(run.id, PLANNER)
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
async function workerSpec(outside: ParentOutside, run: Run, from: string, task: PoolTask): Promise<ChildSpec> {
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

async function worktreePath(outside: ParentOutside, name: string): Promise<string> {
  const worktrees = join(outside.home, 'worktrees')
  await mkdir(worktrees, { recursive: true, mode: 0o700 })
  return join(await realpath(worktrees), name)
}

async function below(outside: ParentOutside, project: string): Promise<string> {
  const located = await outside.repository.locate(project)
  return located ? relative(located.root, await realpath(project)) : ''
}

function copied({ textsOf }: ParentOutside, run: Run, id: string, ref: string): Promise<string> {
  return copiedText(textsOf, run, id, ref)
}

/** The result as it is now, into the worker's branch and files: marks of conflicts are for the worker to resolve. */
async function takeIn(outside: ParentOutside, child: Run, from: string): Promise<void> {
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
async function leftBy(outside: ParentOutside, run: Run, child: Run): Promise<string | null> {
  const { loop, isOpen, iterations } = loopOf(child)
  if (!loop.worktree || !isOpen) return null
  const last = iterations.at(-1)?.facts?.checkpoint
  if (last) return last.commit
  return outside.repository.tipOf({ directory: poolOf(run).spec.project, branch: loop.worktree.branch })
}

/** Lessons of a worker are its planner's too. */
async function flowBack(outside: ParentOutside, run: Run, child: Run): Promise<void> {
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

/** Of what waits in its pool, what it was told and did not only keep for a prompt that never came. */
async function heardBy(run: Run, child: Run): Promise<number[]> {
  const { waiting } = poolOf(run)
  if (waiting.length === 0) return []
  const { given, waiting: kept, session } = loopOf(child)
  const unsaid = new Set([...given, ...kept, ...(session ? unheard(session) : [])])
  const told = await toldTo(child)
  return waiting.flatMap(({ text, of }) => (told.has(of) && !unsaid.has(text) ? [of] : []))
}
