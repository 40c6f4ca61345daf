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
  hasTranscript(session: string, environment: Record<string, string>): Promise<boolean>
  clientProgram(name: string, environment: Record<string, string>): Promise<string | null>
  /** Starts it unless this turn was started already: two calls at once make one process. */
  start(start: SessionStart): Promise<void>
  /** Every line of output after `from`, until the session has ended; resolves with its end. */
  follow(place: TurnPlace, follow: Follow): Promise<{ exit: Exit; outputBytes: number }>
  /** Where a person can look at it: `<tmux socket name>:%N`. */
  paneOf?(place: TurnPlace): Promise<string | null>
  /** Nobody needs its pane any more. */
  closePane?(place: TurnPlace): Promise<void>
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

export type Located = Pick<RepositoryState, 'root' | 'gitDir' | 'commonDir' | 'head' | 'inProgress'>

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

/** The user's repository. Nothing here touches their branch, index, stash or working tree. */
export interface Repository {
  repositoryAt(directory: string): Promise<RepositoryState | null>
  /** Of the same what is known without a look at every file. */
  locate(directory: string): Promise<Located | null>
  /** The whole repository that the directory is in, on `refs/rehoboam/<run>/<iteration>`: two calls make one. */
  checkpoint(request: CheckpointRequest): Promise<Checkpoint>
  /** What a checkpoint's tree would be now, without the commit. */
  treeOf(directory: string): Promise<{ tree: string; leftOut: LeftOut[] }>
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
  diskUseOf(request: { directory: string; run: string }): Promise<number>
  dropRefs(request: { directory: string; run: string }): Promise<number>
}
