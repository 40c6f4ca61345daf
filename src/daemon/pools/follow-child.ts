import type { RunEventOf } from '../../contract/event.ts'
import { ENDED } from '../../contract/run.ts'
import { runSummary } from '../../core/run/run-view.ts'
import type { Run } from '../runtime/run.ts'
import type { PoolOutside } from './pool-outside.ts'

type Said = Pick<RunEventOf<'child-changed'>, 'status' | 'cause' | 'iteration' | 'costUsd'>

/** Tells the pool what becomes of a child, until it has ended: gives its end. */
export function followChild(outside: PoolOutside, run: Run, child: Run, effect: string, name: string): Promise<Said> {
  const { stopping } = outside
  return new Promise((resolve, reject) => {
    // A child that was just created says so by being there.
    let last = ''
    const look = () => {
      const said = saidBy(child)
      const words = `${said.status} ${said.cause} ${said.iteration}`
      if (ENDED.has(said.status)) {
        leave()
        resolve(said)
      } else if (words !== last) {
        last = words
        outside.postSurely(run, { type: 'child-changed', effect, child: name, ...said }).catch(reject)
      }
    }
    const unlisten = child.listen(look)
    const stop = () => {
      leave()
      reject(stopping.reason)
    }
    const leave = () => {
      unlisten()
      stopping.removeEventListener('abort', stop)
    }
    if (stopping.aborted) return stop()
    stopping.addEventListener('abort', stop)
    look()
  })
}

function saidBy(child: Run): Said {
  const { status, cause, iteration, costUsd } = runSummary(child.record.state, String)
  return { status, cause, iteration: iteration ?? 0, costUsd }
}
