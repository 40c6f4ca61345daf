import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VERSION } from '../../src/rehearsal/puppet/version.ts'
import { claude, openBench } from '../support/real-client.ts'
import { buildPuppet, type Puppet } from '../support/real-puppet.ts'
import { performance } from './normal.ts'
import { neutralLines, readFixture } from './recording.ts'
import type { Scene } from './scene.ts'
import { killed, resumed, scenes } from './scenes.ts'
import { shape } from './shape.ts'

let puppet: Puppet
beforeAll(async () => {
  puppet = await buildPuppet()
})
afterAll(() => puppet[Symbol.asyncDispose]())

// The real client plays each scene once, and is looked at thrice: beside its double, beside itself when it was
// recorded, and for what it says it costs.
const real = new Map<Scene, ReturnType<typeof play>>()
function realPlay(scene: Scene) {
  if (!real.has(scene)) real.set(scene, play(scene, claude))
  return real.get(scene)!
}

describe.concurrent('the puppet behaves as the real client does', () => {
  for (const scene of scenes) {
    test(`${scene.name} [puppet-conforms]`, async ({ expect }) => {
      const [double, original] = await Promise.all([play(scene, puppet.program), realPlay(scene)])
      expect(double.performance).toEqual(original.performance)
    })
  }
})

describe.concurrent('the real client still writes the stream that we recorded', () => {
  for (const scene of scenes.filter(scene => scene.recorded)) {
    test(`${scene.name} [bench-client-recorded]`, async ({ expect }) => {
      const { lines } = await realPlay(scene)
      expect(shape(lines)).toEqual(shape(readFixture(scene)))
    })
  }
})

describe.concurrent('what a session of the real client costs', () => {
  const last = async (scene: Scene, process: number) => (await realPlay(scene)).ended[process]!.lines.at(-1)

  test('resumed, it counts on from its last clean end; budget and own cost begin anew [stream-cost]', async ({
    expect,
  }) => {
    expect(await last(resumed, 0)).toMatchObject({ costUsd: expect.closeTo(0.0016, 6) })
    const own = { isError: false, costSinceUsd: expect.closeTo(0.0008, 6) }
    expect(await last(resumed, 2)).toMatchObject({ ...own, costUsd: expect.closeTo(0.0024, 6) })
  })

  test('what a killed process has cost is missing from all later totals [stream-cost]', async ({ expect }) => {
    expect(await last(killed, 1)).toMatchObject({ costUsd: expect.closeTo(0.0008, 6) })
  })
})

test('the puppet says that it is the version it is the double of [puppet-version]', async () => {
  const said = async (program: string[]) => {
    await using bench = await openBench([], program)
    const { code, raw } = await bench.run({ args: ['--version'] })
    return { code, raw }
  }
  const [double, original] = [await said(puppet.program), await said(claude)]
  expect(double).toEqual(original)
  expect(double.raw).toEqual([`${VERSION} (Claude Code)`])
})

async function play(scene: Scene, program: string[]) {
  await using bench = await openBench(scene.rules, program)
  const ended = await scene.play(bench)
  return { ended, performance: performance(bench, ended), lines: neutralLines(bench, ended) }
}
