import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findTranscript } from '../../adapters/claude/claude-transcript.ts'
import type { RunEvent } from '../../contract/event.ts'
import type { IterationFacts } from '../../contract/loop.ts'
import type { AgentFacts } from '../../core/agent/facts.ts'
import type { EffectOf } from '../../core/effect.ts'
import { gainedIn } from '../../core/judge/gained.ts'
import { judgeHeuristically } from '../../core/judge/judge-heuristic.ts'
import { claimsIn } from '../../core/judge/stop-word.ts'
import { wishOf } from '../../core/loop/doing.ts'
import { foldEnd, foldError } from '../../core/loop/fold.ts'
import type { LoopRun } from '../../core/loop/loop-state.ts'
import { countedUsd } from '../../core/session/session-view.ts'
import type { Run } from '../runtime/live-run.ts'
import { loopOf } from '../runtime/run-kinds.ts'
import { hashOf } from '../runtime/stable-id.ts'
import { together } from '../runtime/together.ts'
import { appendLessons } from '../ward/lessons.ts'
import { happeningsIn, type SessionRecord } from './happenings.ts'
import { leftOutWords } from './left-out-words.ts'
import { type LoopOutside, loopDirectory } from './loop-outside.ts'
import { progressBefore } from './prepare.ts'
import { FILE_LIMIT, keepMemory, projectIsThere, restoreDirectory } from './restore-files.ts'
import { ledgerHash, taskStates } from './task-ledger.ts'
import { keepTree } from './workplace.ts'

// What failed for a moment (a full disk, memory) may work in the next. Nobody who has cancelled waits longer than this.
const LAST_TRIES_MS = [250, 1_000]

/** Of a run that ends with it: where the tree cannot be kept, it ends all the same. Others are tried again until it is. */
export async function closeAtLast(
  outside: LoopOutside,
  run: Run,
  key: string,
  effect: EffectOf<'close-iteration'>,
): Promise<RunEvent> {
  for (let tried = 0; ; tried++) {
    try {
      return await closeIteration(outside, run, key, effect)
    } catch (error) {
      const { doing } = loopOf(run)
      const isToEnd = doing.is === 'keeping' || wishOf(doing) === 'cancel'
      if (outside.stopping.aborted || !isToEnd) throw error
      outside.log(`run ${run.id}: iteration ${effect.iteration} was not kept: ${(error as Error).message}`)
      if (tried === LAST_TRIES_MS.length) return { type: 'tree-not-kept', effect: key }
      await delay(LAST_TRIES_MS[tried], undefined, { ref: false })
    }
  }
}

/** The tree as a checkpoint, and what the iteration left: facts, from which the loop decides. */
async function closeIteration(
  outside: LoopOutside,
  run: Run,
  key: string,
  effect: EffectOf<'close-iteration'>,
): Promise<RunEvent> {
  const state = loopOf(run)
  const { iteration } = effect
  const texts = outside.textsOf(run.id)
  const directory = loopDirectory(outside, state)
  if (!(await projectIsThere(outside, run))) return { type: 'project-not-found', effect: key }
  // The loop directory is no part of a checkpoint: it is put in order and read while git works, which takes longest.
  const inDirectory = async () => {
    const restored = await restoreDirectory(outside, run, `${run.id}-${iteration}`, iteration)
    const left = await leftBy(outside, run, effect, await texts.get(state.prompt))
    return { restored, left, states: await taskStates(directory) }
  }
  const [{ checkpoint, leftOut }, { restored, left, states }] = await together([
    checkpointOf(outside, run, iteration),
    inDirectory(),
  ])
  const said = [...restored.said, ...(leftOut.length ? [leftOutWords(leftOut)] : [])]
  const facts: IterationFacts = {
    ...left,
    checkpoint,
    ledger: ledgerHash(states, checkpoint?.tree ?? null),
    anchorChanged: restored.anchorChanged,
    notes: await Promise.all(said.map(sentence => texts.put(sentence))),
  }
  return { type: 'iteration-closed', effect: key, iteration, facts }
}

type Left = Omit<IterationFacts, 'checkpoint' | 'ledger' | 'anchorChanged' | 'notes'>

