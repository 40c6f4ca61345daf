import type { KeptEnvironment, SessionSpec } from '../../contract/event.ts'
import type { TextRef } from '../../contract/ids.ts'
import type { LoopSpec } from '../../contract/loop.ts'
import type { Cause, RunStatus } from '../../contract/run.ts'
import type { TimeLimit } from '../time-limit.ts'

/** What pools and quests share: a run that starts other runs, merges what they did, and ends when all of it is in. */
export type ParentState<C extends Child = Child> = {
  id: string
  request: string
  status: RunStatus
  cause: Cause | null
  /** A person paused it. Only `resume` wakes it, whatever its children do. */
  isPaused: boolean
  createdAt: number
  endedAt: number | null
  /** What the sessions of its children are started with. Its project is the user's own. */
  spec: SessionSpec
  /** What it shares with every loop: its directory, its checks, its judge, how worktrees are made ready. */
  loop: LoopSpec
  /** What was asked for. */
  prompt: TextRef
  environment: KeptEnvironment
  timeLimit: TimeLimit | null
  children: C[]
  /** Tasks or steps that are done, in the order in which they will be merged. */
  queue: string[]
  /** The one that is being merged now. */
  merging: string | null
  merges: number
  base: { commit: string; tree: string } | null
  /** The newest commit of the result branch. */
  tip: string | null
  /** Checks that were red before it began. */
  baseRed: string[] | null
  /** A check was changed or taken away: green proves nothing any more. */
  isTampered: boolean
  /** What its judges have cost. Only a pool asks one. */
  judgesUsd: number
  /** What was paid before it was last resumed from an end: the cost limit counts from there. */
  paidBeforeUsd: number
  /** The newest messages of people. */
  waiting: Message[]
  /** Why the run ends as soon as it can. */
  wish: Wish | null
  proven: boolean | null
  /** How often it has waited for a person. */
  blocks: number
  notes: TextRef[]
  repairs: number
}

export type Wish = 'cancel' | 'reject' | 'cost' | 'time'

/** What a person said. `of`: the number of the event with which they said it. */
export type Message = { text: TextRef; of: number }

/** A run that a parent starts, and what that run last said of itself. */
export type Child = {
  /** The id of its run is `<parent>.<name>`. */
  name: string
  isLive: boolean
  /** Its run has been made, so it can be told something. */
  isMade: boolean
  status: RunStatus
  cause: Cause | null
  /** The iteration of a loop, the turn of a session. */
  iteration: number
  costUsd: number
}

// State must not grow with a run's age. All of it stays in the journal.
const NOTES_KEPT = 20

export function newChild(name: string): Child {
  return { name, isLive: false, isMade: false, status: 'active', cause: null, iteration: 0, costUsd: 0 }
}

export function childNamed<C extends Child>({ children }: ParentState<C>, name: string): C | undefined {
  return children.find(child => child.name === name)
}

export function withChild<S extends ParentState>(state: S, name: string, change: Partial<Child>): S {
  const children = state.children.map(child => (child.name === name ? { ...child, ...change } : child))
  return { ...state, children }
}

/** Returns the children that are there now. */
export function liveOf<C extends Child>({ children }: ParentState<C>): C[] {
  return children.filter(({ isLive }) => isLive)
}

export function costOf({ children, judgesUsd }: ParentState): number {
  const usd = children.reduce((sum, { costUsd }) => sum + costUsd, judgesUsd)
  return Math.round(usd * 1e6) / 1e6
}

export function withNotes<S extends ParentState>(state: S, more: (TextRef | null)[]): S {
  const fresh = more.filter(note => note !== null && !state.notes.includes(note)) as TextRef[]
  return fresh.length === 0 ? state : { ...state, notes: [...state.notes, ...fresh].slice(-NOTES_KEPT) }
}
