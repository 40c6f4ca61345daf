import type { Exit, RunEvent, SessionSpec, Stamped } from './contract/event.ts'
import type { TextRef } from './contract/ids.ts'

/** What the outside must be able to do. */

export interface Clock {
  now(): number
  /** Calls back once, at this time or as soon after it as the machine is awake. Returns how to forget it. */
  at(ms: number, fire: () => void): () => void
}

/** Files that must survive a power cut: nothing returns before it is on the disk. */
export interface Disk {
  openAppend(path: string): Promise<AppendFile>
  read(path: string): Promise<Uint8Array | null>
  /** The whole file at once: others see the old content or the new, never a part. */
  replace(path: string, content: string | Uint8Array): Promise<void>
  makeDirectory(path: string): Promise<void>
}

export interface AppendFile {
  readonly size: number
  append(content: string): Promise<void>
  truncate(size: number): Promise<void>
  close(): Promise<void>
}

export interface Journal {
  readonly seq: number
  /** All or none. `expectedSeq` is the number of the last event that the caller knows of. */
  append(events: Stamped[], expectedSeq: number): Promise<void>
  read(after: number): Promise<Stamped[]>
  saveSnapshot(snapshot: unknown): Promise<void>
  close(): Promise<void>
}

/** A journal as it was found: what can be used, and what had to be set aside. */
export interface OpenedJournal {
  journal: Journal
  snapshot: { seq: number; value: unknown } | null
  events: Stamped[]
  repaired: Extract<RunEvent, { type: 'journal-repaired' }> | null
}

export interface Texts {
  put(text: string): Promise<TextRef>
  get(ref: TextRef): Promise<string>
}

/** Where one turn of a session keeps its files. */
export type TurnPlace = { directory: string; session: string }

export type Standing = { is: 'absent' } | { is: 'alive'; pid: number } | { is: 'ended'; pid: number; exit: Exit }

export type SessionStart = {
  place: TurnPlace
  spec: SessionSpec
  /** The remaining cost limit of the run. */
  maxCostUsd: number | null
  environment: Record<string, string>
  prompt: string
  resume: boolean
  /** Where its hooks report to: our port, and our program quoted for a shell. Null: it has none, nor anybody else's. */
  hooks: { port: number | null; command: string } | null
  /** The port where the tools of a quest's session are; null: it is not one. */
  toolsPort: number | null
}

/** One way to run a session of one client. Another client is one more of these. */
export interface Driver {
  look(place: TurnPlace): Promise<Standing>
  /** A process that has this session open and is not of this turn: somebody's own. */
  openElsewhere(place: TurnPlace): Promise<number | null>
  /** Makes sure that a turn which has not started never will; false when it has started. */
  abandon(place: TurnPlace): Promise<boolean>
  /** Where the client keeps its own files for whoever has this environment. */
  configDirectory(environment: Record<string, string>): string
  /** True when the client can resume this session. `start` starts any other session from the beginning. */
  canResume(session: string, environment: Record<string, string>): Promise<boolean>
  /** What the client noted of the cost of the whole session; null: nothing yet. */
  notedUsd(session: string, environment: Record<string, string>): Promise<number | null>
  clientProgram(name: string, environment: Record<string, string>): Promise<string | null>
  /** Starts it unless this turn was started already: two calls at once make one process. */
  start(start: SessionStart): Promise<void>
  /** Every line of output after `from`, until the session has ended; resolves with its end. */
  follow(place: TurnPlace, follow: Follow): Promise<{ exit: Exit; outputBytes: number }>
  /** Where a person can look at it: `<tmux socket name>:%N`. */
  paneOf?(place: TurnPlace): Promise<string | null>
  /** Nobody needs its pane any more. */
  closePane?(place: TurnPlace): Promise<void>
  /** The same for runs that have ended: whoever died right then left their panes. */
  tidyPanes?(runs: string[]): Promise<void>
  /** Types into it as its user would. */
  type?(place: TurnPlace, text: string): Promise<void>
  /** TERM, grace, KILL to everything that belongs to it; resolves when nothing of it is left. */
  end(place: TurnPlace, graceMs: number): Promise<void>
}

export type Follow = {
  from: number
  lineLimitBytes: number
  onStarted(pid: number): void
  onLine(line: string | null, offset: number): void | Promise<void>
  signal: AbortSignal
}

