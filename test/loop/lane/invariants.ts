import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { RunEventOf, Stamped } from '../../../src/contract/event.ts'
import type { RunRecord } from '../../../src/core/run/advance.ts'
import {
  acknowledged,
  complaints,
  equalsLive,
  equalsStored,
  followed,
  leftBehind,
  type Say,
  settled,
} from '../../runtime/lane/invariants.ts'
import type { Lives } from '../../runtime/lane/lives.ts'
import { journalOf } from '../../runtime/lane/replayed.ts'
import type { Story, Wanted } from '../../runtime/lane/story.ts'
import type { World } from '../../runtime/lane/world.ts'
import { until } from '../../support/until.ts'
import { git } from '../projects.ts'

/** How the loop of a project ends when nobody kills anything. */
export type Undisturbed = { iterations: number; proven: boolean }

/** Everything that must hold once all loops have ended; what does not, in sentences. */
export async function wrongWithLoops(world: World, lives: Lives, story: Story, ends: Undisturbed[]): Promise<string[]> {
  const wrong: string[] = [...lives.surprises]
  const say = (sentence: string) => void wrong.push(sentence)
  await settled(world, lives, story, say)
  const records: RunRecord[] = []
  for (const wanted of story.wanted) {
    const { events, bad } = journalOf(world, wanted.id!)
    if (bad) say(`${wanted.id}: its journal has damage at the end: ${bad}`)
    const record = followed(events, say)
    if (!record) continue
    records.push(record)
    await equalsLive(record, lives, say)
    acknowledged(wanted, events, say)
    ended(record, wanted, ends[wanted.project]!, say)
    closedOnce(wanted.id!, events, say)
    askedInOrder(world, wanted.id!, say)
    worked(world, wanted.id!, events, say)
    checkpoints(world, wanted, events, say)
    heard(world, wanted, events, record, say)
    await logged(world, wanted, events, say)
  }
  begunOnce(world, story, say)
  if (world.twoAtOnce()) say(`two sessions of one run at the same time: ${world.twoAtOnce()}`)
  await lives.stop()
  for (const record of records) equalsStored(world, record, say)
  await leftBehind(world, say)
  return [...wrong, ...complaints(world)]
}

/** A story has two ends: the work is done, as if nothing had happened, or somebody cancelled it. */
function ended({ state }: RunRecord, { asked }: Wanted, undisturbed: Undisturbed, say: Say): void {
  if (state.status === 'cancelled' && asked.cancel > 0) return
  if (state.kind !== 'loop' || state.status !== 'complete' || state.cause !== 'stop-word')
    say(`${state.id} is ${state.status}, because of ${state.cause}`)
  else if (state.iteration !== undisturbed.iterations || state.proven !== undisturbed.proven)
    say(`${state.id} ended with ${state.iteration}, proven ${state.proven}, not as ${JSON.stringify(undisturbed)}`)
}

/**
 * Every turn of every session asks its first question once. After a power cut, which may have taken all traces of the
 * first time, it may ask again.
 */
function begunOnce(world: World, story: Story, say: Say): void {
  const firsts = Map.groupBy(
    world.model.asked.filter(({ side, turn }) => !side && turn === 0),
    ({ line, session }) => `${line.run} iteration ${line.iteration}, session ${session}, attempt ${line.attempt}`,
  )
  for (const [turn, questions] of firsts) {
    for (const [n, { number }] of questions.entries()) {
      const before = questions[n - 1]?.number
      if (before !== undefined && !story.cuts.some(({ asked }) => before <= asked && number > asked))
        say(`${turn} began twice`)
    }
  }
}

/** People read the same in the loop directory: a line for each iteration and each event, none twice, none in pieces. */
async function logged(world: World, { id, project }: Wanted, events: Stamped[], say: Say): Promise<void> {
  const lines = (name: string) => {
    const path = join(world.project(project), '.rehoboam', name)
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  }
  const wanted = closings(events).map(({ iteration }) => iteration)
  // What happened to it from outside has lines of its own, tagged with the event.
  const isIncident = (line: string) => /^\S+Z \[\d+\] /.test(line)
  const iterations = () => lines('activity.log').filter(line => !isIncident(line))
  const numbers = () => iterations().map(line => Number(/ iteration (\d+):/.exec(line)?.[1]))
  // They are written beside the run, not before its end is told.
  await until(() => wanted.every(n => numbers().includes(n)), 'the last line of activity.log', 60_000).catch(() => {})
  // One that was cut off by a cancel has its line too, and was never closed.
  const [last = 0] = numbers().sort((a, b) => b - a)
  const all = Array.from({ length: last }, (_, n) => n + 1)
  if (!isDeepStrictEqual(numbers().sort(), all) || last < wanted.length || last > wanted.length + 1)
    say(`${id}: activity.log has iterations ${numbers().join(', ')}, closed are ${wanted.join(', ')}`)
  const tags = lines('session_history.log').map(line => /^\S+Z \[(\d+)\] (.+)/.exec(line)?.slice(1).join(' '))
  const twice = tags.filter((tag, n) => tag === undefined || tags.indexOf(tag) !== n)
  if (twice.length) say(`${id}: session_history.log has twice or in pieces: ${twice.join('; ')}`)
}

