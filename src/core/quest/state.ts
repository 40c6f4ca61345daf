import type { KeptEnvironment, SessionSpec } from '../../contract/event.ts'
import type { StepId, TextRef } from '../../contract/ids.ts'
import type { QuestionKind } from '../../contract/inbox.ts'
import type { LoopSpec, WardOutcome } from '../../contract/loop.ts'
import type { NewStep, QuestSpec, RoleSpec, StepPhase, StepState } from '../../contract/quest.ts'
import { FOLLOW_UP_ROLES, QUEST_ROLES, type SignalKind } from '../../contract/quest-tools.ts'
import type { Cause, RunStatus } from '../../contract/run.ts'
import type { TimeLimit } from '../time-limit.ts'
import { BUILDERS } from './flow.ts'

/** A run of kind quest: requirements, steps with dependencies in slots, roles that signal, one merge at a time, review. */
export type QuestRun = {
  kind: 'quest'
  id: string
  request: string
  status: RunStatus
  cause: Cause | null
  /** By its user, and not because its sessions are: nothing but `resume` wakes it. */
  isPaused: boolean
  createdAt: number
  endedAt: number | null
  /** What its sessions are started with, but for their ids and places. */
  spec: SessionSpec
  /** Of what every loop has: its directory for people, its checks, how worktrees are made ready. */
  loop: LoopSpec
  quest: QuestSpec
  /** What was asked for. */
  prompt: TextRef
  environment: KeptEnvironment
  timeLimit: TimeLimit | null
  phase: QuestPhase
  /** All requirements as one JSON text, and their ids. */
  requirements: { text: TextRef; ids: StepId[] } | null
  steps: Work[]
  /** requirements, plan, review. */
  errands: Work[]
  sessions: QuestSession[]
  /** Work that is done, in the order in which it will be merged. */
  queue: StepId[]
  merging: StepId | null
  merges: number
  wards: WardRecord[]
  base: { commit: string; tree: string } | null
  /** Where the result branch stands. */
  tip: string | null
  baseRed: string[] | null
  /** The last ward on the whole. */
  lastWard: WardOutcome | null
  isTampered: boolean
  /** Steps that wait for a new plan; the first is what the plan is about. */
  resplits: StepId[]
  /** The account is at a limit, or the model answers with errors: nothing starts before. */
  limit: { untilMs: number | null; waits: number; isError: boolean }
  /** Questions that were asked so far: each has its number. */
  asked: number
  answers: Answered[]
  paidBeforeUsd: number
  /** What people said, the newest. */
  waiting: TextRef[]
  /** How many messages there have been. */
  told: number
  wish: 'cancel' | 'reject' | 'cost' | 'time' | null
  proven: boolean | null
  notes: TextRef[]
  repairs: number
}

export type QuestPhase = 'opening' | 'basing' | 'requirements' | 'planning' | 'approval' | 'working' | 'reviewing'

/** A step, or an errand: everything that sessions of roles work on, one after the other. */
export type Work = NewStep & {
  state: StepState
  phase: StepPhase
  /** Steps behind it, along the longest chain: what is long is begun first. */
  rank: number
  /** The session that works now or worked last, by number. */
  session: number | null
  /** What it waits for a slot with. */
  next: Next | null
  /** Roles that asked for a follow-up, the first caller first. */
  chain: Caller[]
  question: Question | null
  attempts: number
  /** Partially complete in a row. */
  parts: number
  /** Red wards in a row. */
  reds: number
  conflicts: number
  /** Rounds of findings, of the review. */
  rounds: number
  /** How often each pair of roles has handed it to each other. */
  bounces: Record<string, number>
  /** A fresh session was tried after one that was cut off again and again. */
  isFresh: boolean
  /** The plan was made anew because of it. */
  isResplit: boolean
  /** The checks sent it to be mended, and wait for that. */
  isMending: boolean
  /** What the last session of it said of its work. */
  outcome: TextRef | null
  /** The Siegemaster has nothing against it any more. */
  isSieged: boolean
  /** The newest commit of its branch. */
  commit: string | null
  /** The result has to be taken into its branch before anybody goes on. */
  bring: boolean
}

/** Who starts next. With a session it is resumed, else a fresh one begins. */
export type Next = { role: string; session: number | null; say: Say }

/** Our own words, and texts by reference. */
export type Say = { note: string; texts: TextRef[] }

/** `phase`, `isMending`: where it stood when it asked. */
export type Caller = { role: string; session: number; resume: boolean; phase: StepPhase; isMending: boolean }

/** What waits for a person, and what an answer leads to. */
export type Question = {
  n: number
  kind: QuestionKind
  note: string
  text: TextRef | null
  askedAt: number
  leads: { do: 'start'; next: Next } | { do: 'ward' } | { do: 'merge' } | { do: 'prove' } | { do: 'approve' }
}
export type Answered = {
  n: number
  step: StepId
  kind: QuestionKind
  text: TextRef | null
  note: string
  askedAt: number
  answeredAt: number
  answer: TextRef
}

