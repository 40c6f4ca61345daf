import { CAUSES, ENDED_STATUSES, NOT_KEPT } from '../contract/causes.ts'
import type { RunEventOf, Stamped } from '../contract/event.ts'
import type { RunDetail, RunStatus, RunSummary } from '../contract/run.ts'
import { UNPROVEN } from '../contract/worth.ts'
import { plainLine } from './plain.ts'
import { widthOf } from './width.ts'
import { agoWords, costWords, durationWords } from './words.ts'

/** Exit codes of a command that waited for a run: scripts branch on them. */
export const EXIT_CODES: Record<RunStatus, number> = {
  complete: 0,
  failed: 1,
  stalled: 3,
  'over-budget': 4,
  cancelled: 5,
  paused: 6,
  blocked: 6,
  active: 1,
}

/** Tells a run's events, in their order: a line for each, or null when it matters to nobody who reads along. */
export function eventTeller(): (event: Stamped) => string | null {
  let isLoop = false
  let isTurnOpen = false
  let isEndedByUs = false
  let isTheirs = false
  return event => {
    isLoop ||= event.type === 'iteration-prepared'
    // A loop counts iterations: the turns below them are its own affair. A session that we ended was not cut off.
    const isSilent = event.type === 'session-started' ? isLoop : event.type === 'session-ended' && isEndedByUs
    if (event.type === 'session-started') isTurnOpen = true
    else if (event.type === 'session-ended') isTurnOpen = isEndedByUs = false
    else if (event.type === 'resume-requested') isEndedByUs = isTurnOpen && event.into !== undefined
    else isEndedByUs ||= endsTheTurn(event)
    // Said once: they may type for hours. Who has a pane for themselves may also close it.
    const wasTheirs = isTheirs
    if (isTakenOver(event)) isTheirs = true
    else if (event.type === 'session-ended' || event.type === 'resume-requested') isTheirs = false
    if (isSilent || (wasTheirs && (isTakenOver(event) || event.type === 'session-ended'))) return null
    return (isLoop ? outageWords(event) : null) ?? eventWords(event)
  }
}

function isTakenOver(event: Stamped): boolean {
  return event.type === 'session-reported' && event.report.kind === 'taken-over'
}

/** Who tries again by itself. */
function outageWords(event: Stamped): string | null {
  const why = event.type === 'session-reported' && event.report.kind === 'result' ? event.report.why : null
  return why === 'outage' || why === 'overloaded' ? `${CAUSES[why]}; the loop waits and tries again` : null
}

/** Asked for by a person or by a limit, or the turn had said its last word anyway. */
function endsTheTurn(event: Stamped): boolean {
  if (event.type === 'timer-fired') return ['max-time', 'background', 'quiet'].includes(event.timer)
  if (event.type === 'session-reported') return ['result', 'stopped'].includes(event.report.kind)
  return ['cancel-requested', 'pause-requested', 'question-asked'].includes(event.type)
}

/** Runs that are more than one session. */
const DRIVEN: ReadonlySet<string> = new Set(['loop', 'pool', 'quest'])

