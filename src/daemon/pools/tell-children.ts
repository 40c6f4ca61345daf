import type { RunEvent } from '../../contract/event.ts'
import { childId } from '../../contract/ids.ts'
import { ENDED } from '../../contract/run.ts'
import type { EffectOf } from '../../core/effect.ts'
import { type RunState, sessionOf } from '../../core/run/run-state.ts'
import type { Run } from '../runtime/run.ts'
import type { PoolOutside } from './pool-outside.ts'

type Outside = Pick<PoolOutside, 'runs' | 'textsOf' | 'stopping'>

/** What the children of a pool, and the sessions of a quest, are told. */
export async function tellChildren(
  outside: Outside,
  run: Run,
  key: string,
  effect: EffectOf<'tell-children'>,
): Promise<RunEvent> {
  const children = effect.children.flatMap(name => outside.runs.get(childId(run.id, name)) ?? [])
  await Promise.all(children.map(child => tellOne(outside, run, child, effect)))
  return { type: 'children-told', effect: key }
}

async function tellOne(outside: Outside, run: Run, child: Run, effect: EffectOf<'tell-children'>): Promise<void> {
  const { what } = effect
  if (what !== 'resume' && what !== 'tell') return tellChild(child, what)
  const { textsOf } = outside
  // Texts are kept by run: a child has its own.
  const text = effect.text === undefined ? null : await textsOf(child.id).put(await textsOf(run.id).get(effect.text))
  const tell = (state: RunState): RunEvent | null => {
    const { environment } = run.record.state
    // Its user may have paused it again, while its children still went on.
    const goesOn = what === 'resume' && state.status === 'paused' && !isPausedByUser(run)
    if (goesOn) return { type: 'resume-requested', text, environment }
    // Told by a daemon that died before it could say so.
    const isHeard = state.kind === 'session' && text !== null && state.waiting.includes(text)
    return text === null || isHeard ? null : { type: 'told', text }
  }
  for (;;) {
    let isEarly = false
    // Seen from inside its mailbox: that it shall pause may stand there and not be written yet.
    await child.post(({ state }) => {
      isEarly = what === 'resume' && isPausing(state)
      return isEarly ? null : tell(state)
    })
    if (!isEarly) return
    await untilPaused(child, outside.stopping)
  }
}

/** Who is resumed while it is still being paused goes on after that, not before. */
function untilPaused(child: Run, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      unlisten()
      stopping.removeEventListener('abort', stop)
    }
    const stop = () => {
      leave()
      reject(stopping.reason)
    }
    const look = () => {
      if (isPausing(child.record.state)) return
      leave()
      resolve()
    }
    const unlisten = child.listen(look)
    if (stopping.aborted) return stop()
    stopping.addEventListener('abort', stop)
    look()
  })
}

function isPausing(state: RunState): boolean {
  if (state.status !== 'active') return false
  return sessionOf(state)?.turn.ending === 'pause' || (state.kind === 'loop' && state.wish === 'pause')
}

/** A quest may also be paused because its sessions are. */
function isPausedByUser({ record: { state } }: Run): boolean {
  return state.kind === 'quest' ? state.isPaused : state.status === 'paused' && state.cause === 'paused-by-user'
}

export async function tellChild(child: Run, what: 'cancel' | 'pause' | 'reject'): Promise<void> {
  await child.post(({ state }) => {
    if (ENDED.has(state.status) || (what === 'pause' && state.status === 'paused')) return null
    return { type: `${what}-requested` }
  })
}
