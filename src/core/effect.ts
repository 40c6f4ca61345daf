import type { SessionSpec, TimerName } from '../contract/event.ts'
import type { EffectKey, TextRef } from '../contract/ids.ts'

/** Deeds as data. Core asks for them, adapters do them, and the outcome comes back as an event with the same key. */
export type Effect =
  | {
      do: 'run-session'
      turn: number
      spec: SessionSpec
      /** What to say when the client has no transcript of this session yet. */
      fresh: PromptParts
      /** What to say when it has: the session goes on with its history. */
      resumed: PromptParts
    }
  | { do: 'end-session'; turn: number; session: string; endGraceMs: number }
  /** Typed into the pane of a turn, as its user would. */
  | { do: 'type-text'; turn: number; session: string; text: TextRef }
  | { do: 'set-timer'; name: TimerName; atMs: number }
  /** Makes the loop directory, archives what an ended run left there, and checkpoints the base. */
  | { do: 'open-loop' }
  /** Restores what is ours, and writes the prompt of an iteration from what the files say now. */
  | {
      do: 'prepare-iteration'
      iteration: number
      /** What people said since, and what the ward found: by reference. */
      messages: TextRef[]
      failures: TextRef | null
      note: string | null
      /** The run had ended: another one may have used its directory since. */
      reopen: boolean
    }
  /** Checkpoints the tree and reads what the iteration left: message, progress, claims. */
  | {
      do: 'close-iteration'
      iteration: number
      session: string
      firstTurn: number
      lastTurn: number
      error: string | null
    }
  /**
   * Runs the frozen checks on a commit, in a clean worktree. `iteration`: of a loop; 0 is the base. `step`: of a quest, what they
   * are run for.
   */
  | { do: 'run-ward'; iteration: number; step?: string; commit: string | null; tree: string | null }
  | { do: 'ask-judge'; iteration: number; commit: string | null; ward: TextRef | null }
  /** Makes the result branch of a pool or a quest. */
  | { do: 'open-branch' }
  /** Starts a child, or sends it on, and follows it to its end. `child`: `planner`, a task, or the session of a quest. */
  | {
      do: 'run-child'
      child: string
      /** What its work begins with, and what it sees when it may change nothing. */
      from: string
      /** What has to be taken into its branch before it goes on. */
      bring: string | null
      say: ChildNote | null
      /** What people said that a session has not heard. */
      messages: TextRef[]
      maxCostUsd: number | null
    }
  /** `text`: what a person said. `of`: the number of the event with which they said it. */
  | {
      do: 'tell-children'
      what: 'cancel' | 'pause' | 'reject' | 'resume' | 'tell'
      children: string[]
      text?: TextRef
      of?: number
    }
  /** Takes in what tasks.md holds and nobody knows yet. */
  | { do: 'read-tasks' }
  /** Merges a child's commit into the result, with the ward on what comes out. `accepted`: checks that may be red. */
  | { do: 'merge-task'; task: string; commit: string; tip: string; accepted: string[]; merge: number }

/** What a child is told when it begins or goes on: our own words, and texts by reference. */
export type ChildNote = { note: string; texts: TextRef[] }

/** A prompt before its texts are read: the line that names it, our own words, and texts by reference. */
type PromptParts = { head: string; note: string | null; texts: TextRef[] }

export type KeyedEffect = { key: EffectKey; effect: Effect }
export type EffectOf<D extends Effect['do']> = Extract<Effect, { do: D }>
