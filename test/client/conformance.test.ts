import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VERSION } from '../../src/rehearsal/puppet/version.ts'
import { claude, openBench } from '../support/real-client.ts'
import { buildPuppet, type Puppet } from '../support/real-puppet.ts'
import { performance } from './normal.ts'
import { type Scene, scenes } from './scenes.ts'

let puppet: Puppet
beforeAll(async () => {
  puppet = await buildPuppet()
})
afterAll(() => puppet[Symbol.asyncDispose]())

describe.concurrent('the puppet behaves as the real client does', () => {
  for (const scene of scenes) {
    test(`${scene.name} [puppet-conforms]`, async ({ expect }) => {
      const [double, real] = await Promise.all([play(scene, puppet.program), play(scene, claude)])
      expect(double).toEqual(real)
    })
  }
})

test('the puppet says that it is the version it is the double of [puppet-version]', async () => {
  const said = async (program: string[]) => {
    await using bench = await openBench([], program)
    const { code, raw } = await bench.run({ args: ['--version'] })
    return { code, raw }
  }
  expect(await said(puppet.program)).toEqual(await said(claude))
  expect((await said(claude)).raw).toEqual([`${VERSION} (Claude Code)`])
})

async function play(scene: Scene, program: string[]) {
  await using bench = await openBench(scene.rules, program)
  return performance(bench, await scene.play(bench))
}