async function leftBy(
  outside: LoopOutside,
  run: Run,
  effect: EffectOf<'close-iteration'>,
  anchor: string,
): Promise<Left> {
  const state = loopOf(run)
  const texts = outside.textsOf(run.id)
  const directory = loopDirectory(outside, state)
  const happened = await happeningsIn(await recordsOf(outside, run, effect), state.spec.lineLimitBytes)
  const lastMessage = happened.lastText ?? agentOf(outside, effect.session)?.lastMessage ?? ''
  const before = (await outside.disk.read(progressBefore(outside, run, effect.iteration))) ?? new Uint8Array()
  const after = (await directory.read('progress.md', FILE_LIMIT)) ?? ''
  const progressGained = gainedIn(new TextDecoder().decode(before), after)
  const judged = judgeHeuristically({ lastMessage, progressGained, anchor })
  const errors = countErrors(effect.error ? [...happened.errors, effect.error] : happened.errors)
  await appendLessons(directory, state.errors, errors).catch((error: Error) =>
    outside.log(`run ${run.id}: no lesson was written: ${error.message}`),
  )
  const kept = (text: string) => (text ? texts.put(text) : null)
  // Each is on the disk when it is kept; together they wait for it once.
  const [message, because] = await Promise.all([
    kept(lastMessage),
    kept(judged.because ?? ''),
    keepMemory(outside, run),
  ])
  return {
    lastMessage: message,
    end: lastMessage ? hashOf(foldEnd(lastMessage)) : null,
    claim: effect.error ? null : claimsIn({ lastMessage, progressGained, stopWord: state.loop.stopWord }),
    verdict: effect.error ? 'continue' : judged.verdict,
    because,
    toolCalls: happened.toolCalls,
    costUsd: state.spec.driver === 'pane' ? paneCost(outside, state, effect.session) : 0,
    errors: await Promise.all(
      errors.map(async ({ key, count, text }) => ({ key, count, text: await texts.put(text) })),
    ),
  }
}

function agentOf({ agents }: LoopOutside, session: string): AgentFacts | null {
  return agents.has(session) ? agents.facts(session) : null
}

/** A pane's client tells its cost to its transcript only. What we have read there and counted before is not counted again. */
function paneCost(outside: LoopOutside, state: LoopRun, session: string): number {
  const usage = agentOf(outside, session)?.usage
  const counted = state.session?.spec.session === session ? countedUsd(state.session) : 0
  return usage ? Math.max(0, usage.saidUsd + usage.sinceUsd - counted) : 0
}

async function checkpointOf(outside: LoopOutside, run: Run, iteration: number) {
  const state = loopOf(run)
  if (!state.base) return { checkpoint: null, leftOut: [] }
  const parent = lastCheckpoint(state) ?? state.base.commit
  const subject = `Rehoboam ${run.id}: iteration ${iteration}`
  const { commit, tree, leftOut } = await keepTree(outside, run, { iteration, parent, subject })
  return { checkpoint: { commit, tree }, leftOut }
}

function lastCheckpoint({ iterations }: LoopRun): string | null {
  return iterations.findLast(({ facts }) => facts?.checkpoint)?.facts?.checkpoint?.commit ?? null
}

/** Headless sessions write what they say into files of ours; a pane's is in the client's own transcript. */
async function recordsOf(
  outside: LoopOutside,
  run: Run,
  effect: EffectOf<'close-iteration'>,
): Promise<SessionRecord[]> {
  const { spec, environment } = loopOf(run)
  if (spec.driver === 'headless') {
    const turns = Array.from({ length: effect.lastTurn - effect.firstTurn + 1 }, (_, n) => effect.firstTurn + n)
    const fileOf = (turn: number) => join(outside.directoryOf(run.id), 'turns', String(turn), 'output.ndjson')
    return turns.map(turn => ({ file: fileOf(turn), form: 'stream' }))
  }
  const found = await findTranscript(
    effect.session,
    outside.environments.of(run.id, effect.session, environment).environment,
  )
  return found ? [{ file: found, form: 'transcript' }] : []
}

type CountedError = { key: string; count: number; text: string }

function countErrors(errors: string[]): CountedError[] {
  const counted = new Map<string, CountedError>()
  for (const text of errors) {
    const key = hashOf(foldError(text))
    const known = counted.get(key)
    counted.set(key, { key, count: (known?.count ?? 0) + 1, text: known?.text ?? text })
  }
  return [...counted.values()].slice(0, 50)
}
