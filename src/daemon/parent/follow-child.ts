import type { RunEventOf } from '../../contract/event.ts'
import { ENDED } from '../../contract/run.ts'
import { childNamed } from '../../core/parent/state.ts'
import { runSummary } from '../../core/run/run-view.ts'
import type { Run } from '../runtime/run.ts'
import { type ParentOutside, parentOf } from './parent-outside.ts'
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
  const { stopping } = outside
  return new Promise((resolve, reject) => {
    let last = saidBy(child)
    let isFirst = true
    const look = () => {
      const said = saidBy(child)
      if (ENDED.has(said.status)) {
        leave()
        resolve()
      } else if (isFirst ? saysNew(run, name, said) : differs(last, said)) {
        outside.postSurely(run, { type: 'child-changed', effect, child: name, ...said }).catch(reject)
      }
      isFirst = false
      last = said
    }
    let isTaken = false
    const hear = () => {
      if (isTaken || !hasSignalled?.(run, name)) return
      isTaken = true
      outside
        .postSurely(child, ({ state }) => (ENDED.has(state.status) ? null : { type: 'session-signalled' }))
        .catch(reject)
    }
    const unlisten = [child.listen(look), run.listen(hear)]
    const stop = () => {
      leave()
      reject(stopping.reason)
    }
    const leave = () => {
      for (const leaving of unlisten) leaving()
      stopping.removeEventListener('abort', stop)
    }
    if (stopping.aborted) return stop()
    stopping.addEventListener('abort', stop)
    hear()
    look()
  })
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
