import type { WardOutcome } from '../../contract/loop.ts'
import { conflictWords, inUseWords, marksLeftWords, oursWords } from '../../core/merge/merge-words.ts'
import { standing } from '../../core/ward/accepted.ts'
import type { OwnBranch } from '../../ports.ts'
import type { Run } from '../runtime/live-run.ts'
import { type WardOutside, wardOn } from '../ward/check-commit.ts'
import type { Workplaces } from '../worktrees/workplaces.ts'

type TaskMerge = {
  task: string
  /** What its worker left. */
  commit: string
  /** The project in the user's checkout. */
  project: string
  /** What the pool began with. */
  base: string
  /** False: the pool has no checks. */
  hasWard: boolean
  /** Checks that may be red. */
  accepted: readonly string[]
}

/** `tip`: where the result branch stands now. `report`: what the worker, or a person, has to know. */
type MergedTask = {
  result: 'merged' | 'nothing' | 'red' | 'conflict' | 'could-not-run'
  tip: string
  tree: string | null
  ward: WardOutcome | null
  report: string | null
}

export type MergeOutside = WardOutside & { workplaces: Workplaces; log(line: string): void }

// The result branch is ours, and one merge runs at a time: somebody else moves it by hand, and not for ever.
const MOST_ATTEMPTS = 5

/**
 * A worker's commit into the result branch: forecast, merge, ward on what comes out, and only then the branch moves. Done again after
 * any interruption it finds what was done: the commit that names the task, else the branch as it was.
 */
export async function mergeTask(
  outside: MergeOutside,
  run: Run,
  key: string,
  merge: TaskMerge,
  signal: AbortSignal,
): Promise<MergedTask> {
  const merged = await intoResult(outside, run, key, merge, signal)
  if (merged.result === 'merged' || merged.result === 'nothing') await giveBack(outside, run, merge)
  const report = merged.report === null ? null : await outside.textsOf(run.id).put(merged.report)
  return { ...merged, report: report ?? merged.ward?.report ?? null }
}

async function intoResult(
  outside: MergeOutside,
  run: Run,
  key: string,
  merge: TaskMerge,
  signal: AbortSignal,
): Promise<MergedTask> {
  const { repository } = outside
  const { task, project: directory } = merge
  const result: OwnBranch = { run: run.id, task: null }
  const subject = `Merge task ${task} of run ${run.id}`
  for (let attempt = 1; ; attempt++) {
    const made = await mergeOf(outside, merge, { run: run.id, task }, subject)
    if ('result' in made) return made
    const { onto, tree, commit } = made
    const warded = await wardMerged(outside, run, key, merge, { tip: onto, commit, tree }, signal)
    // Cut off after the branch had moved: the ward says again what it said then.
    if (warded.result !== 'merged' || commit === onto) return warded
    const moved = await repository.advance({ directory, branch: result, from: onto, to: commit })
    if (moved.moved) return { ...warded, tip: commit }
    if (moved.why === 'in-use') {
      const report = inUseWords(`rehoboam/${run.id}`, moved.at)
      return { ...NOTHING, result: 'could-not-run', tip: onto, report }
    }
    if (attempt >= MOST_ATTEMPTS) {
      return {
        ...NOTHING,
        result: 'could-not-run',
        tip: onto,
        report: `somebody moves rehoboam/${run.id} again and again`,
      }
    }
  }
}

const NOTHING = { tree: null, ward: null, report: null }

type Made = { onto: string; tree: string; commit: string }

/** The commit that merges the work, or why there is none. */
async function mergeOf(
  outside: MergeOutside,
  merge: TaskMerge,
  branch: OwnBranch,
  subject: string,
): Promise<Made | MergedTask> {
  const { base, commit: from, project: directory } = merge
  const merged = await outside.repository.mergeIntoResult({ directory, branch, base, from, subject })
  const { onto } = merged
  switch (merged.is) {
    case 'nothing':
      return { ...NOTHING, result: 'nothing', tip: onto }
    case 'merged':
      return { onto, commit: onto, tree: merged.tree }
    case 'conflict':
      return { ...NOTHING, result: 'conflict', tip: onto, report: conflictWords(merged.files, merged.said) }
    case 'made': {
      const objection = merged.isSuspicious ? await objectionTo(outside, merge, onto) : null
      return objection ? { ...NOTHING, ...objection, tip: onto } : merged
    }
  }
}

/** What must not come in although it would merge: marks of a conflict that its worker left, and files that are ours. */
async function objectionTo(
  { repository }: MergeOutside,
  { commit, project: directory }: TaskMerge,
  onto: string,
): Promise<Pick<MergedTask, 'result' | 'report'> | null> {
  const changed = await repository.changedFiles({ directory, from: onto, to: commit })
  const files = changed.filter(({ status }) => status !== 'D').map(({ path }) => path)
  const ours = changed
    .map(({ path }) => path)
    .filter(path => path.split('/').some(part => part.startsWith('.rehoboam')))
  if (ours.length > 0) return { result: 'red', report: oursWords(ours) }
  const marked = await repository.markedFiles({ directory, commit, files })
  // A file that shows such marks, in a text about git, had them before.
  const had = marked.length > 0 ? await repository.markedFiles({ directory, commit: onto, files: marked }) : []
  const left = marked.filter(path => !had.includes(path))
  return left.length > 0 ? { result: 'conflict', report: marksLeftWords(left) } : null
}

async function wardMerged(
  outside: MergeOutside,
  run: Run,
  key: string,
  { hasWard, project, base, accepted }: TaskMerge,
  { tip, commit, tree }: { tip: string; commit: string; tree: string },
  signal: AbortSignal,
): Promise<MergedTask> {
  if (!hasWard) return { result: 'merged', tip, tree, ward: null, report: null }
  const own = await outside.workplaces.wardEnvironment(run.id)
  const ward = await wardOn(outside, run, key, { project, commit, tree, base, own, learns: true }, signal)
  const stands = standing(ward, accepted)
  return { result: stands === 'green' ? 'merged' : stands, tip, tree, ward, report: null }
}

/** Nobody works there any more. What cannot be given back safely is there until "prune", which says why. */
async function giveBack({ workplaces, log }: MergeOutside, run: Run, { task, project }: TaskMerge): Promise<void> {
  const released = await workplaces.release({ run: run.id, task }, project).catch((error: Error) => ({
    removed: false as const,
    why: error.message,
  }))
  if (!released.removed) log(`run ${run.id}: the worktree of task ${task} stays: ${released.why}`)
}