function eventWords(event: Stamped): string | null {
  switch (event.type) {
    case 'run-created':
      return `${DRIVEN.has(event.kind) ? event.kind : 'run'} ${event.run} in ${plainLine(event.spec.project)}`
    case 'session-started':
      return event.turn > 1 ? `turn ${event.turn} started` : null
    case 'loop-opened':
      return event.base ? null : 'no git repository: no checkpoints, nothing is proven'
    case 'loop-not-opened':
    case 'branch-not-opened':
      return `could not start: ${CAUSES[event.cause]}`
    case 'project-not-found':
      return `could not go on: ${CAUSES['project-missing']}`
    case 'tree-not-kept':
      return NOT_KEPT
    case 'iteration-prepared':
      return `iteration ${event.iteration}`
    case 'iteration-closed':
      return closedWords(event)
    case 'warded':
      return wardWords(event)
    case 'child-started':
      return `${event.child}: begins`
    case 'child-changed':
      return childWords(event)
    case 'child-not-started':
      return `${event.child}: ${CAUSES[event.cause]}`
    case 'child-ended':
      return `${event.child}: ${event.outcome.status}${event.outcome.cause ? ` (${event.outcome.cause})` : ''}, ${costWords(event.outcome.costUsd)}`
    case 'tasks-read':
    case 'tasks-added':
      return event.added.length ? `new tasks: ${event.added.map(({ id }) => id).join(', ')}` : null
    case 'task-claimed':
      return `${event.task}: somebody has taken it`
    case 'task-released':
      return `${event.task}: it is free again`
    case 'task-done':
      return `${event.task}: somebody says that it is done`
    case 'task-merged':
      return `${event.task}: ${MERGE_WORDS[event.outcome.result]}`
    case 'judged':
      return `the judge says: ${event.judgement.verdict}, ${costWords(event.judgement.costUsd)}`
    case 'reject-requested':
      return 'rejected: it ends after this iteration'
    case 'answered':
      return 'answered'
    case 'session-not-started':
      return `could not start: ${CAUSES[event.cause]}${event.names.length ? `: ${event.names.map(name => plainLine(name)).join(', ')}` : ''}`
    case 'session-ended':
      return cutOffWords(event.exit)
    case 'timer-fired':
      // Only a session that was cut off waits for this one.
      return event.timer === 'crash-wait' ? 'it goes on where it was cut off' : null
    case 'session-reported':
      return event.report.kind === 'taken-over'
        ? 'somebody types in its pane: the run pauses until it is resumed'
        : null
    case 'session-stuck':
      return 'the session said and did nothing for a long time; it is ended'
    case 'cancel-requested':
      return 'cancelled'
    case 'pause-requested':
      return 'paused'
    case 'resume-requested':
      return event.into ? 'taken over: it goes on in a pane' : 'resumed'
    case 'question-asked':
      return 'it asks for a person, and questions are not wanted'
    case 'told':
      return 'a message was left for the next turn'
    case 'journal-repaired':
      return `the journal was damaged (${plainLine(event.reason)}); ${event.bytes} bytes are set aside`
    default:
      return null
  }
}

/** A code above 128 is a signal: somebody killed it. */
function cutOffWords(exit: RunEventOf<'session-ended'>['exit']): string | null {
  if (exit.how === 'vanished') return 'the session was cut off'
  return exit.code > 128 ? `the session was cut off (exit ${exit.code})` : null
}

const MERGE_WORDS: Record<RunEventOf<'task-merged'>['outcome']['result'], string> = {
  merged: 'merged',
  nothing: 'it changed nothing',
  red: 'the checks are red on the result; its worker hears what failed',
  conflict: 'in conflict with what others did',
  'could-not-run': 'could not be merged',
}

function childWords({ child, status, cause, iteration }: RunEventOf<'child-changed'>): string | null {
  if (status === 'active') return iteration === 0 ? `${child}: continues` : `${child}: iteration ${iteration}`
  // That it has ended is said when what it left is in.
  return ENDED_STATUSES.some(ended => ended === status)
    ? null
    : `${child}: ${status}${cause ? `: ${CAUSES[cause]}` : ''}`
}

function closedWords({ iteration, facts }: RunEventOf<'iteration-closed'>): string {
  const words = [
    `iteration ${iteration} is over`,
    `${facts.toolCalls} tool ${facts.toolCalls === 1 ? 'call' : 'calls'}`,
    facts.anchorChanged ? 'the anchor was changed and is restored' : null,
    facts.claim ? 'claims to be done' : facts.verdict === 'continue' ? null : `sounds ${facts.verdict}`,
  ]
  return words.filter(Boolean).join(', ')
}

function wardWords({ iteration, outcome }: RunEventOf<'warded'>): string {
  const what = iteration === 0 ? 'the checks on what was there before' : 'the checks'
  const how = { green: 'are green', red: `are red: ${outcome.failing.length}`, 'could-not-run': 'could not be run' }
  return `${what} ${how[outcome.result]}${outcome.tampered ? ', but they were changed: no proof' : ''}`
}

