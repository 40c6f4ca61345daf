import { join } from 'node:path'
import type { LoopFile } from '../../adapters/loop-directory.ts'
import type { RunEvent } from '../../contract/event.ts'
import type { EffectOf } from '../../core/effect.ts'
import { iterationPrompt } from '../../core/loop/loop-prompt.ts'
import type { Run } from '../runtime/live-run.ts'
import { loopOf } from '../runtime/run-kinds.ts'
import { sessionIdOf } from '../runtime/stable-id.ts'
import { together } from '../runtime/together.ts'
import { type LoopOutside, loopDirectory } from './loop-outside.ts'
import { makeAnew, takeBack } from './open-loop.ts'
import { lastActivity } from './projections.ts'
import { FILE_LIMIT, projectIsThere, restoreDirectory } from './restore-files.ts'

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
  if (!(await projectIsThere(outside, run))) return { type: 'project-not-found', effect: key }
  if (state.loop.disposable) await makeAnew(outside, state.loop.disposable)
  const said = effect.reopen ? await takeBack(outside, run) : []
  // What a session of this iteration has changed before it was cut off is this iteration's.
  const of = state.iterations.some(({ n }) => n === iteration) && !effect.reopen ? iteration : null
  const restored = await restoreDirectory(outside, run, `${run.id}-${iteration}-start`, of)
  // Where another run's files were put away, ours were missing by our own doing.
  if (!said.length) said.push(...restored.said)
  const kept = async (ref: string | null) => (ref === null ? '' : await texts.get(ref))
  const written = async (name: LoopFile) => (await directory.read(name, FILE_LIMIT)) ?? ''
  const [anchor, progress, guardrails, tasks, task, failures, messages, instructions] = await together([
    texts.get(state.prompt),
    written('progress.md'),
    written('guardrails.md'),
    state.loop.task ? '' : written('tasks.md'),
    kept(state.loop.task?.text ?? null),
    kept(effect.failures),
    Promise.all(effect.messages.map(kept)),
    kept(state.loop.instructions),
  ])
  const prompt = iterationPrompt({
    directory: directory.path,
    anchor,
    guardrails,
    progress,
    tasks,
    role: state.loop.role,
    task: state.loop.task && { id: state.loop.task.id, text: task },
    failures,
    messages,
    activity: lastActivity(state, 5),
    note,
    stopWord: state.loop.stopWord,
    iteration,
    maxIterations: state.armedAt + state.loop.maxIterations,
    instructions: state.loop.instructions === null ? null : instructions,
  })
  // Each is on the disk when it is kept; together they wait for it once.
  const [sent] = await together([texts.put(prompt), keepBefore(outside, run, iteration, progress)])
  return {
    type: 'iteration-prepared',
    effect: key,
    iteration,
    session: sessionIdOf(key),
    prompt: sent,
    notes: await Promise.all(said.map(sentence => texts.put(sentence))),
  }
}

/** What progress.md holds now is not news of this iteration; a second session of it starts from the same. */
async function keepBefore(outside: LoopOutside, run: Run, iteration: number, progress: string): Promise<void> {
  const before = progressBefore(outside, run, iteration)
  await outside.disk.makeDirectory(join(outside.directoryOf(run.id), 'iterations', String(iteration)))
  if ((await outside.disk.read(before)) === null) await outside.disk.replace(before, progress)
}

/** progress.md as it was when the iteration began, out of reach of its agents. */
export function progressBefore(outside: LoopOutside, run: Run, iteration: number): string {
  return join(outside.directoryOf(run.id), 'iterations', String(iteration), 'progress-before.md')
}
