import { bash, say } from '../../src/rehearsal/replies.ts'
import type { Bench, Turn } from '../support/real-client.ts'
import type { Ended } from '../support/real-process.ts'
import { until } from '../support/until.ts'
import type { Recorder } from './recorder.ts'

export const CALLS = [bash('echo hi'), bash('ls missing'), bash('touch /var/tmp/rehoboam-never')]
export const LAST = say('All done.', { fault: { kind: 'hang', name: 'last' } })

/** Most hooks are async, and a client that ends takes those along that still run: so it ends when they have been heard. */
export async function endedOnceHeard(bench: Bench, heard: Recorder, events: string[], turn: Turn = {}): Promise<Ended> {
  const { ended } = bench.start(turn)
  await until(() => events.every(event => heard.events().includes(event)), `${events}`)
  await until(() => bench.model.release('last') > 0, 'the last question')
  return ended
}

/** Lines of the client that speak of hooks. It always reports those of SessionStart in its stream, and no others. */
export function saidOfHooks({ raw }: Ended): string[] {
  return raw.filter(line => /hook/i.test(line) && !line.includes('"hook_event":"SessionStart"'))
}
