import type { ErrorCode } from '../../contract/error-codes.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { MergeAnswer, MergeRequest } from '../../contract/merge-api.ts'
import type { LoopRun } from '../../core/loop/loop-state.ts'
import { listed } from '../../core/merge/merge-words.ts'
import { oneLine } from '../../core/plain-text.ts'
import type { PoolRun } from '../../core/pool/pool-state.ts'
import type { QuestRun } from '../../core/quest/quest-state.ts'
import { standing } from '../../core/ward/accepted.ts'
import type { RepositoryState } from '../../ports.ts'
import type { Run } from '../runtime/live-run.ts'
import { wardOn } from '../ward/check-commit.ts'
import type { MergeOutside } from './merge-task.ts'

/** A run whose result is on a branch of ours. */
type Branched = (LoopRun | PoolRun | QuestRun) & { base: NonNullable<LoopRun['base']> }
type Merging = { run: Run; state: Branched; project: string; request: MergeRequest; key: string; signal: AbortSignal }

/**
 * The result of a run into the branch that its user has checked out: when the forecast is clean, nothing of theirs is in the way,
 * and, where their branch has moved, the checks are green on what would come out. Else nothing happens, and it is said why.
 */
export async function mergeRun(outside: MergeOutside, merging: Merging): Promise<MergeAnswer> {
  const { run, project: directory, request } = merging
  const { repository } = outside
  const { head, branch } = await usersPlace(outside, merging)
  const tip = await repository.tipOf({ directory, branch: { run: run.id, task: null } })
  if (!tip)
    throw refused(
      'merge-nothing',
      `the branch rehoboam/${run.id} is gone; rehoboam restore ${run.id} <iteration> takes a checkpoint out`,
    )
  if (tip === merging.state.base.commit) return { state: 'nothing', branch, commit: head }
  const before = await broughtIn(outside, merging, head, tip)
  if (before) return { state: 'already', branch, commit: before }
  const tree = await cleanForecast(outside, merging, head, tip)
  const hasMoved = !(await repository.isAncestor({ directory, commit: head, of: tip }))
  const forecast = await repository.mergeCommit({
    ...{ directory, branch: { run: run.id, task: null }, onto: head, from: tip, tree, subject: 'Rehoboam: a forecast' },
  })
  const files = await repository.changedFiles({ directory, from: head, to: forecast })
  await nothingInTheWay(outside, merging, head, forecast)
  const ward = hasMoved && request.ward ? await wardForecast(outside, merging, forecast, tree) : null
  const message = await messageFor(outside, merging, tip)
  const taken = await repository.takeIn({ directory, onto: head, from: tip, tree, squash: request.squash, message })
  if (!taken.taken)
    throw refused('merge-refused', `git did not go on: ${taken.why}; rehoboam merge ${run.id} tries again`)
  return { state: 'merged', branch, commit: taken.commit, files: files.length, ward }
}

/** The run, as one that has something to merge. */
export function branchedRun(run: Run): { state: Branched; project: string } {
  const { state } = run.record
  if (state.kind === 'session')
    throw refused('usage', `run ${run.id} is a session: it has no branch of its own, and nothing to merge`)
  if (state.kind === 'loop' && !state.loop.worktree) {
    throw refused(
      'usage',
      `run ${run.id} works in place: what it did is in your files already; rehoboam diff ${run.id} shows it`,
    )
  }
  if (state.kind === 'loop' && state.loop.worktree?.branch.task) {
    const pool = state.loop.worktree.branch.run
    throw refused('usage', `run ${run.id} is a worker; rehoboam merge ${pool} brings in the result of its pool`)
  }
  if (state.status === 'active') {
    throw refused('run-active', `run ${run.id} still works; rehoboam pause ${run.id} stops it, or wait for its end`)
  }
  if (!state.base) throw refused('usage', `run ${run.id} has not begun to work: there is nothing to merge`)
  const project = (state.kind === 'loop' ? state.loop.worktree?.project : null) ?? state.spec.project
  return { state: { ...state, base: state.base }, project }
}

