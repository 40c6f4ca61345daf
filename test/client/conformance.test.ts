import { describe, expect, test } from 'vitest'
import { VERSION } from '../puppet/version.ts'
import { puppet } from '../support/real-client.ts'
import { notes, version } from './files.ts'
import { type Act, groups } from './performances.ts'
import { CLIENT_VERSION, RECORD_AGAIN, readRecording } from './recording.ts'
import { killed, resumed } from './scenes.ts'

// The puppet beside the recorded real client. conformance.all.test.ts holds the real client to the same recordings.

const CLAIMS: [claim: string, group: keyof typeof groups, acts: Act[]][] = [
  ['the puppet behaves as the real client does [puppet-conforms]', 'stream', groups.stream],
  ['the puppet tells its hooks what the real client tells them [puppet-hooks]', 'hooks', groups.hooks],
  [
    'the puppet does with its hooks’ answers what the real client does [puppet-hook-answers]',
    'answers',
    groups.answers,
  ],
  ['the puppet says that it is the version it is the double of [puppet-version]', 'files', [version]],
  ['the puppet leaves the same note of itself as the real client [puppet-session-note]', 'files', notes],
]

for (const [claim, group, acts] of CLAIMS) {
  describe.concurrent(claim, () => {
    const { performances } = readRecording(group)
    for (const { name, perform } of acts) {
      test(name, async ({ expect }) => {
        const { performance } = await perform(puppet)
        expect(performance).toEqual(performances[name])
      })
    }
  })
}

test('the recordings and the puppet are of the client in package.json [recording-version]', () => {
  const versions = Object.keys(groups).map(group => readRecording(group).version)
  const wanted = versions.map(() => CLIENT_VERSION)
  expect(versions, `record the client again: ${RECORD_AGAIN}`).toEqual(wanted)
  expect(VERSION).toBe(CLIENT_VERSION)
})

test.each(Object.entries(groups))(
  'there is a recording of every scene, and of no other: %s [recording-version]',
  (group, acts) => {
    const recorded = Object.keys(readRecording(group).performances).sort()
    expect(recorded, `record the client again: ${RECORD_AGAIN}`).toEqual(acts.map(({ name }) => name).sort())
  },
)

describe('what a session of the real client costs', () => {
  type Performance = { processes: { lines: object[] }[] }
  const { performances } = readRecording('stream')
  const last = ({ name }: { name: string }, process: number) =>
    (performances[name] as Performance).processes[process]!.lines.at(-1)

  test('resumed, it counts on from its last clean end; budget and own cost begin anew [stream-recorded]', () => {
    expect(last(resumed, 0)).toMatchObject({ costUsd: 0.0016 })
    expect(last(resumed, 2)).toMatchObject({ isError: false, costSinceUsd: 0.0008, costUsd: 0.0024 })
  })

  test('what a killed process has cost is missing from all later totals [stream-recorded]', () => {
    expect(last(killed, 1)).toMatchObject({ costUsd: 0.0008 })
  })
})