export type RepositoryState = {
  root: string
  /** This working tree's own; a linked worktree has another one than `commonDir`. */
  gitDir: string
  commonDir: string
  /** null before the first commit. */
  head: string | null
  /** null when HEAD is detached. */
  branch: string | null
  inProgress: null | 'rebase' | 'merge' | 'cherry-pick' | 'revert' | 'bisect' | 'am'
  /** Uncommitted, from the root; the first thousand. */
  dirty: string[]
  hasSubmodules: boolean
}

export type Located = Pick<RepositoryState, 'root' | 'gitDir' | 'commonDir' | 'inProgress'>

/** `parent`: the checkpoint before; null for the first, which then follows HEAD, or nothing at all. */
export type CheckpointRequest = {
  directory: string
  run: string
  iteration: number
  parent: string | null
  subject: string
}
export type LeftOut = { path: string; bytes: number; why: 'large' | 'repository' | 'unreadable' }
export type Checkpoint = { commit: string; tree: string; leftOut: LeftOut[] }
export type CheckpointRef = { iteration: number; ref: string; commit: string }

/** `keep`: names, or paths from the root, that survive when it is used again, such as `node_modules`. */
export type CleanWorktreeRequest = { repository: string; commit: string; path: string; keep?: string[] }
/** A path of a worktree may be relative to the directory. */
export type RestoreRequest = { directory: string; commit: string; into: { branch: string } | { worktree: string } }
/** `from`: null compares with nothing at all. */
export type CompareRequest = { directory: string; from: string | null; to: string }
/** `paths` are from the root. */
export type DiffRequest = CompareRequest & { stat: boolean; paths?: string[] }
/** As git says it: added, changed, deleted, another kind of file; renamed and copied ones have what they were. */
export type Change = { status: 'A' | 'M' | 'D' | 'T'; path: string } | { status: 'R' | 'C'; path: string; was: string }

/** A branch of ours: `rehoboam/<run>`, the result of a run, or `rehoboam-work/<run>/<task>`, one worker's. */
export type OwnBranch = { run: string; task: string | null }
/** A worktree of ours on a branch of ours. `repository` is any directory of the user's checkout. */
export type WorkRequest = { repository: string; path: string; branch: OwnBranch }
/** `iteration`: it is kept as that checkpoint of the run, or of its child `<run>.<task>`, too. */
export type CommitLeftRequest = WorkRequest & { iteration: number; subject: string }
/** `tree`: it was made now, with its first checkpoint, and holds this and nothing else. Null: somebody may have worked there. */
export type WorkWorktree = { path: string; tip: string; tree: string | null }
export type ForecastRequest = {
  directory: string
  onto: string
  from: string
  /** What both come from, where git cannot see it: a history of which one has the beginning only as files. */
  base?: string
}
/** `tree` holds the marks of the conflicts where there are some; `files` are what is in conflict, `said` git's own words. */
export type Forecast = { clean: boolean; tree: string; files: string[]; said: string }
export type MergeRequest = {
  directory: string
  branch: OwnBranch
  /** The commit of the branch that the tree was forecast on: with another one nothing is advanced. */
  onto: string
  from: string
  tree: string
  subject: string
}
/** `base`: where the result branch begins again after it was deleted. */
export type ResultMergeRequest = {
  directory: string
  branch: OwnBranch
  base: string
  from: string
  subject: string
}
/**
 * `onto`: where the result branch stands. `merged`: it has the commit, by a merge of this task. `nothing`: it has the commit, and
 * no merge of this task. `isSuspicious`: the commit has files of ours, or lines that look like marks of a conflict.
 */
export type ResultMerge =
  | { is: 'merged' | 'nothing'; onto: string; tree: string }
  | { is: 'made'; onto: string; tree: string; commit: string; isSuspicious: boolean }
  | { is: 'conflict'; onto: string; files: string[]; said: string }
export type Released = { removed: true } | { removed: false; why: string }

