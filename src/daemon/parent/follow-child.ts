import type { RunEventOf } from '../../contract/event.ts'
import { ENDED } from '../../contract/run.ts'
import { childNamed } from '../../core/parent/parent-state.ts'
import { runSummary } from '../../core/run/run-view.ts'
import type { Posting, Run } from '../runtime/live-run.ts'
import { parentOf } from '../runtime/run-kinds.ts'
import { untilEvent } from '../runtime/until-event.ts'
import type { ParentOutside } from './parent-outside.ts'
import type { Children } from './run-child.ts'

type ChildSaid = Pick<RunEventOf<'child-changed'>, 'status' | 'cause' | 'iteration' | 'costUsd'>

/** Tells the parent what becomes of a child, and a session that its signal was taken, until the child has ended. */
export function followChild(
  outside: ParentOutside,
  { hasSignalled }: Pick<Children, 'hasSignalled'>,
  run: Run,
  child: Run,
  effect: string,
  name: string,
): Promise<void> {
  const failed = Promise.withResolvers<never>()
  const post = (to: Run, posting: Posting) => void outside.postSurely(to, posting).catch(failed.reject)
  let last: ChildSaid | null = null
  let isTaken = false
  const hasEnded = () => {
    if (!isTaken && hasSignalled?.(run, name)) {
      isTaken = true
      post(child, ({ state }) => (ENDED.has(state.status) ? null : { type: 'session-signalled' }))
    }
    const said = saidBy(child)
    if (ENDED.has(said.status)) return true
    const isNew = last === null ? saysNew(run, name, said) : differs(last, said)
    last = said
    if (isNew) post(run, { type: 'child-changed', effect, child: name, ...said })
    return false
  }
  return Promise.race([untilEvent([child, run], outside.stopping, hasEnded), failed.promise])
}

export function saidBy(child: Run): ChildSaid {
  const { state } = child.record
  const { status, cause, iteration, costUsd } = runSummary(state, String)
  return { status, cause, iteration: state.kind === 'session' ? state.turn.n : (iteration ?? 0), costUsd }
}

/** Whether the parent does not know this of its child yet. */
export function saysNew(run: Run, name: string, said: ChildSaid): boolean {
  const known = childNamed(parentOf(run), name)
  return known !== undefined && differs(known, said)
}

/** What it costs is said with the next change. */
function differs(before: ChildSaid, now: ChildSaid): boolean {
  return before.status !== now.status || before.cause !== now.cause || before.iteration !== now.iteration
}
