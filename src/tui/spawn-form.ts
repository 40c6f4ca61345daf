import { randomUUID } from 'node:crypto'
import { type ConfigKey, parseValue } from '../config/keys.ts'
import type { LoopRequest, SpawnRequest } from '../contract/api.ts'
import type { WardPlan, WardPlanRequest } from '../contract/ward-plan.ts'
import { type Field, fieldOf } from './field.ts'

/** What is started with `s`: the fields of a form, what is wrong with each, and the request that it becomes. */

const KINDS = ['session', 'loop', 'pool', 'quest'] as const
type Kind = (typeof KINDS)[number]

export type FieldName =
  | 'kind'
  | 'directory'
  | 'prompt'
  | 'role'
  | 'driver'
  | 'iterations'
  | 'stopWord'
  | 'judge'
  | 'ward'
  | 'workers'
  | 'slots'
  | 'approve'
  | 'worktree'
  | 'model'
  | 'mode'
  | 'cost'
  | 'agree'
  | 'start'

export type SpawnForm = {
  values: Record<FieldName, Field>
  focus: FieldName
  /** What it would be checked with, as the daemon says; `of` is what it was asked about. */
  plan: { of: string; found: WardPlan | null; error: string | null } | null
}

type Spec = {
  label: string
  for: Kind[]
  choices?: readonly string[]
  /** The key that it is configuration for: checked as a flag would be. */
  key?: ConfigKey
  hint?: string
}

const ALL: Kind[] = [...KINDS]
const CHECKED: Kind[] = ['loop', 'pool', 'quest']

export const SPECS: Record<FieldName, Spec> = {
  kind: { label: 'start', for: ALL, choices: KINDS },
  directory: { label: 'directory', for: ALL },
  prompt: { label: 'task', for: ALL },
  role: { label: 'role', for: ['loop'], choices: ['auto', 'planner', 'worker'] },
  driver: { label: 'driver', for: ALL, choices: ['headless', 'pane'], key: 'driver' },
  iterations: { label: 'iterations', for: ['loop', 'pool'], key: 'maxIterations', hint: 'at most (50)' },
  stopWord: { label: 'stop word', for: ['loop', 'pool'], key: 'stopWord', hint: 'DONE' },
  judge: { label: 'judge', for: ['loop', 'pool'], choices: ['heuristic', 'model', 'off'], key: 'judge' },
  ward: { label: 'ward', for: CHECKED, hint: 'commands, with ; between them; empty: those that are found; none: -' },
  workers: { label: 'workers', for: ['pool'], key: 'maxWorkers', hint: '3' },
  slots: { label: 'slots', for: ['quest'], key: 'slots' as ConfigKey, hint: '3' },
  approve: { label: 'plan', for: ['quest'], choices: ['as it comes', 'asks you first'] },
  worktree: { label: 'works', for: ['loop'], choices: ['in place', 'in a worktree'] },
  model: { label: 'model', for: ALL, key: 'model', hint: 'the client’s own' },
  mode: { label: 'permissions', for: ALL, key: 'permissionMode', hint: 'the client’s own; acceptEdits, plan, ...' },
  cost: { label: 'cost limit', for: ALL, key: 'maxCostUsd', hint: 'none, in US dollars' },
  agree: { label: 'agreed', for: CHECKED, choices: ['no', 'yes'] },
  start: { label: '', for: ALL },
}

export function newForm(directory: string): SpawnForm {
  const values = Object.fromEntries(
    Object.entries(SPECS).map(([name, { choices }]) => [name, fieldOf(choices?.[0] ?? '')]),
  ) as Record<FieldName, Field>
  return { values: { ...values, kind: fieldOf('loop'), directory: fieldOf(directory) }, focus: 'prompt', plan: null }
}

function textIn(form: SpawnForm, name: FieldName): string {
  return form.values[name].text
}

