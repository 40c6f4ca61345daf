import { RehoboamError } from '../../contract/errors.ts'
import type { RunCreatedOf, RunEvent, RunEventOf } from '../../contract/event.ts'
import { childId } from '../../contract/ids.ts'
import type { ChildOutcome } from '../../contract/pool.ts'
import type { EffectOf } from '../../core/effect.ts'
import { isStopping } from '../../core/parent/parent-moves.ts'
import { childNamed } from '../../core/parent/parent-state.ts'
import type { RunState } from '../../core/run/run-state.ts'
import type { Run } from '../runtime/live-run.ts'
import { parentOf } from '../runtime/run-kinds.ts'
import { sessionIdOf } from '../runtime/stable-id.ts'
import { together } from '../runtime/together.ts'
import { followChild, saidBy, saysNew } from './follow-child.ts'
import type { ParentOutside } from './parent-outside.ts'
import { tellChild } from './tell-children.ts'

export type RunChild = EffectOf<'run-child'>

/** What differs between the children of a pool and the sessions of a quest. */
export type Children = {
  /** Names a child that could not be started, for a person. */
  titleOf(run: Run, child: string): string
  /** Makes the place of a new child, and says what its run is. */
  create(run: Run, effect: RunChild, key: string): Promise<NewRun>
  /** Makes the place of a child that goes on, and says what it is told. */
  resume(run: Run, child: Run, effect: RunChild): Promise<Resumed>
  /** Once the child is there, also when it was there before. */
  greet?(run: Run, child: Run): Promise<void>
  /** Whether the parent has taken a signal of the child, which then is told so. */
  hasSignalled?(run: Run, child: string): boolean
  /** Takes in what an ended child left. */
  leave(run: Run, child: Run, effect: RunChild, key: string): Promise<Left>
}

type Given = 'type' | 'run' | 'request' | 'environment'
export type NewRun = Omit<RunCreatedOf<'session'>, Given> | Omit<RunCreatedOf<'loop'>, Given>
export type Resumed = { text: string | null } & Partial<RunEventOf<'resume-requested'>>
export type Left = Pick<ChildOutcome, 'commit' | 'heard' | 'notes'>

/**
 * Starts a child or sends it on, and follows it to its end: a run of its own, below its parent's. Done again, it finds the child as
 * it was made or sent on by this very effect, and only follows.
 */
export async function runChild(
  outside: ParentOutside,
  children: Children,
  run: Run,
  key: string,
  effect: RunChild,
): Promise<RunEvent> {
  const { child: name } = effect
  const id = childId(run.id, name)
  try {
    const known = outside.runs.get(id)
    if (known) await resume(outside, children, run, known, key, effect)
    else if (!isStopping(parentOf(run))) await create(outside, children, run, id, key, effect)
  } catch (error) {
    // What git or a directory refuses is refused the next time too; anything else is tried again.
    if (!(error instanceof RehoboamError) || error.code === 'journal-write' || error.code === 'daemon-stopping')
      throw error
    const why = await outside
      .textsOf(run.id)
      .put(`${children.titleOf(run, name)} could not be started: ${error.message}`)
    return { type: 'child-not-started', effect: key, child: name, cause: 'not-started', why }
  }
  const child = outside.runs.get(id)
  // The parent was ended before the child began.
  if (!child) return { type: 'child-ended', effect: key, child: name, outcome: NEVER }
  if (childNamed(parentOf(run), name)?.isMade === false) {
    const { state } = child.record
    const session = state.kind === 'session' ? state.spec.session : null
    await outside.postSurely(run, { type: 'child-started', effect: key, child: name, session })
  }
  await obey(run, child)
  await children.greet?.(run, child)
  await followChild(outside, children, run, child, key, name)
  const said = saidBy(child)
  // The parent need not wait for what the child left to hear that it has ended.
  const [left] = await together([
    children.leave(run, child, effect, key),
    outside.postSurely(run, () =>
      saysNew(run, name, said) ? { type: 'child-changed', effect: key, child: name, ...said } : null,
    ),
  ])
  const limitResetsAt = limitOf(child.record.state)
  return { type: 'child-ended', effect: key, child: name, outcome: { ...said, limitResetsAt, ...left } }
}

const NEVER: ChildOutcome = {
  status: 'cancelled',
  cause: 'cancelled',
  iteration: 0,
  costUsd: 0,
  commit: null,
  limitResetsAt: null,
  heard: [],
  notes: [],
}

function limitOf(state: RunState): number | null {
  return state.kind === 'session' ? state.limitResetsAt : null
}

async function create(
  outside: ParentOutside,
  children: Children,
  run: Run,
  id: string,
  key: string,
  effect: RunChild,
): Promise<void> {
  const made = await children.create(run, effect, key)
  const { environment } = parentOf(run)
  await outside.runs.create(id, { type: 'run-created', run: id, request: requestOf(key), environment, ...made })
}

/** A child that has ended goes on, with its history and what came of its work. */
async function resume(
  outside: ParentOutside,
  children: Children,
  run: Run,
  child: Run,
  key: string,
  effect: RunChild,
): Promise<void> {
  if (isOnItsWay(child.record.state, key)) return
  const { text, ...more } = await children.resume(run, child, effect)
  const said = text === null ? null : await outside.textsOf(child.id).put(text)
  const { environment } = parentOf(run)
  await child.post(({ state }) =>
    isOnItsWay(state, key) ? null : { type: 'resume-requested', environment, by: key, ...more, text: said },
  )
}

/** Made or sent on by this effect, or at work anyway. */
function isOnItsWay(state: RunState, key: string): boolean {
  if (state.status === 'active' || state.request === requestOf(key)) return true
  return (state.kind === 'loop' || state.kind === 'session') && state.resumedBy === key
}

/** The same effect makes the same run, however often it is done. */
function requestOf(key: string): string {
  return sessionIdOf(`child ${key}`)
}

/** Whoever asked for it while the child was being made meant the child too. */
async function obey(run: Run, child: Run): Promise<void> {
  if (isStopping(parentOf(run))) await tellChild(child, 'cancel')
  else if (parentOf(run).isPaused) await tellChild(child, 'pause')
}
