import { afterAll, beforeAll, describe, test } from 'vitest'
import { claude, openBench } from '../support/real-client.ts'
import { openRecorder } from '../support/real-hooks.ts'
import { buildPuppet, type Puppet } from '../support/real-puppet.ts'
import { answered } from './answer-scenes.ts'
import { told as normalTold } from './hook-normal.ts'
import type { HookScene } from './hook-scene.ts'
import { told } from './hook-scenes.ts'
import { performance } from './normal.ts'

let puppet: Puppet
beforeAll(async () => {
  puppet = await buildPuppet()
})
afterAll(() => puppet[Symbol.asyncDispose]())

describe.concurrent('the puppet tells its hooks what the real client tells them', () => {
  for (const scene of told) {
    test(`${scene.name} [puppet-hooks]`, { timeout: 120_000 }, async ({ expect }) => {
      const [double, original] = await Promise.all([play(scene, puppet.program), play(scene, claude)])
      expect(double).toEqual(original)
    })
  }
})

describe.concurrent('the puppet does with its hooks’ answers what the real client does', () => {
  for (const scene of answered) {
    test(`${scene.name} [puppet-hook-answers]`, { timeout: 120_000 }, async ({ expect }) => {
      const [double, original] = await Promise.all([play(scene, puppet.program), play(scene, claude)])
      expect(double).toEqual(original)
    })
  }
})

async function play(scene: HookScene, program: string[]) {
  await using bench = await openBench(scene.rules, program)
  await using hooks = await openRecorder(bench.home.home, scene.answers)
  const ended = await scene.play(bench, hooks)
  return { told: normalTold(bench, hooks.told()), ...performance(bench, ended) }
}
