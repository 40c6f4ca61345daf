import type { AgentDetail } from '../contract/agent-detail.ts'
import type { DiffAnswer } from '../contract/checkpoint-api.ts'
import type { TaskView } from '../contract/pool.ts'
import type { RunDetail } from '../contract/run.ts'
import type { Board } from '../view/board.ts'
import type { OutputLine } from '../view/output-line.ts'
import type { Clock } from './clock.ts'
import type { Row } from './row.ts'
import type { Ui } from './ui.ts'

/** What was asked for beside the board, for what is open now. */
export type Details = {
  runs: ReadonlyMap<string, RunDetail>
  agents: ReadonlyMap<string, AgentDetail>
  /** What a run's sessions or an agent said, the newest last. */
  output: ReadonlyMap<string, readonly OutputLine[]>
  diffs: ReadonlyMap<string, DiffAnswer>
  tasks: ReadonlyMap<string, readonly TaskView[]>
}

export type Context = {
  board: Board
  ui: Ui
  details: Details
  columns: number
  /** Of the part between header and footer. */
  rows: number
  clock: Clock
}

/** What a key would be about: it is what its user sees, not what has come since. */
export type Target = {
  agent?: string
  run?: string
  question?: string
  iteration?: number
  /** `isYours`: a person has taken it. */
  task?: { run: string; id: string; isYours: boolean }
  /** `canRetry`: it waits for a person, or was left out. */
  step?: { run: string; id: string; canRetry: boolean }
}

export type KeyHint = [key: string, word: string]

/** The part of the screen that belongs to one view. */
export type Screen = {
  /** Words for the line under the header. */
  title: string
  rows: Row[]
  /** What can be chosen, as columns of ids. */
  grid: string[][]
  chosen: string | null
  target: Target
  keys: KeyHint[]
  /** How far it can be scrolled. */
  scroll?: { most: number; page: number; fromEnd: boolean }
}

/** The chosen id of a view, or what stands in its place: the first, so that a key always means something visible. */
export function chosenOf(grid: string[][], wanted: string | undefined): string | null {
  if (wanted !== undefined && grid.some(column => column.includes(wanted))) return wanted
  return grid.find(column => column.length > 0)?.[0] ?? null
}

/** Which part of a list is shown, so that the chosen one is in it. */
export function windowOf(count: number, chosen: number, height: number): { from: number; to: number } {
  if (count <= height) return { from: 0, to: count }
  const from = Math.min(Math.max(0, chosen - Math.floor(height / 2)), count - height)
  return { from, to: from + height }
}
