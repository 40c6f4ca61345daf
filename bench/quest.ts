import type { RunEvent } from '../src/contract/event.ts'
import { sessionNamed } from '../src/core/quest/quest-state.ts'
import { bash } from '../src/rehearsal/replies.ts'
import { created, ended, play, post, type QuestRecord, roleEnd, step } from '../test/core/quest-world.ts'
import { text } from '../test/core/run-world.ts'
import { gitProject } from '../test/loop/projects.ts'
import { begins, complete, plays, rests, startQuest } from '../test/quest/story.ts'
import { tempHome } from '../test/support/temp-home.ts'
import { listMakespan, randomGraph, virtualMakespan } from './quest-virtual.ts'
import { compare, type Figure, type Measure, rounded, timed } from './statistics.ts'

const GRAPHS = 1_000
const STEPS = 24
const SLOTS = 4
const WORK_S = 2
const ALLOWED = 1.25

/** Slots in a time of their own against list scheduling; with real processes; and what a decision costs in a large plan. */
export async function questBench(): Promise<(Figure | Measure)[]> {
  return [scheduled(), await decided(), await real()]
}

/** Graphs whose makespan differs from that of list scheduling with the same priority: none. */
function scheduled(): Measure {
  const seeds = Array.from({ length: GRAPHS }, (_, n) => n + 1)
  const differs = seeds.filter(seed => {
    const graph = randomGraph(seed)
    return virtualMakespan(graph) !== listMakespan(graph)
  })
  const what = `makespan of ${GRAPHS} random graphs that is not that of list scheduling${differs.length ? `, first seed ${differs[0]}` : ''}`
  return { name: 'slots in virtual time', what, is: differs.length, unit: 'graphs', under: 1 }
}

/** Ten times as many steps may cost ten times as much, with some noise; a square would be a hundred times. */
function decided(): Promise<Figure> {
  const side = (count: number) => {
    const { record, events } = largePlan(count)
    return {
      name: `${count} steps`,
      run: () =>
        timed(() => {
          let at = record
          for (const event of events(at)) at = post(at, event).record
        }),
    }
  }
  return compare('a step comes to its next phase', { baseline: side(1_000), subject: side(10_000) }, 9, { ratio: 20 })
}

/** A plan of so many steps, each behind the one ten before it, in which four sessions work. */
function largePlan(count: number) {
  const steps = Array.from({ length: count }, (_, n) => step(`s${n}`, n < 10 ? [] : [`s${n - 10}`]))
  const first = post(null, created({ slots: SLOTS })).record
  const { record } = play(first, { plans: [{ steps }] }, 100_000, seen => seen.state.children.length > SLOTS + 2)
  const events = (at: QuestRecord): RunEvent[] => {
    const [key, effect] = Object.entries(at.pending).find(([, one]) => one.do === 'run-child')!
    if (effect.do !== 'run-child') return []
    const { n } = sessionNamed(at.state, effect.child)
    const said = { signal: 'complete' as const, text: text(9), target: null, resume: false }
    return [{ type: 'signalled', n, ...said }, roleEnd(key, n, ended({ costUsd: 0, commit: '1'.repeat(40) }))]
  }
  return { record, events }
}

/** Real processes, worktrees, wards and merges, by the puppet: against the same graph in virtual time. */
async function real(): Promise<Measure> {
  const ids = Array.from({ length: STEPS }, (_, n) => `s${n + 1}`)
  const scenario = [
    ...begins(ids.map(id => ({ id }))),
    ...ids.flatMap(id => [
      ...plays('codeweaver', id, null, bash(`sleep ${WORK_S}; echo ${id} > ${id}.txt`), complete(id)),
      ...plays('siegemaster', id, null, bash(`sleep ${WORK_S}`), complete(id)),
    ]),
    ...plays('lawbringer', 'review', null, complete('review')),
  ]
  await using home = await tempHome({ scenario })
  gitProject(home.project)
  const run = await startQuest(home, { ward: ['true'], flags: { slots: String(SLOTS) } })
  const { status, cause } = await rests(home, run)
  if (status !== 'complete') throw new Error(`the quest is ${status} (${cause})`)
  const events = home.journal(run)
  const begun = events.find(({ type }) => type === 'steps-set')!.at
  const merged = events.filter(event => event.type === 'task-merged').at(-1)!.at
  const tookMs = new Map(ids.map(id => [id, { codeweaver: WORK_S * 1000, siegemaster: WORK_S * 1000 }]))
  const bestMs = virtualMakespan({ steps: ids.map(id => step(id)), slots: SLOTS, tookMs })
  const what = `${STEPS} steps of twice ${WORK_S} s in ${SLOTS} slots, ward and merge included: times as long as in virtual time (${bestMs / 1000} s)`
  return { name: 'a quest', what, is: rounded((merged - begun) / bestMs), unit: 'times', under: ALLOWED }
}
