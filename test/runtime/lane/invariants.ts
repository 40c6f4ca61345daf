import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { unseal } from '../../../src/adapters/journal/seal.ts'
import type { Stamped } from '../../../src/contract/event.ts'
import { ENDED, type RunDetail } from '../../../src/contract/run.ts'
import type { RunRecord } from '../../../src/core/run/advance.ts'
import { runDetail } from '../../../src/core/run/run-view.ts'
import { until } from '../../support/until.ts'
import { heardOnce } from './heard.ts'
import type { Lives } from './lives.ts'
import { journalOf, replay } from './replayed.ts'
import type { Story, Wanted } from './story.ts'
import type { World } from './world.ts'

const iso = (ms: number) => new Date(ms).toISOString()

/** Everything that must hold once all runs have ended; what does not, in sentences. */
export async function wrongWith(world: World, lives: Lives, story: Story): Promise<string[]> {
  const wrong: string[] = [...lives.surprises]
  const say = (sentence: string) => void wrong.push(sentence)
  await settled(world, lives, story, say)
  const records = new Map<string, RunRecord>()
  for (const wanted of story.wanted) {
    const { events, bad } = journalOf(world, wanted.id!)
    if (bad) say(`${wanted.id}: its journal has damage at the end: ${bad}`)
    const record = followed(events, say)
    if (!record) continue
    records.set(wanted.id!, record)
    await equalsLive(record, lives, say)
    acknowledged(wanted, events, say)
    if (story.cuts.length === 0) claimed(world, events, say)
  }
  const requests = [...records.values()].map(({ state }) => state.request)
  if (new Set(requests).size !== requests.length) say('one request has made two runs')
  const others = world.runs().filter(run => !records.has(run) && journalOf(world, run).events.length > 0)
  if (others.length) say(`runs that nobody asked for: ${others.join(', ')}`)
  wrong.push(...heardOnce(world, story))
  if (world.twoAtOnce()) say(`two processes of one session at the same time: ${world.twoAtOnce()}`)
  await lives.stop()
  for (const record of records.values()) equalsStored(world, record, say)
  await leftBehind(world, say)
  return [...wrong, ...complaints(world)]
}

export type Say = (sentence: string) => void

/** A tool that the daemon had just started, to look at something, ends by itself. */
export async function leftBehind(world: World, say: Say): Promise<void> {
  const isGone = () => world.processes().length === 0
  await until(isGone, 'all processes to be gone').catch(() => {
    say(`left behind: ${world.processes().map(commandOf).join('; ')}`)
  })
}

/** An ended run may still have a session to send away: the daemon alone is left when it has. */
export async function settled(world: World, lives: Lives, story: Story, say: Say): Promise<void> {
  const isDone = ({ id }: Wanted) => {
    const last = [...replay(journalOf(world, id!).events)].at(-1)?.after
    return last && Object.keys(last.pending).length === 0
  }
  // All processes of the machine are looked at: not a hundred times a second.
  const quiet = async () => {
    if (story.wanted.every(isDone) && world.processes().length <= 1) return true
    await delay(50)
    return false
  }
  try {
    await until(async () => (await quiet()) || !lives.isAlive(), 'nothing to be left to do')
  } catch {
    const pending = story.wanted.map(({ id }) => [...replay(journalOf(world, id!).events)].at(-1)?.after.pending)
    say(`left to do: ${JSON.stringify(pending)}; ${world.processes().map(commandOf).join('; ')}`)
  }
}

/** Replays it, looking at every step: numbers without a gap, times in order, and no way out of an end but `resume`. */
export function followed(events: Stamped[], say: Say): RunRecord | null {
  let last: RunRecord | null = null
  for (const { event, before, after } of replay(events)) {
    last = after
    if (event.seq !== (before?.seq ?? 0) + 1) say(`${after.state.id}: event ${event.seq} stands after ${before?.seq}`)
    if (before && event.at < before.at) say(`${after.state.id}: event ${event.seq} is older than the one before it`)
    const leaves = before && ENDED.has(before.state.status) && after.state.status !== before.state.status
    if (leaves && event.type !== 'resume-requested')
      say(`${after.state.id}: ${event.type} brought it back from its end`)
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(after)), after)) say(`${after.state.id}: its state is not JSON`)
  }
  if (!last) say('a run without events')
  else if (!ENDED.has(last.state.status)) say(`${last.state.id} is ${last.state.status}, not ended`)
  return last
}

