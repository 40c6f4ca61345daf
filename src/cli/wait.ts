import { askOn, followRun, readRun, runGoesOn } from '../client/follow.ts'
import type { RehoboamError } from '../contract/errors.ts'
import type { RunEvent } from '../contract/event.ts'
import type { FeedItem } from '../contract/feed.ts'
import type { RunDetail, RunStanding } from '../contract/run.ts'
import { outputLines } from '../view/output-line.ts'
import { plainLine } from '../view/plain.ts'
import { poolSummaryLines } from '../view/pool-lines.ts'
import { questSummaryLines } from '../view/quest-lines.ts'
import { EXIT_CODES, endWords, eventTeller } from '../view/run-words.ts'
import type { Face } from './face.ts'
import { eventId } from './hook/event-id.ts'
import { QuestFollower } from './quest-follower.ts'
import { runPath } from './run-path.ts'
import { watchQuestions } from './watch-questions.ts'

/**
 * Prints a run as it goes, and gives its exit code when it has ended or waits for a person. Ctrl-C, or whatever else
 * `leaving` stands for, cancels it.
 */
export async function waitForRun(
  face: Face,
  id: string,
  { json, leaving }: { json: boolean; leaving?: AbortSignal },
): Promise<number> {
  let cancelling: Promise<void> | null = null
  const interrupts = leaving ? null : onInterrupt(() => cancelling && lingerFor(face, cancelling))
  const leave = leaving ?? interrupts!.signal
  const cancel = () => {
    face.out.note(`cancelling${interrupts ? '; again to leave at once (the run then ends by itself)' : ''}`)
    cancelling = cancelRun(face, id).then(() => {
      cancelling = null
    })
  }
  if (leave.aborted) cancel()
  else leave.addEventListener('abort', cancel, { once: true })
  const following = new AbortController()
  const stopWatching = watchQuestions(face, id, json)
  try {
    const run = await followToEnd(face, id, { json, draws: true }, following.signal)
    if (!run) return 1
    if (json) face.out.jsonLine({ run })
    else conclude(face, run)
    return leave.aborted ? 130 : EXIT_CODES[run.status]
  } finally {
    leave.removeEventListener('abort', cancel)
    interrupts?.stop()
    following.abort()
    stopWatching()
  }
}

async function cancelRun(face: Face, id: string): Promise<void> {
  // It may come twice: cancelled is cancelled.
  const body = { request: eventId() }
  await face.daemon.ask({ method: 'POST', path: runPath(id, '/cancel'), body }).catch((error: RehoboamError) => {
    if (error.code !== 'run-ended') face.out.note(`it is not cancelled: ${error.message}`)
  })
}

/** We said that it is being cancelled: that must be true before we are gone. */
function lingerFor(face: Face, cancelling: Promise<void>): Promise<void> {
  face.out.note('the daemon has not heard it yet: leaving as soon as it has; again to leave now, and the run may go on')
  return cancelling
}

/** Nobody is asked when that was said, or when somebody waits who is no person: a script has no inbox. */
export function noQuestions(face: Face, { wait, questions }: { wait?: boolean; questions?: boolean }): boolean {
  return questions === false || (wait === true && !face.hasPerson)
}

/** Prints what there is; with `follow`, goes on until the run has ended or the reader leaves. */
export async function printLog(
  face: Face,
  id: string,
  { json, follow }: { json: boolean; follow: boolean },
): Promise<void> {
  const interrupts = onInterrupt()
  try {
    const run = await face.daemon.ask<RunDetail>({ path: runPath(id) })
    if (follow && run.status === 'active') await followToEnd(face, run.id, { json, draws: false }, interrupts.signal)
    else await printAll(face, run.id, json, interrupts.signal)
  } finally {
    interrupts.stop()
  }
}

async function printAll(face: Face, id: string, json: boolean, signal: AbortSignal): Promise<void> {
  const { print } = printer(face, id, { json, draws: false })
  for await (const item of readRun(face.daemon, id, signal)) await print(item)
}