/** Iterations are closed one after the other, none left out and none twice. */
function closedOnce(run: string, events: Stamped[], say: Say): void {
  const numbers = closings(events).map(({ iteration }) => iteration)
  if (numbers.some((iteration, n) => iteration !== n + 1))
    say(`${run}: iterations were closed as ${numbers.join(', ')}`)
}

/** The model is never asked for an iteration after it was asked for a later one. */
function askedInOrder(world: World, run: string, say: Say): void {
  const numbers = world.model.asked
    .filter(({ line, side }) => !side && line.run === run)
    .map(({ line }) => Number(line.iteration))
  const back = numbers.findIndex((n, at) => at > 0 && n < numbers[at - 1]!)
  if (back !== -1) say(`${run}: iteration ${numbers[back]} was asked for after ${numbers[back - 1]}`)
}

/** An iteration that was closed was really done, unless somebody cancelled it in the middle. */
function worked(world: World, run: string, events: Stamped[], say: Say): void {
  const done = new Set(world.deeds().map(deed => deed.split(' ').slice(0, 2).join(' ')))
  for (const { iteration } of closings(events).filter(closed => !isCutOff(closed, events))) {
    if (!done.has(`${run} ${iteration}`)) say(`${run}: iteration ${iteration} was closed, and its work was never done`)
  }
}

/** Its checkpoint holds what was left. */
function isCutOff({ seq, iteration }: Stamped<RunEventOf<'iteration-closed'>>, events: Stamped[]): boolean {
  const begun = events.find(event => event.type === 'iteration-prepared' && event.iteration === iteration)?.seq ?? 0
  return events.some(event => event.type === 'cancel-requested' && event.seq > begun && event.seq < seq)
}

/** Each closed iteration has its checkpoint, whole, with the tree that the journal names and the work done until then. */
function checkpoints(world: World, { id, project }: Wanted, events: Stamped[], say: Say): void {
  const at = world.project(project)
  const cutOff = closings(events)
    .filter(closed => isCutOff(closed, events))
    .map(({ iteration }) => iteration)
  for (const { iteration, facts } of closings(events)) {
    const ref = `refs/rehoboam/${id}/${iteration}`
    try {
      const [commit, tree] = git(at, 'rev-parse', ref, `${ref}^{tree}`).trim().split('\n')
      if (commit !== facts.checkpoint?.commit || tree !== facts.checkpoint?.tree)
        say(`${id}: ${ref} is ${commit}, the journal says ${facts.checkpoint?.commit}`)
      git(at, 'rev-list', '--objects', '--quiet', ref)
      if (cutOff.includes(iteration)) continue
      const lines = git(at, 'show', `${ref}:work-done`).trim().split('\n').map(Number)
      const missing = Array.from({ length: iteration }, (_, n) => n + 1).filter(
        n => !lines.includes(n) && !cutOff.includes(n),
      )
      if (missing.length) say(`${id}: the checkpoint of ${iteration} lacks the work of ${missing.join(', ')}`)
      if (Math.max(...lines) > iteration) say(`${id}: the checkpoint of ${iteration} holds later work`)
    } catch (error) {
      say(`${id}: the checkpoint of ${iteration} is broken: ${(error as Error).message.slice(0, 300)}`)
    }
  }
}

/** What was acknowledged is in a prompt that the model heard, if an iteration was begun and closed after it was said. */
function heard(world: World, { id, told }: Wanted, events: Stamped[], record: RunRecord, say: Say): void {
  if (record.state.kind !== 'loop') return
  const prompts = world.model.asked
    .filter(({ line }) => line.run === id)
    .map(({ messages }) => JSON.stringify(messages))
  const silent = told.filter(text => !prompts.some(prompt => prompt.includes(text)))
  // The newest ones may still wait for an iteration that never came.
  const waiting = record.state.waiting.length + record.state.given.length + (record.state.session?.waiting.length ?? 0)
  if (silent.length > waiting)
    say(`${id}: ${silent.length} messages were never heard, ${waiting} wait: ${silent.join('; ')}`)
  if (events.length === 0) say(`${id}: has no events`)
}

function closings(events: Stamped[]): Stamped<RunEventOf<'iteration-closed'>>[] {
  return events.filter(event => event.type === 'iteration-closed')
}
