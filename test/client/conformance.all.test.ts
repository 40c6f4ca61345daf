import { describe, test } from 'vitest'
import { claude } from '../support/real-client.ts'
import { groups } from './performances.ts'
import { RECORD_AGAIN, readFixture, readRecording } from './recording.ts'
import { shape } from './shape.ts'

for (const [group, acts] of Object.entries(groups)) {
  describe.concurrent(`the real client still does what was recorded: ${group} [bench-client-recorded]`, () => {
    const { performances } = readRecording(group)
    for (const { name, perform } of acts) {
      test(name, async ({ expect }) => {
        const { performance, stream } = await perform(claude)
        expect(performance, `when this is how the client is now: ${RECORD_AGAIN}`).toEqual(performances[name])
        if (stream) expect(shape(stream)).toEqual(shape(readFixture(name)))
      })
    }
  })
}
