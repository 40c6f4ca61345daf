import type { LoopDirectory, LoopFile } from '../../adapters/loop-directory.ts'
import { NOT_KEPT } from '../../contract/causes.ts'
import type { SessionReport, Stamped } from '../../contract/event.ts'
import { CAUSES, ENDED } from '../../contract/run.ts'
import { phaseOf, waitsUntil } from '../../core/loop/doing.ts'
import type { Iteration, LoopRun } from '../../core/loop/loop-state.ts'
import { loopEndSentence } from '../../core/loop/loop-view.ts'
import { isAway } from '../../core/loop/outage.ts'
import { oneLine } from '../../core/plain-text.ts'
import type { Texts } from '../../ports.ts'
import type { Run } from '../runtime/live-run.ts'
import { loopOf } from '../runtime/run-kinds.ts'
import { type LoopOutside, loopDirectory } from './loop-outside.ts'
import { ownerOf } from './open-loop.ts'

type Shown = Pick<Run, 'id' | 'record' | 'eventsAfter'>
type ShownBy = Pick<LoopOutside, 'disk' | 'stateFiles' | 'textsOf'>

/**
 * What of a run's journal people and agents can read in the loop directory. Everything here can be lost or forged: it is
 * written from the state, and each line of a log says which event or iteration it is about, so that it is written once.
 */
export async function project(outside: ShownBy, run: Shown): Promise<void> {
  // The run continues while this is written. All files are of this one moment: whoever reads the end in session_history.log,
  // which is written last, finds it in the other files too.
  const [state, { seq, at }] = [loopOf(run), run.record]
  if (!state.isOpen) return
  const directory = loopDirectory(outside, state)
  // What is gone is put back by the next iteration, and said then; a project that is away is none of our making.
  if (!(await directory.isThere())) return
  if (ENDED.has(state.status)) {
    const owner = ownerOf(await directory.read('state.json', 1_000_000))
    if (owner !== null && owner !== run.id) return
  }
  await outside.stateFiles.write(directory, run.id, `${JSON.stringify(stateFile(state), null, 2)}\n`)
  await activity(directory, state)
  await history(directory, { run, state, seq, at }, outside.textsOf(run.id))
}

function stateFile(state: LoopRun) {
  const last = state.iterations.findLast(({ facts }) => facts?.checkpoint)
  return {
    run: state.id,
    status: state.status,
    cause: state.cause,
    sentence: state.cause ? loopEndSentence(state, state.cause) : null,
    proven: state.proven,
    role: state.loop.role,
    iteration: state.iteration,
    maxIterations: state.armedAt + state.loop.maxIterations,
    stallAfter: state.loop.stallAfter,
    unmovedFor: state.ledger.unmovedFor,
    maxCostUsd: state.spec.maxCostUsd,
    costUsd: Math.round(state.costUsd * 1e6) / 1e6,
    criteria: Object.fromEntries(state.criteria.map((mark, n) => [`C${n + 1}`, mark])),
    sessions: state.iterations.map(({ n, session }) => ({ iteration: n, session })),
    lastCheckpoint: last?.facts?.checkpoint?.commit ?? null,
    startedAt: iso(state.createdAt),
    endedAt: state.endedAt === null ? null : iso(state.endedAt),
  }
}

/** One line for each iteration that is over: how long, how many tools, how much, and what came of it. */
async function activity(directory: LoopDirectory, state: LoopRun): Promise<void> {
  const written = (await directory.read('activity.log', 1_000_000)) ?? ''
  const known = new Set([...written.matchAll(/ iteration (\d+):.*\n/g)].map(([, n]) => Number(n)))
  const lines = over(state)
    .filter(({ n }) => !known.has(n))
    .map(activityLine)
  if (lines.length) await directory.append('activity.log', lines.join(''))
}

/** The same of the newest iterations, from the state: the file is an agent's to change. */
export function lastActivity(state: LoopRun, count: number): string[] {
  return over(state)
    .slice(-count)
    .map(it => activityLine(it).trimEnd())
}

function over(state: LoopRun): Iteration[] {
  const isOver = ({ n }: Iteration) =>
    n < state.iteration || ENDED.has(state.status) || (state.status === 'blocked' && !isAway(state))
  return state.iterations.filter(it => it.endedAt !== null && isOver(it))
}

function activityLine(it: Iteration): string {
  const seconds = Math.round(((it.endedAt ?? it.startedAt) - it.startedAt) / 1000)
  const words = [
    `${seconds} s`,
    `${it.facts?.toolCalls ?? 0} tool calls`,
    `$${it.costUsd.toFixed(4)}`,
    it.outcome,
    it.moved === null ? null : it.moved ? 'moved' : 'nothing moved',
    it.claim && `claims to be done (${it.claim})`,
    it.ward && `checks ${it.ward}`,
    it.verdict,
  ]
  return `${iso(it.endedAt ?? it.startedAt)} iteration ${it.n}: ${words.filter(Boolean).join(', ')}\n`
}

// How far back a log is read to find out what it holds already.
const LOG_TAIL = 4_000