/** Branches and worktrees of ours. All of it may be done again: what was done is found, what was cut off is finished. */
interface Branches {
  /** Its tip; made from `base` when it is not there. null: HEAD, and before the first commit what is in the working tree. */
  openBranch(request: { directory: string; branch: OwnBranch; base: string | null }): Promise<{ commit: string }>
  tipOf(request: { directory: string; branch: OwnBranch }): Promise<string | null>
  /** With its branch, as openBranch makes it. One that is there stays as it is, with what was not committed; what an agent broke of it is mended.
   *  `isUntouched`: nobody has worked there yet, so it is brought to `base`, whatever its setup wrote. */
  workWorktree(request: WorkRequest & { base: string | null; isUntouched?: boolean }): Promise<WorkWorktree>
  /** What is left in it as a commit on its branch; none is made when nothing is. */
  commitLeft(request: CommitLeftRequest): Promise<Checkpoint>
  /** Files of it as a commit has them; those that it does not have are gone. */
  putBack(request: WorkRequest & { commit: string; paths: string[] }): Promise<void>
  /** Takes another commit into the branch and its files, marks of conflicts included. Only when nothing is uncommitted. */
  bringIn(request: WorkRequest & { from: string; subject: string }): Promise<Forecast & { commit: string }>
  forecast(request: ForecastRequest): Promise<Forecast>
  /** Files of a commit, of these, that still hold the marks of a conflict. */
  markedFiles(request: { directory: string; commit: string; files: string[] }): Promise<string[]>
  /** Merges a worker's commit into the result branch, as a commit on no branch yet. `advance` moves the branch to it. */
  mergeIntoResult(request: ResultMergeRequest): Promise<ResultMerge>
  /** A commit with two parents, on no branch yet. */
  mergeCommit(request: MergeRequest): Promise<string>
  /** Moves the branch from one commit to the next: false when it stands elsewhere, or somebody has it checked out. */
  advance(request: { directory: string; branch: OwnBranch; from: string; to: string }): Promise<Advanced>
  /** They have a common beginning. */
  isRelated(request: { directory: string; commits: [string, string] }): Promise<boolean>
  treeAt(request: { directory: string; commit: string }): Promise<string>
  isAncestor(request: { directory: string; commit: string; of: string }): Promise<boolean>
  /** Removes the worktree, and a worker's branch: not before all its commits are on the result branch or on refs of ours. */
  release(request: WorkRequest): Promise<Released>
}
export type Advanced =
  | { moved: true }
  | { moved: false; why: 'elsewhere' }
  | { moved: false; why: 'in-use'; at: string }

/** Two commits, of which the user is at the first. */
export type UsersStanding = { directory: string; from: string; to: string }
export type TakeRequest = {
  directory: string
  onto: string
  from: string
  tree: string
  squash: boolean
  message: string
}
export type Taken = { taken: true; commit: string } | { taken: false; why: string }

/** The one place where something of the user's changes, because they typed that it shall. */
interface UsersBranch {
  /** Uncommitted files of theirs that would be overwritten. */
  inTheWay(request: UsersStanding): Promise<string[]>
  /** Their branch, index and files go on; all of it, or nothing when anything of theirs is in the way. */
  takeIn(request: TakeRequest): Promise<Taken>
  squashedAs(request: { directory: string; run: string; tip: string }): Promise<string | null>
}

/** The user's repository. But for UsersBranch nothing here touches their branch, index, stash or working tree. */
export interface Repository extends Branches, UsersBranch {
  repositoryAt(directory: string): Promise<RepositoryState | null>
  /** Of the same what is known without a look at every file. */
  locate(directory: string): Promise<Located | null>
  /** The whole repository that the directory is in, on `refs/rehoboam/<run>/<iteration>`: two calls make one. */
  checkpoint(request: CheckpointRequest): Promise<Checkpoint>
  /** Lets git overlook these entries of the directory, on this machine only. Never in a .gitignore. */
  exclude(directory: string, entries: string[]): Promise<void>
  /** Exactly this commit, in a worktree of ours at this path. `path` in the answer is the real one. */
  cleanWorktree(request: CleanWorktreeRequest): Promise<{ path: string; reused: boolean }>
  /** False when none of ours is there. Nobody else's is ever removed. */
  removeWorktree(request: { repository: string; path: string }): Promise<boolean>
  /** Beside the user's work, never over it: what is there already is refused. */
  restore(request: RestoreRequest): Promise<void>
  /** At most 2 MB; `cut` says that there was more. The text is what agents wrote: strip it before it is shown. */
  diff(request: DiffRequest): Promise<{ text: string; cut: boolean }>
  changedFiles(request: CompareRequest): Promise<Change[]>
  refsOf(request: { directory: string; run: string }): Promise<CheckpointRef[]>
  /** Also of its children, a pool's workers: how many refs keep something of it. */
  countRefs(request: { directory: string; run: string }): Promise<number>
  diskUseOf(request: { directory: string; run: string }): Promise<number>
  dropRefs(request: { directory: string; run: string }): Promise<number>
  /**
   * Waits until the git processes of a killed daemon have ended, and removes what they left half made: copies of an index, and
   * worktrees and locks on refs in the repositories of these runs.
   */
  dropLeftovers(works: { run: string; directory: string }[]): Promise<void>
}