/** The fields that this kind of run has, in their order. */
export function fieldsOf(form: SpawnForm): FieldName[] {
  const kind = textIn(form, 'kind') as Kind
  const names = (Object.keys(SPECS) as FieldName[]).filter(name => SPECS[name].for.includes(kind))
  return names.filter(name => name !== 'agree' || needsAgreement(form))
}

/** What is wrong with what stands in a field; null: nothing. */
export function problemOf(form: SpawnForm, name: FieldName, isDirectory: (path: string) => boolean): string | null {
  const text = textIn(form, name)
  if (name === 'directory') {
    if (!text.startsWith('/')) return 'it must be absolute'
    return isDirectory(text) ? null : 'there is no such directory'
  }
  if (name === 'prompt') {
    if (text.trim() || textIn(form, 'kind') === 'loop') return null
    return 'what shall be done?'
  }
  if (name === 'agree') return text === 'yes' ? null : 'look at the commands above; yes agrees to run them'
  const { key, choices } = SPECS[name]
  if (!key || choices || text.trim() === '') return null
  try {
    parseValue(key, text)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

export function problemsOf(form: SpawnForm, isDirectory: (path: string) => boolean): FieldName[] {
  return fieldsOf(form).filter(name => problemOf(form, name, isDirectory) !== null)
}

/** What has to be asked of the daemon before a run exists; null: nothing. */
export function planRequest(form: SpawnForm, environment: Record<string, string>): WardPlanRequest | null {
  const kind = textIn(form, 'kind')
  if (kind === 'session') return null
  const worktree = kind !== 'loop' || worksInWorktree(form) || textIn(form, 'role') === 'planner'
  return { directory: textIn(form, 'directory'), environment, flags: {}, ward: wardOf(form), worktree }
}

function needsAgreement({ plan }: SpawnForm): boolean {
  return plan?.found ? plan.found.needsAgreement || plan.found.dirty.length > 0 : false
}

export function requestOf(form: SpawnForm, environment: Record<string, string>): SpawnRequest {
  const kind = textIn(form, 'kind') as Kind
  const names = fieldsOf(form).filter(name => SPECS[name].key && textIn(form, name).trim() !== '')
  return {
    request: randomUUID(),
    prompt: textIn(form, 'prompt').trim(),
    directory: textIn(form, 'directory'),
    environment,
    flags: Object.fromEntries(names.map(name => [SPECS[name].key!, textIn(form, name).trim()])),
    arguments: [],
    loop: kind === 'loop' || kind === 'pool' ? loopRequest(form, kind) : null,
    quest: kind === 'quest' ? questRequest(form) : null,
  }
}

function loopRequest(form: SpawnForm, kind: 'loop' | 'pool'): LoopRequest {
  return {
    role: kind === 'pool' ? 'planner' : (textIn(form, 'role') as LoopRequest['role']),
    autoSpawn: kind === 'pool',
    ward: wardOf(form),
    judgePrompt: null,
    acceptRedBase: false,
    worktree: kind === 'loop' && worksInWorktree(form),
    ...agreedOf(form),
  }
}

function questRequest(form: SpawnForm): NonNullable<SpawnRequest['quest']> {
  const approvePlan = textIn(form, 'approve') === 'asks you first'
  return { approvePlan, ward: wardOf(form), acceptRedBase: false, ...agreedOf(form) }
}

function agreedOf(form: SpawnForm) {
  const found = form.plan?.found
  const isAgreed = textIn(form, 'agree') === 'yes'
  return {
    agreed: found?.needsAgreement && isAgreed ? found.hash : null,
    agreedDirty: isAgreed && (found?.dirty.length ?? 0) > 0,
  }
}

function worksInWorktree(form: SpawnForm): boolean {
  return textIn(form, 'worktree') === 'in a worktree'
}

/** Null: those that are found; empty: none. */
function wardOf(form: SpawnForm): string[] | null {
  const text = textIn(form, 'ward').trim()
  if (text === '') return null
  if (text === '-') return []
  return text
    .split(';')
    .map(command => command.trim())
    .filter(Boolean)
}
