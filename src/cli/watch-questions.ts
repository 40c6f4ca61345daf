import { setTimeout as delay } from 'node:timers/promises'
import type { InboxState } from '../contract/question.ts'
import { askedWords } from '../view/inbox-lines.ts'
import { Bell } from './bell.ts'
import type { Face } from './face.ts'

// A person reads this: a second is at once, and the run itself is followed without asking.
const LOOK_EVERY_MS = 1_000

/** While a run is waited for: says what it asks as soon as it does, and rings. Returns how to stop it. */
export function watchQuestions(face: Face, run: string, json: boolean): () => void {
  const stop = new AbortController()
  const said = new Set<string>()
  const bell = new Bell(face.out)
  bell.tell([], true)
  const look = async () => {
    while (!stop.signal.aborted) {
      await delay(LOOK_EVERY_MS, undefined, { signal: stop.signal })
      // A daemon that is away is the follower's matter.
      const state = await face.daemon.askRunning<InboxState>({ path: '/v1/inbox/state' }).catch(() => null)
      if (!state || stop.signal.aborted) continue
      const asked = state.questions.filter(question => question.run === run || question.run?.startsWith(`${run}.`))
      bell.tell(
        asked.map(({ id }) => id),
        state.mutedUntil !== null || !state.bell,
      )
      for (const question of asked.filter(({ id }) => !said.has(id))) {
        said.add(question.id)
        if (json) face.out.jsonLine({ question })
        else face.out.line(`asks: ${askedWords(question)}`, 'fail')
      }
    }
  }
  look().catch(() => {})
  return () => {
    stop.abort()
    bell.stop()
  }
}