/** Prints all of it up to the last event of a run that has come to a stop, which may be several after the one that stopped it. */
async function followToEnd(face: Face, id: string, how: Printing, signal: AbortSignal): Promise<RunDetail | null> {
  const printing = printer(face, id, how)
  try {
    return await printToEnd(face, id, printing.print, signal)
  } finally {
    printing.stop()
  }
}

async function printToEnd(face: Face, id: string, print: Print, signal: AbortSignal): Promise<RunDetail | null> {
  let last = Number.POSITIVE_INFINITY
  for await (const item of followRun(face.daemon, id, signal)) {
    await print(item)
    if (!('event' in item) || (item.event.seq < last && !(last === Infinity && !GOES_ON.has(item.event.type)))) continue
    const ask = <T>(path: string) => askOn<T>(face.daemon, { path }, signal, runGoesOn(id))
    const standing = await ask<RunStanding>(runPath(id, '/standing'))
    if (!standing) return null
    last = standing.status === 'active' ? Number.POSITIVE_INFINITY : standing.seq
    if (item.event.seq >= last) return ask<RunDetail>(runPath(id))
  }
  return null
}

/** `draws`: a quest's picture stays below what is printed. */
type Printing = { json: boolean; draws: boolean }
type Print = (item: FeedItem) => Promise<void>

function printer(face: Face, id: string, { json, draws }: Printing): { print: Print; stop(): void } {
  const wordsOf = eventTeller()
  let quest: QuestFollower | null = null
  const print = async (item: FeedItem) => {
    if (json) return face.out.jsonLine(item)
    if ('output' in item) {
      for (const { tone, text } of outputLines(item.output)) face.out.line(text, tone)
      return
    }
    const { event } = item
    if (event.type === 'run-created' && event.kind === 'quest') quest = new QuestFollower(face, id, draws)
    const own = await quest?.words(event)
    const words = own === undefined ? wordsOf(event) : own
    const checks = await checksNamed(face, id, event)
    if (words) face.out.line(checks ? `${words} (${checks})` : words, 'note')
  }
  return { print, stop: () => quest?.stop() }
}

/** Which checks are not green: their names stand beside the journal. */
async function checksNamed(face: Face, id: string, event: RunEvent): Promise<string | null> {
  if (event.type !== 'warded' || !event.outcome.named) return null
  const run = await face.daemon.ask<RunDetail>({ path: runPath(id) }).catch(() => null)
  const checks = run?.loop?.checks
  return checks?.names && checks.iteration === event.iteration ? plainLine(checks.names, 1_500) : null
}

function conclude(face: Face, run: RunDetail): void {
  for (const note of run.notes) face.out.note(`note: ${note}`)
  for (const line of [...poolSummaryLines(run), ...questSummaryLines(run)]) face.out.line(line)
  face.out.line(endWords(run, Date.now()), run.status === 'complete' ? 'good' : 'fail')
}

/** What leaves a run where it stands. After anything else it may have come to a stop, and is asked: a kind of event that
 *  somebody adds and forgets here costs a question, not a command that waits for ever. */
const GOES_ON: ReadonlySet<RunEvent['type']> = new Set([
  'run-created',
  'session-started',
  'told',
  'text-typed',
  'verdict-marked',
])

/**
 * The first Ctrl-C is ours to handle, the second leaves: at once, or when what is `underWay` is done; a third always at
 * once. A closed terminal changes nothing for the run.
 */
export function onInterrupt(underWay: () => Promise<void> | null = () => null): { signal: AbortSignal; stop(): void } {
  const first = new AbortController()
  let isLeaving = false
  const handle = () => {
    if (!first.signal.aborted) return first.abort()
    const awaited = isLeaving ? null : underWay()
    if (!awaited) process.exit(130)
    isLeaving = true
    void awaited.then(() => process.exit(130))
  }
  process.on('SIGINT', handle)
  return { signal: first.signal, stop: () => void process.removeListener('SIGINT', handle) }
}