/** The last line of a run that ended or stopped: what, why, proof, cost, and what to type next. */
export function endWords(run: RunDetail, now: number): string {
  const took = durationWords((run.endedAt ? Date.parse(run.endedAt) : now) - Date.parse(run.startedAt))
  const next = nextCommand(run)
  return `${statusWords(run)}: ${plainLine(run.sentence)}, ${took}, ${costWords(run.costUsd)}${next ? `; ${next}` : ''}`
}

/** A loop that is complete says whether that is proven, one is worth more than the other; and who is waited for. */
export function statusWords(
  { status, proven, asks }: Pick<RunSummary, 'status' | 'proven' | 'asks'>,
  progress = '',
  why: RunSummary['unproven'] = null,
): string {
  const unproven = why ? `unproven (${UNPROVEN[why]})` : 'unproven'
  const proof = status === 'complete' && proven !== null ? (proven ? 'proven' : unproven) : null
  return [status + progress, proof, asks ? 'asks you' : null].filter(Boolean).join(', ')
}

/** Its one session waits for an answer: it does not work, whatever its own sentence says. */
export function isHeldUp({ kind, status, asks }: Pick<RunSummary, 'kind' | 'status' | 'asks'>): boolean {
  return Boolean(asks) && status === 'active' && (kind === 'session' || kind === 'loop')
}

function nextCommand(run: RunDetail): string | null {
  switch (run.status) {
    case 'complete': {
      const { branch } = run.quest ?? run.pool ?? run.loop ?? {}
      const merge = hasChanged(run) && branch ? `rehoboam merge ${run.id} brings it into your branch` : null
      return shown(run, merge ?? `to go on: rehoboam resume ${run.id} "<text>"`)
    }
    case 'failed':
      return `rehoboam show ${run.id} says more, rehoboam resume ${run.id} tries again`
    case 'blocked':
      return run.questions?.[0]
        ? `rehoboam answer ${run.questions[0].id.slice(0, 8)} "<text>" goes on`
        : `rehoboam resume ${run.id} goes on`
    case 'active':
      return `rehoboam logs -f ${run.id} follows it`
    case 'paused':
      return run.cause === 'question'
        ? `rehoboam resume ${run.id} goes on, and its questions come to the inbox`
        : `rehoboam resume ${run.id} goes on`
    default:
      return shown(run, `rehoboam resume ${run.id} goes on`)
  }
}

function shown(run: RunDetail, next: string): string {
  return hasChanged(run) ? `rehoboam diff ${run.id} shows it, ${next}` : next
}

/** Where nothing moved there is nothing to look at. */
function hasChanged({ loop, pool, quest }: RunDetail): boolean {
  const result = pool ?? quest
  return result ? result.tip !== null && result.tip !== result.base : loop?.changed === true
}

export function runsTable(runs: RunSummary[], now: number): string[] {
  const rows = runs.map(run => [
    run.id,
    run.kind,
    statusWords(run, progressOf(run), run.unproven) + waitOf(run, now),
    agoWords(now - Date.parse(run.startedAt)),
    costWords(run.costUsd),
    plainLine(run.project),
  ])
  return table([['run', 'kind', 'status', 'started', 'cost', 'project'], ...rows], [4])
}

/** How far it is: iterations of a loop, steps of a quest. */
function progressOf({ kind, iteration, maxIterations, steps }: RunSummary): string {
  if (iteration !== null) return ` ${iteration}/${maxIterations}`
  return kind === 'quest' && steps?.total ? ` ${steps.complete}/${steps.total}` : ''
}

function waitOf({ waitsUntil }: RunSummary, now: number): string {
  if (waitsUntil === null) return ''
  // By the second: nobody reads milliseconds of a wait.
  const seconds = Math.max(1, Math.ceil((Date.parse(waitsUntil) - now) / 1000))
  return `, goes on in ${durationWords(seconds * 1000)}`
}

/** Columns as wide as their widest cell on a terminal; those named are aligned to the right. */
export function table(rows: string[][], right: number[] = []): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => widthOf(row[column] ?? '')))) ?? []
  return rows.map(row =>
    row
      .map((cell, column) => {
        const gap = ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)))
        return right.includes(column) ? gap + cell : cell + gap
      })
      .join('  ')
      .trimEnd(),
  )
}
