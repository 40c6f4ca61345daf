import { join } from 'node:path'
import type { LoopDirectory } from '../../adapters/loop-directory.ts'
import type { RunEvent } from '../../contract/event.ts'
import type { EffectOf } from '../../core/effect.ts'
import { iterationPrompt } from '../../core/loop/prompt-text.ts'
import type { Run } from '../runtime/run.ts'
import { type LoopOutside, loopDirectory, loopOf, sessionIdOf } from './loop-outside.ts'

const FILE_LIMIT = 2_000_000

/** The prompt of an iteration, from what the files say now; what an agent took away is put back first. */
export async function prepareIteration(
  outside: LoopOutside,
  run: Run,
  key: string,
  effect: EffectOf<'prepare-iteration'>,
): Promise<RunEvent> {
  const state = loopOf(run)
  const { iteration, note } = effect
  const texts = outside.textsOf(run.id)
  const directory = loopDirectory(outside, state)
  await directory.make(`${run.id}-${iteration}`)
  const anchor = await texts.get(state.prompt)
  const said = (await restoreAnchor(directory, anchor, `${run.id}-${iteration}-start`))
    ? ['anchor.md was changed between two iterations; it is restored']
    : []
  const progress = (await directory.read('progress.md', FILE_LIMIT)) ?? ''
  // What progress.md holds now is not news of this iteration; a second session of it starts from the same.
  const before = progressBefore(outside, run, iteration)
  await outside.disk.makeDirectory(join(outside.directoryOf(run.id), 'iterations', String(iteration)))
  if ((await outside.disk.read(before)) === null) await outside.disk.replace(before, progress)
  const read = async (ref: string | null) => (ref === null ? '' : await texts.get(ref))
  const prompt = iterationPrompt({
    directory: directory.path,
    anchor,
    guardrails: (await directory.read('guardrails.md', FILE_LIMIT)) ?? '',
    progress,
    tasks: (await directory.read('tasks.md', FILE_LIMIT)) ?? '',
    failures: await read(effect.failures),
    messages: await Promise.all(effect.messages.map(ref => texts.get(ref))),
    activity: ((await directory.read('activity.log', 20_000)) ?? '').trim().split('\n').slice(-5),
    note,
    stopWord: state.loop.stopWord,
    iteration,
    maxIterations: state.armedAt + state.loop.maxIterations,
    instructions: state.loop.instructions === null ? null : await texts.get(state.loop.instructions),
  })
  return {
    type: 'iteration-prepared',
    effect: key,
    iteration,
    session: sessionIdOf(key),
    prompt: await texts.put(prompt),
    notes: await Promise.all(said.map(sentence => texts.put(sentence))),
  }
}

/** progress.md as it was when the iteration began, out of reach of its agents. */
export function progressBefore(outside: LoopOutside, run: Run, iteration: number): string {
  return join(outside.directoryOf(run.id), 'iterations', String(iteration), 'progress-before.md')
}

/** True when it was changed or gone: what stood there is kept aside. */
export async function restoreAnchor(directory: LoopDirectory, anchor: string, aside: string): Promise<boolean> {
  if ((await directory.read('anchor.md', FILE_LIMIT)) === anchor) return false
  await directory.setAside('anchor.md', aside)
  await directory.write('anchor.md', anchor)
  return true
}
