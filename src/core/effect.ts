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
  /** Runs the frozen checks on a checkpoint, in a clean worktree; iteration 0 is the base. */
  | { do: 'run-ward'; iteration: number; commit: string | null; tree: string | null }
  | { do: 'ask-judge'; iteration: number; commit: string | null; ward: TextRef | null }
  /** Makes the loop directory and the result branch of a pool. */
  | { do: 'open-pool' }
  /** Starts a child of a pool, or sends it on, and follows it to its end. `child`: `planner`, or a task. */
  | {
      do: 'run-child'
      child: string
      task: { id: string; text: TextRef } | null
      /** What its work begins with. */
      from: string
      /** What has to be taken into its branch before it goes on. */
      bring: string | null
      say: ChildNote | null
      maxCostUsd: number | null
    }
  /** `text`: what people said, for a quest's sessions. */
  | {
      do: 'tell-children'
      what: 'cancel' | 'pause' | 'reject' | 'resume' | 'tell'
      children: string[]
      text?: TextRef
    }
  /** What a person says to a pool is for those who work in it. `of`: the event with which it was said. */
  | { do: 'pass-on'; text: TextRef; of?: number; children: string[] }
  /** Takes in what tasks.md holds and nobody knows yet. */
  | { do: 'read-tasks' }
  /** Merges a worker's commit into the result, with the ward on what comes out. `accepted`: checks that may be red. */
  | { do: 'merge-task'; task: string; commit: string; tip: string; accepted: string[]; merge: number }
  /** Makes the result branch of a quest. */
  | { do: 'open-quest' }
  /** Starts a session of a role, or sends it on, and follows it to its end. */
  | {
      do: 'run-role'
      n: number
      step: string
      role: string
      resume: boolean
      say: { note: string; texts: TextRef[] }
      /** What people said that it has not heard. */
      messages?: TextRef[]
      /** What its work begins with when its branch is new, and what it sees when it may change nothing. */
      from: string
      /** What has to be taken into its branch before it goes on. */
      bring: string | null
      /** Turns of this role on this step before. */
      before: number
      maxCostUsd: number | null
    }
  /** Runs the frozen checks on what a step has become, or on the whole. Null: on the base. */
  | { do: 'ward-step'; step: string | null; commit: string }

/** What a child is told when it goes on: our own words, and a text by reference. */
export type ChildNote = { note: string; text: TextRef | null }

/** A prompt before its texts are read: the line that names it, our own words, and texts by reference. */
type PromptParts = { head: string; note: string | null; texts: TextRef[] }

export type KeyedEffect = { key: EffectKey; effect: Effect }
export type EffectOf<D extends Effect['do']> = Extract<Effect, { do: D }>