/** session_history.log and errors.log: one line per event that they are about, tagged with its number. */
async function history(
  directory: LoopDirectory,
  { run, state, seq, at }: { run: Shown; state: LoopRun; seq: number; at: number },
  texts: Texts,
): Promise<void> {
  const status = statusWords(state)
  // A log that somebody has filled with numbers to come goes on with the present: the journal has the rest.
  const last = await lastWritten(directory, 'session_history.log')
  const from = Math.min(last.seq, seq)
  const tagged = async (name: LoopFile) => Math.min((await lastWritten(directory, name)).seq, seq)
  const [errorsFrom, activityFrom] = [await tagged('errors.log'), await tagged('activity.log')]
  const lines: string[] = []
  const errors: string[] = []
  const incidents: string[] = []
  for (const event of await run.eventsAfter(from)) {
    if (event.seq > seq) break
    const line = historyWords(event) ?? (await wardWords(event, texts)) ?? (await leftWords(event, texts))
    if (line) lines.push(`${iso(event.at)} [${event.seq}] ${line}\n`)
    const words = event.seq > errorsFrom ? await errorWords(event, texts) : []
    for (const error of words) errors.push(`${iso(event.at)} [${event.seq}] ${error}\n`)
    const incident = event.seq > activityFrom ? incidentWords(event) : null
    if (incident) incidents.push(`${iso(event.at)} [${event.seq}] ${incident}\n`)
  }
  // Not every event has words; where it came to rest is said all the same.
  const rests = run.record.seq === seq && state.status !== 'active' && last.words !== status
  if (lines.length || rests) lines.push(`${iso(at)} [${seq}] ${status}\n`)
  if (incidents.length) await directory.append('activity.log', incidents.join(''))
  if (errors.length) await directory.append('errors.log', errors.join(''))
  if (lines.length) await directory.append('session_history.log', lines.join(''))
}

function statusWords(state: LoopRun): string {
  const { status, cause, doing } = state
  const until = waitsUntil(state)
  return `${status}${cause ? ` (${cause})` : ''}, ${phaseOf(doing)}${until === null ? '' : ` until ${iso(until)}`}`
}

/** The last whole line: after a power cut a log may end with half of one, or with nothing to be read. */
async function lastWritten(directory: LoopDirectory, name: LoopFile): Promise<{ seq: number; words: string }> {
  const tail = (await directory.read(name, LOG_TAIL)) ?? ''
  const [, seq = '0', words = ''] = [...tail.matchAll(/^\S+ \[(\d+)\] (.*)\n/gm)].at(-1) ?? []
  return { seq: Number(seq), words }
}

function historyWords(event: Stamped): string | null {
  switch (event.type) {
    case 'iteration-prepared':
      return `iteration ${event.iteration} prepared, session ${event.session}`
    case 'session-started':
      return `session started, turn ${event.turn}`
    case 'session-ended':
      return `session ended, turn ${event.turn}: ${event.exit.how === 'exited' ? `exit ${event.exit.code}` : 'vanished'}`
    case 'session-stuck':
      return `session stuck, turn ${event.turn}`
    case 'session-not-started':
      return `session not started: ${event.cause}`
    case 'session-reported':
      return reportWords(event.report)
    case 'project-not-found':
      return 'the project directory is not there'
    case 'tree-not-kept':
      return NOT_KEPT
    case 'iteration-closed':
      return `iteration ${event.iteration} closed`
    case 'judged':
      return `judged iteration ${event.iteration}: ${event.judgement.verdict}`
    case 'cancel-requested':
    case 'pause-requested':
    case 'resume-requested':
    case 'reject-requested':
    case 'told':
    case 'answered':
      return event.type
    default:
      return null
  }
}

/** What somebody or something did to an iteration from outside. */
function incidentWords(event: Stamped): string | null {
  // Only a session that was cut off waits for this one.
  if (event.type === 'timer-fired') return event.timer === 'crash-wait' ? 'the session was cut off; it goes on' : null
  if (event.type === 'session-reported') return event.report.kind === 'taken-over' ? CAUSES['taken-over'] : null
  return null
}

function reportWords(report: SessionReport): string | null {
  if (report.kind === 'taken-over') return CAUSES['taken-over']
  const why = report.kind === 'result' ? report.why : null
  return why === 'outage' || why === 'overloaded' ? CAUSES[why] : null
}

async function wardWords(event: Stamped, texts: Texts): Promise<string | null> {
  if (event.type !== 'warded') return null
  const { result, named, tampered } = event.outcome
  const names = named ? oneLine(await texts.get(named).catch(() => ''), 2_000) : ''
  const on = event.iteration === 0 ? 'the base' : `iteration ${event.iteration}`
  return `checks on ${on}: ${result}${tampered ? ', but they were changed' : ''}${names ? `: ${names}` : ''}`
}

async function leftWords(event: Stamped, texts: Texts): Promise<string | null> {
  if (event.type !== 'session-end-delivered' || !event.left) return null
  return oneLine(await texts.get(event.left).catch(() => ''), 2_000)
}

async function errorWords(event: Stamped, texts: Texts): Promise<string[]> {
  if (event.type !== 'iteration-closed') return []
  const { facts, iteration } = event
  return Promise.all(
    facts.errors.map(async ({ text, count }) => {
      const words = await texts.get(text).catch(() => '')
      return `iteration ${iteration}: ${count > 1 ? `${count} times: ` : ''}${oneLine(words, 500)}`
    }),
  )
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
