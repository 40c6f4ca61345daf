import assert from 'node:assert/strict'
import { openBench } from '../support/real-client.ts'
import { openRecorder } from '../support/real-hooks.ts'
import { answered } from './answer-scenes.ts'
import { notes, transcript, version } from './files.ts'
import { eventNames, told as normalTold } from './hook-normal.ts'
import type { HookScene } from './hook-scene.ts'
import { told } from './hook-scenes.ts'
import { performance } from './normal.ts'
import { neutralLines } from './recording.ts'
import type { Scene } from './scene.ts'
import { scenes } from './scenes.ts'

/** One situation that a client is put into, and what it did there as data that is the same every time. */
export type Act = { name: string; perform(program: string[]): Promise<Performed> }
/** `stream`: the raw lines, of a scene whose lines are kept too. */
export type Performed = { performance: unknown; stream?: string[] }

/** By the file in test/client/recordings that holds what the real client did. */
export const groups: Record<'stream' | 'hooks' | 'answers' | 'files', Act[]> = {
  stream: scenes.map(streamAct),
  hooks: told.map(hookAct),
  answers: answered.map(hookAct),
  files: [version, transcript, ...notes],
}

function streamAct(scene: Scene): Act {
  return {
    name: scene.name,
    async perform(program) {
      await using bench = await openBench(scene.rules, program)
      const ended = await scene.play(bench)
      const stream = scene.recorded ? { stream: neutralLines(bench, ended) } : {}
      return { performance: performance(bench, ended), ...stream }
    },
  }
}

function hookAct(scene: HookScene): Act {
  return {
    name: scene.name,
    async perform(program) {
      await using bench = await openBench(scene.rules, program)
      await using hooks = await openRecorder(bench.home.home, scene.answers)
      const ended = await scene.play(bench, hooks)
      const all = hooks.told()
      if (scene.events) assert.deepEqual(eventNames(all), scene.events)
      return { performance: { told: normalTold(bench, all), ...performance(bench, ended) } }
    },
  }
}
