import type { RunEventOf, Stamped } from '../../../src/contract/event.ts'
import type { RunRecord } from '../../../src/core/advance.ts'
import {
  acknowledged,
  commandOf,
  complaints,
  equalsLive,
  equalsStored,
  followed,
  type Say,
  settled,
} from '../../runtime/lane/invariants.ts'
import type { Lives } from '../../runtime/lane/lives.ts'
import { journalOf } from '../../runtime/lane/replayed.ts'
import type { Story, Wanted } from '../../runtime/lane/story.ts'
import type { World } from '../../runtime/lane/world.ts'
import { git } from '../projects.ts'

/** Everything that must hold once all loops have ended; what does not, in sentences. */
export async function wrongWithLoops(world: World, lives: Lives, story: Story): Promise<string[]> {
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
    ended(record, wanted, say)
    closedOnce(wanted.id!, events, say)
    askedInOrder(world, wanted.id!, say)
    worked(world, wanted.id!, events, say)
    checkpoints(world, wanted, events, say)
    heard(world, wanted, events, record, say)
  }
  if (world.twoAtOnce()) say(`two sessions of one run at the same time: ${world.twoAtOnce()}`)
  await lives.stop()
  for (const record of records) equalsStored(world, record, say)
  if (world.processes().length) say(`left behind: ${world.processes().map(commandOf).join('; ')}`)
  return [...wrong, ...complaints(world)]
}

/** A story has two ends: the work is done, or somebody cancelled it. */
function ended({ state }: RunRecord, { asked }: Wanted, say: Say): void {
  const expected = state.status === 'complete' || (state.status === 'cancelled' && asked.cancel > 0)
  if (!expected) say(`${state.id} is ${state.status}, because of ${state.cause}`)
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

/** An iteration that was closed was really done. */
function worked(world: World, run: string, events: Stamped[], say: Say): void {
  const done = new Set(world.deeds().map(deed => deed.split(' ').slice(0, 2).join(' ')))
  for (const { iteration } of closings(events)) {
    if (!done.has(`${run} ${iteration}`)) say(`${run}: iteration ${iteration} was closed, and its work was never done`)
  }
}

/** Each closed iteration has its checkpoint, whole, with the tree that the journal names and the work done until then. */
function checkpoints(world: World, { id, project }: Wanted, events: Stamped[], say: Say): void {
  const at = world.project(project)
  for (const { iteration, facts } of closings(events)) {
    const ref = `refs/rehoboam/${id}/${iteration}`
    try {
      const [commit, tree] = git(at, 'rev-parse', ref, `${ref}^{tree}`).trim().split('\n')
      if (commit !== facts.checkpoint?.commit || tree !== facts.checkpoint?.tree)
        say(`${id}: ${ref} is ${commit}, the journal says ${facts.checkpoint?.commit}`)
      git(at, 'rev-list', '--objects', '--quiet', ref)
      const lines = git(at, 'show', `${ref}:work-done`).trim().split('\n').map(Number)
      const missing = Array.from({ length: iteration }, (_, n) => n + 1).filter(n => !lines.includes(n))
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