export type QuestSession = {
  n: number
  /** The client's own id, once it is known. */
  id: string | null
  role: string
  step: StepId
  startedAt: number
  endedAt: number | null
  costUsd: number
  turns: number
  isLive: boolean
  /** The slot that it holds, from 1. Null: its process has ended, and only what it left is being put on its branch. */
  slot: number | null
  /** What its run says of itself while it lives. */
  status: RunStatus
  cause: Cause | null
  signal: Signal | null
  /** How many of the messages of people it has heard. */
  heard: number
}

/** `text`: all that was said with it, as JSON. */
export type Signal = { signal: SignalKind; text: TextRef; target: string | null; resume: boolean }

export type WardRecord = {
  step: StepId | null
  on: 'base' | 'step' | 'merge' | 'whole'
  at: number
  outcome: WardOutcome
}

// State must not grow with a run's age; all of it stays in the journal.
const NOTES_KEPT = 20
const WARDS_KEPT = 200
const ANSWERS_KEPT = 200

export const OVER: ReadonlySet<StepState> = new Set(['complete', 'skipped', 'dropped'])

export function newWork(step: NewStep, phase: StepPhase): Work {
  return {
    ...step,
    state: 'pending',
    phase,
    rank: 0,
    session: null,
    next: null,
    chain: [],
    question: null,
    attempts: 0,
    parts: 0,
    reds: 0,
    conflicts: 0,
    rounds: 0,
    bounces: {},
    isFresh: false,
    isResplit: false,
    isMending: false,
    outcome: null,
    isSieged: false,
    commit: null,
    bring: false,
  }
}

export function workOf(state: QuestRun, id: StepId): Work | undefined {
  return state.errands.find(work => work.id === id) ?? state.steps.find(work => work.id === id)
}

export function withWork(state: QuestRun, id: StepId, change: Partial<Work>): QuestRun {
  const changed = (works: Work[]) => works.map(work => (work.id === id ? { ...work, ...change } : work))
  if (state.errands.some(work => work.id === id)) return { ...state, errands: changed(state.errands) }
  return { ...state, steps: changed(state.steps) }
}

/** Everything that somebody works on. */
export function allWork(state: QuestRun): Work[] {
  return [...state.errands, ...state.steps]
}

export function sessionNumbered(state: QuestRun, n: number): QuestSession | undefined {
  // Their numbers are their places.
  return state.sessions[n - 1]
}

export function withSession(state: QuestRun, n: number, change: Partial<QuestSession>): QuestRun {
  const sessions = [...state.sessions]
  sessions[n - 1] = { ...sessions[n - 1]!, ...change }
  return { ...state, sessions }
}

export function roleNamed(state: QuestRun, name: string): RoleSpec | undefined {
  return state.quest.roles.find(role => role.name === name)
}

/** It leaves code behind: after it the checks have something to say. Of roles that a project adds, those that may. */
export function builds(state: QuestRun, name: string): boolean {
  return BUILDERS.has(name) || (isAdded(name) && roleNamed(state, name)?.changes === 'everything')
}

/** By the project: only a follow-up reaches it. */
export function isAdded(name: string): boolean {
  return !(QUEST_ROLES as readonly string[]).includes(name)
}

/** Whom a session may ask for a follow-up. */
export function followUpRoles({ quest }: QuestRun, role: string): string[] {
  const named = quest.roles.map(({ name }) => name).filter(name => name !== role)
  return [...FOLLOW_UP_ROLES.filter(name => named.includes(name)), ...named.filter(isAdded)]
}

/** The name of the run under which a session is. */
export function childName(n: number): string {
  return `s${n}`
}

export function questCost({ sessions }: QuestRun): number {
  return Math.round(sessions.reduce((sum, { costUsd }) => sum + costUsd, 0) * 1e6) / 1e6
}

export function noted(state: QuestRun, more: (TextRef | null)[]): QuestRun {
  const fresh = more.filter(note => note !== null && !state.notes.includes(note)) as TextRef[]
  return fresh.length === 0 ? state : { ...state, notes: [...state.notes, ...fresh].slice(-NOTES_KEPT) }
}

export function warded(state: QuestRun, record: WardRecord): QuestRun {
  return { ...state, wards: [...state.wards, record].slice(-WARDS_KEPT) }
}

export function withAnswer(state: QuestRun, answered: Answered): QuestRun {
  return { ...state, answers: [...state.answers, answered].slice(-ANSWERS_KEPT) }
}

/** Messages that came after so many. */
export function messagesAfter(state: QuestRun, heard: number): TextRef[] {
  const { waiting } = state
  return waiting.slice(Math.max(0, waiting.length - (state.told - heard)))
}

/** It is more than wanted: whoever speaks to it is heard. */
export function isThere({ isLive, id }: QuestSession): boolean {
  return isLive && id !== null
}

/** Sessions that are there now. */
export function liveOf({ sessions }: QuestRun): QuestSession[] {
  return sessions.filter(({ isLive }) => isLive)
}