export async function equalsLive(record: RunRecord, lives: Lives, say: Say): Promise<void> {
  let live = await lives.ask<RunDetail>('GET', `/v1/runs/${record.state.id}`)
  // An event stands in the journal a moment before it is served.
  await until(async () => {
    if (live.is !== 'done' || live.value.seq >= record.seq) return true
    live = await lives.ask<RunDetail>('GET', `/v1/runs/${record.state.id}`)
    return false
  }, `${record.state.id} to be served`).catch(() => {})
  if (live.is !== 'done') return say(`${record.state.id} is not shown: ${JSON.stringify(live)}`)
  const replayed: Record<string, unknown> = { ...runDetail(record.state, iso), seq: record.seq }
  const served: Record<string, unknown> = withoutWords(live.value)
  const different = Object.keys(replayed).filter(key => !isDeepStrictEqual(replayed[key], served[key]))
  if (different.length) say(`${record.state.id}: the replay differs from what is served in ${different.join(', ')}`)
}

/** Why a verdict is what it is, and which checks are red, stands in texts beside the journal. */
function withoutWords(detail: RunDetail): RunDetail {
  if (!detail.loop) return detail
  const iterations = detail.loop.iterations.map(iteration => ({ ...iteration, why: null }))
  const checks = detail.loop.checks && { ...detail.loop.checks, names: null }
  return { ...detail, loop: { ...detail.loop, iterations, checks } }
}

export function equalsStored(world: World, record: RunRecord, say: Say): void {
  const path = join(world.home, 'runs', record.state.id, 'state.json')
  const stored = unseal(readFileSync(path, 'utf8').trimEnd())?.value
  if (!isDeepStrictEqual(stored, JSON.parse(JSON.stringify(record))))
    say(`${record.state.id}: the replay is not state.json`)
}

/** What was answered with yes is written down, and nothing is that nobody asked for. */
export function acknowledged({ id, done, asked }: Wanted, events: Stamped[], say: Say): void {
  const count = (type: Stamped['type']) => events.filter(event => event.type === type).length
  const types = {
    tell: 'told',
    pause: 'pause-requested',
    resume: 'resume-requested',
    cancel: 'cancel-requested',
  } as const
  for (const deed of ['tell', 'pause', 'resume', 'cancel'] as const) {
    const written = count(types[deed])
    if (written < done[deed]) say(`${id}: ${done[deed]} times ${deed} was acknowledged, ${written} are written down`)
    // A spawn that is sent again may bring back what a restart has lost.
    if (written > asked[deed] && deed !== 'resume')
      say(`${id}: ${deed} was asked ${asked[deed]} times, written ${written}`)
  }
}

/**
 * A turn that started has claimed its place, once, with the process that the journal names. Or it was abandoned in the
 * moment in which it started, which is a claim by nobody: then no client ever ran.
 */
function claimed(world: World, events: Stamped[], say: Say): void {
  const starts = events.filter(event => event.type === 'session-started')
  const turns = starts.map(({ turn }) => turn)
  if (new Set(turns).size !== turns.length) say(`a turn was started twice: ${turns.join(', ')}`)
  for (const { turn, pid, effect } of starts) {
    const run = effect.split(':')[0]!
    const path = join(world.home, 'runs', run, 'turns', String(turn), 'claim')
    const claim = existsSync(path) ? readFileSync(path, 'utf8').trim() : 'none'
    const ran = world.model.asked.some(({ line }) => line.run === run && line.attempt === String(turn))
    if (claim !== String(pid) && (ran || claim !== '0'))
      say(`${effect}: turn ${turn} started as ${pid}, its claim is ${claim}`)
  }
}

export function complaints(world: World): string[] {
  const log = join(world.home, 'daemon.log')
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []
  return lines.filter(line => / failed: |cannot be read/.test(line)).map(line => `daemon.log: ${line}`)
}

export function commandOf(pid: number): string {
  try {
    return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').slice(0, 200)}`
  } catch {
    return `${pid} gone`
  }
}
