import { afterAll, beforeAll, describe, test } from 'vitest'
import { claude, openBench } from '../support/real-client.ts'
import { openRecorder } from '../support/real-hooks.ts'
import { buildPuppet, type Puppet } from '../support/real-puppet.ts'
import { answered } from './answer-scenes.ts'
import { eventNames, told as normalTold } from './hook-normal.ts'
import type { HookScene } from './hook-scene.ts'
import { told } from './hook-scenes.ts'
import { performance } from './normal.ts'

let puppet: Puppet
beforeAll(async () => {
  puppet = await buildPuppet()
})
afterAll(() => puppet[Symbol.asyncDispose]())

const STAGES = {
  'the puppet tells its hooks what the real client tells them [puppet-hooks]': told,
  'the puppet does with its hooks’ answers what the real client does [puppet-hook-answers]': answered,
}

for (const [claim, scenes] of Object.entries(STAGES)) {
  describe.concurrent(claim, () => {
    for (const scene of scenes) {
      test(scene.name, async ({ expect }) => {
        const [double, original] = await Promise.all([play(scene, puppet.program), play(scene, claude)])
        expect(double.performance).toEqual(original.performance)
        if (scene.events) expect(original.events).toEqual(scene.events)
      })
    }
  })
}

async function play(scene: HookScene, program: string[]) {
  await using bench = await openBench(scene.rules, program)
  await using hooks = await openRecorder(bench.home.home, scene.answers)
  const ended = await scene.play(bench, hooks)
  const all = hooks.told()
  return { events: eventNames(all), performance: { told: normalTold(bench, all), ...performance(bench, ended) } }
}