async function usersPlace(outside: MergeOutside, { run, project }: Merging): Promise<{ head: string; branch: string }> {
  const found: RepositoryState | null = await outside.repository.repositoryAt(project).catch(() => null)
  if (!found) throw refused('git-none', `${project} is in no git repository any more`)
  const { inProgress, head, branch } = found
  if (inProgress) {
    throw refused(
      'git-busy',
      `your checkout is in the middle of a ${inProgress}; git ${inProgress} --continue or --abort, then rehoboam merge ${run.id}`,
    )
  }
  if (branch === null)
    throw refused(
      'merge-detached',
      `no branch is checked out in ${project}; git switch <branch>, then rehoboam merge ${run.id}`,
    )
  if (branch === `rehoboam/${run.id}`)
    throw refused('usage', `you have rehoboam/${run.id} itself checked out; git switch <your branch> first`)
  if (head === null) {
    throw refused(
      'merge-unborn',
      `your branch ${branch} has no commit yet; git add --all && git commit, then rehoboam merge ${run.id}`,
    )
  }
  return { head, branch }
}

/** The commit of the user's that has it already. */
async function broughtIn(
  outside: MergeOutside,
  { run, project: directory }: Merging,
  head: string,
  tip: string,
): Promise<string | null> {
  if (await outside.repository.isAncestor({ directory, commit: tip, of: head })) return head
  return outside.repository.squashedAs({ directory, run: run.id, tip })
}

async function cleanForecast(
  { repository }: MergeOutside,
  { run, state, project: directory }: Merging,
  head: string,
  tip: string,
) {
  // A run that began before the first commit: the user's own first commit has the same files, and another history.
  const isRelated = await repository.isRelated({ directory, commits: [head, tip] })
  const base = isRelated ? {} : { base: state.base.commit }
  const { clean, tree, files } = await repository.forecast({ directory, onto: head, from: tip, ...base })
  if (clean) return tree
  const sentence = [
    'the result and your branch are in conflict in',
    ...listed(files),
    `git merge rehoboam/${run.id} lets you resolve it by hand`,
  ]
  throw refused('merge-conflict', sentence.join('\n'), { files })
}

async function nothingInTheWay(
  { repository }: MergeOutside,
  { run, project: directory }: Merging,
  from: string,
  to: string,
) {
  const files = await repository.inTheWay({ directory, from, to })
  if (files.length === 0) return
  const sentence = [
    'these files are not committed, and the result changes them:',
    ...listed(files),
    `git stash --include-untracked or git commit, then rehoboam merge ${run.id}`,
  ]
  throw refused('merge-dirty', sentence.join('\n'), { files })
}

/** The checks were green on the result; together with what came into the user's branch meanwhile, nobody knows yet. */
async function wardForecast(
  outside: MergeOutside,
  { run, state, project, request, key, signal }: Merging,
  commit: string,
  tree: string,
) {
  if (!state.loop.ward) return null
  const own = await outside.workplaces.wardEnvironment(run.id)
  const on = { project, commit, tree, base: null, own, environment: request.environment }
  const outcome = await wardOn(outside, run, key, on, signal)
  const stands = standing(outcome, state.baseRed ?? [])
  if (stands === 'green') return outcome.result === 'green' ? 'green' : 'old-reds'
  const report = outcome.report ? await outside.textsOf(run.id).get(outcome.report) : ''
  const what = stands === 'red' ? 'the checks are red on' : 'the checks could not be run on'
  throw refused(
    stands === 'red' ? 'merge-red' : 'ward-could-not-run',
    `your branch has moved since the run began, and ${what} what would come out; nothing was changed. git merge rehoboam/${run.id} merges by hand, --no-ward goes without the checks\n${report}`,
  )
}

async function messageFor(outside: MergeOutside, { run, state, request }: Merging, tip: string): Promise<string> {
  const anchor = await outside
    .textsOf(run.id)
    .get(state.prompt)
    .catch(() => '')
  const title = oneLine(anchor.split('\n').find(line => line.trim()) ?? '', 60).replace(/^#+ */, '')
  const lines = [`Rehoboam-Run: ${run.id}`, ...(request.squash ? [`Rehoboam-Squashed: ${tip}`] : [])]
  return `${request.squash ? '' : `Merge rehoboam/${run.id}: `}${title || `the result of run ${run.id}`}\n\n${lines.join('\n')}\n`
}

function refused(code: ErrorCode, sentence: string, data: Record<string, unknown> = {}): RehoboamError {
  return new RehoboamError(code, sentence, data)
}
