import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { LoopView } from '../../contract/loop.ts'
import type { PoolView } from '../../contract/pool.ts'
import type { Cause, RunDetail, RunSummary } from '../../contract/run.ts'
import { short } from '../../contract/short.ts'
import { parseStreamLine } from '../../contract/stream.ts'
import type { LoopRun } from '../../core/loop/loop-state.ts'
import type { PoolRun } from '../../core/pool/pool-state.ts'
import { sessionOf } from '../../core/run/run-state.ts'
import { runDetail, runSummary } from '../../core/run/run-view.ts'
import type { Texts } from '../../ports.ts'
import { type Inbox, shownQuestion } from '../inbox/inbox.ts'
import { titles } from '../pools/tasks.ts'
import { questWithWords } from '../quests/quest-detail.ts'
import type { Run } from '../runtime/live-run.ts'
import type { Accounts } from '../sessions/accounts.ts'

const iso = (ms: number) => new Date(ms).toISOString()

export function summary(run: Run): RunSummary {
  return runSummary(run.record.state, iso)
}

type Looking = {
  directoryOf(run: string): string
  textsOf(run: string): Texts
  accounts: Accounts
  inbox: Inbox
}

/** A run with everything below it; texts are read from its directory. */
export async function detail(run: Run, { directoryOf, textsOf, accounts, inbox }: Looking): Promise<RunDetail> {
  const [directory, texts] = [directoryOf(run.id), textsOf(run.id)]
  const { state, seq } = run.record
  const prompt = await texts.get(state.prompt).catch(() => null)
  const result = await resultText(run, directory)
  const notes = await notesOn(run, directory, texts)
  const found = runDetail(state, iso)
  const pool = state.kind === 'pool' && found.pool ? { pool: await withTitles(found.pool, state, texts) } : {}
  const quest = state.kind === 'quest' ? { quest: await questWithWords(state, texts) } : {}
  const loop = state.kind === 'loop' && found.loop ? await withReasons(found, found.loop, state, texts) : {}
  const questions = inbox.about(run.id).map(shownQuestion)
  return withLimit(
    { ...found, ...pool, ...quest, ...loop, seq, prompt, result, notes, directory, questions, asks: questions.length },
    accounts.limitOf(run),
  )
}

/** What another run of the same account has found out. */
function withLimit(run: RunDetail, limit: number | null): RunDetail {
  if (limit === null || run.status !== 'active') return run
  const { quest, loop } = run
  const until = iso(limit)
  if (quest) return { ...run, quest: { ...quest, waitsUntil: quest.waitsUntil ?? until } }
  if (loop) return { ...run, loop: { ...loop, waitsUntil: loop.waitsUntil ?? until } }
  return { ...run, notes: [...run.notes, `the account is at a limit until ${until}: nothing of it starts before`] }
}

async function withTitles(pool: PoolView, { tasks }: PoolRun, texts: Texts): Promise<PoolView> {
  const words = await titles(tasks, texts)
  return { ...pool, tasks: pool.tasks.map((task, n) => ({ ...task, title: words[n]! })) }
}

/** An end that is about checks names them. */
const BY_CHECKS: ReadonlySet<Cause> = new Set(['refused-claims', 'red-base', 'base-still-red', 'ward-could-not-run'])

/** A sentence for each verdict, and the checks that are not green; what is longer is in the run's directory. */
async function withReasons(
  { sentence, cause }: Pick<RunDetail, 'sentence' | 'cause'>,
  loop: LoopView,
  { iterations, lastWard }: LoopRun,
  texts: Texts,
): Promise<Pick<RunDetail, 'sentence'> & { loop: LoopView }> {
  const reason = async (ref: string | null) => (ref === null ? null : short(await texts.get(ref).catch(() => ''), 500))
  const why = await Promise.all(iterations.map(({ because }) => reason(because)))
  const names = lastWard?.named ? await texts.get(lastWard.named).catch(() => null) : null
  const checks = loop.checks && { ...loop.checks, names }
  return {
    sentence: names && cause && BY_CHECKS.has(cause) ? `${sentence}: ${names}` : sentence,
    loop: { ...loop, checks, iterations: loop.iterations.map((one, n) => ({ ...one, why: why[n] || null })) },
  }
}

async function notesOn(run: Run, directory: string, texts: Texts): Promise<string[]> {
  const { state } = run.record
  const session = sessionOf(state)
  const notes: string[] = []
  if (state.kind !== 'session') for (const ref of state.notes) notes.push(await texts.get(ref).catch(() => ''))
  if (session?.without.length) {
    notes.push(`started without ${session.without.join(', ')}: lost when the daemon restarted`)
  }
  if (state.repairs) notes.push('its journal was damaged and is repaired; what was set aside is in its directory')
  const asked = state.cause === 'question' ? session?.turn.asked : undefined
  if (asked) notes.push(`it asked: ${await texts.get(asked).catch(() => '')}`)
  if (session && (state.cause === 'client-refused' || state.cause === 'crashed')) {
    const errors = await tail(join(directory, 'turns', String(session.turn.n), 'errors.log'), 2000)
    if (errors.trim()) notes.push(`the client said: ${errors.trim()}`)
  }
  return notes.filter(Boolean)
}

/** The last message of the newest turn that has one. */
async function resultText(run: Run, directory: string): Promise<string | null> {
  const session = sessionOf(run.record.state)
  if (!session?.turn.result) return null
  const { turn, spec } = session
  const text = await tail(
    join(directory, 'turns', String(turn.n), 'output.ndjson'),
    spec.lineLimitBytes,
    turn.result!.offset,
  )
  const line = parseStreamLine(text.trimEnd().split('\n').at(-1) ?? '')
  return line.type === 'result' ? line.text : null
}

/** The end of a file, or what stands before an offset. */
async function tail(path: string, bytes: number, before = Number.POSITIVE_INFINITY): Promise<string> {
  const file = await open(path, 'r').catch(() => null)
  if (!file) return ''
  try {
    const end = Math.min((await file.stat()).size, before)
    const length = Math.min(bytes, end)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, end - length)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
