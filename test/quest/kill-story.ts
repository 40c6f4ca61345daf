import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RehoboamError } from '../../src/contract/errors.ts'
import type { Stamped } from '../../src/contract/event.ts'
import type { RunDetail, RunStanding } from '../../src/contract/run.ts'
import type { QuestRun } from '../../src/core/quest/quest-state.ts'
import { advance, type RunRecord } from '../../src/core/run/advance.ts'
import { bash } from '../../src/rehearsal/replies.ts'
import { git, gitProject } from '../loop/projects.ts'
import { theirs } from '../pool/projects.ts'
import { kill, PUPPET, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { begins, complete, type Planned, plays, shown, signals, simply, startQuest } from './story.ts'

const SLOTS = 2
const KILLS = 2
/** Seeds up to this one have small graphs: `npm test` and `npm run test:all` play these. */
export const SMALL = 25

/** A quest on a graph of chance whose daemon is killed at moments of chance; gives what a person would have to complain about. */
export async function killedQuest(seed: number): Promise<string[]> {
  const chance = chances(seed)
  const steps = graphOf(seed, chance)
  const ids = steps.map(({ id }) => id)
  await using home = await tempHome({ scenario: scenarioOf(steps) })
  // The client has its credentials from elsewhere, as with a login of its own: its sessions go on after a restart.
  delete home.env.ANTHROPIC_API_KEY
  const client = join(home.root, 'client')
  const script = `#!/bin/sh\nexport ANTHROPIC_API_KEY=rehearsal IS_SANDBOX=1\nexec "${PUPPET}" "$@"\n`
  writeFileSync(client, script, { mode: 0o755 })
  home.env.REHOBOAM_CLAUDE = client
  gitProject(home.project, { 'README.md': 'hello\n' })
  const before = theirs(home.project)
  const run = await startQuest(home, { ward: ['test ! -e broken'], flags: { slots: String(SLOTS) } })
  // More or less as many as its journals come to when nothing goes wrong.
  const most = 40 + ids.length * 40
  const moments = Array.from({ length: KILLS }, () => 2 + chance(most)).sort((a, b) => a - b)
  for (const moment of moments) {
    await until(async () => eventsOf(home) >= moment || (await isOver(home, run)), `event ${moment} of seed ${seed}`)
    const pid = home.daemonPid()
    if (pid) kill(pid)
  }
  await until(() => isOver(home, run), `the end of the quest of seed ${seed}`, 600_000)
  return complaints(home, run, steps, await shown(home, run), before)
}

/** Steps that each depend on some of the steps before them: one or two steps for small seeds, up to six in a soak. */
function graphOf(seed: number, chance: (below: number) => number): Planned[] {
  return Array.from({ length: 1 + chance(seed <= SMALL ? 2 : 6) }, (_, n) => {
    const dependsOn = Array.from({ length: n }, (__, other) => `s${other}`).filter(() => chance(3) === 0)
    return { id: `s${n}`, dependsOn }
  })
}

/** The first breaks the checks once; of the last the Siegemaster sends something back once. */
function scenarioOf(steps: Planned[]) {
  const last = steps.at(-1)!.id
  const gap = {
    signal: 'needs-role-followup' as const,
    targetRole: 'codeweaver',
    reason: 'a gap',
    context: '',
    resume: true,
  }
  return [
    ...begins(steps),
    ...plays('codeweaver', 's0', 1, bash('echo s0 > s0.txt; touch broken'), complete('s0')),
    ...plays('spiritmender', 's0', null, bash('rm -f broken'), complete('s0')),
    ...plays('siegemaster', last, 1, signals(gap, last)),
    ...simply(steps.map(({ id }) => id)),
  ]
}

function eventsOf(home: TempHome): number {
  return home.runs().reduce((sum, id) => {
    const path = join(home.home, 'runs', id, 'journal.ndjson')
    return sum + (existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0)
  }, 0)
}

async function isOver(home: TempHome, run: string): Promise<boolean> {
  try {
    const { status } = await home.daemon.ask<RunStanding>({ path: `/v1/runs/${run}/standing` })
    return status !== 'active'
  } catch (error) {
    // On a machine that is busy with many such stories a killed daemon may take longer to come back than one command waits.
    if (error instanceof RehoboamError && error.code === 'daemon-down') return false
    throw error
  }
}

function complaints(
  home: TempHome,
  run: string,
  steps: Planned[],
  found: RunDetail,
  before: ReturnType<typeof theirs>,
): string[] {
  const { project } = home
  const wrong: string[] = []
  const say = (isWrong: boolean, words: string) => {
    if (isWrong) wrong.push(words)
  }
  const { status, cause, proven } = found
  say(
    status !== 'complete' || !proven,
    `it is ${status} (${cause}), proven: ${proven}: ${found.quest?.waits.join(', ')}`,
  )
  const log = git(project, 'log', '--first-parent', '--format=%B', `rehoboam/${run}`).split('\n')
  for (const { id } of steps) {
    const times = log.filter(line => line === `Rehoboam-Merged: ${id}`).length
    say(times !== 1, `step ${id} is merged ${times} times`)
  }
  const files = git(project, 'ls-tree', '-r', '--name-only', `rehoboam/${run}`).trim().split('\n')
  say(files.join() !== ['README.md', ...steps.map(({ id }) => `${id}.txt`)].join(), `the result holds ${files.join()}`)
  say(git(project, 'branch', '--list', 'rehoboam-work/*') !== '', 'branches of steps are left')
  // Our own copy, half written when a daemon died, is nobody's edit.
  say(
    found.notes.some(note => note.includes('somebody changed')),
    'the copy for people is taken for edited',
  )
  const left = readdirSync(join(home.home, 'worktrees')).filter(name => name.includes('.'))
  say(left.length > 0, `worktrees are left: ${left.join()}`)
  say(JSON.stringify(theirs(project)) !== JSON.stringify(before), 'something of the user’s has changed')
  wrong.push(...broken(home.journal(run), steps))
  return wrong
}

/** The journal once more from its beginning: what held after every event. */
function broken(events: Stamped[], steps: Planned[]): string[] {
  const wrong = new Set<string>()
  let record: RunRecord<QuestRun> | null = null
  for (const event of events) {
    record = advance<QuestRun>(record, event).record
    const { children, steps: works } = record.state
    const live = children.filter(({ isLive }) => isLive)
    const busy = live.filter(({ slot }) => slot !== null)
    if (busy.length > SLOTS) wrong.add(`${busy.length} slots were busy`)
    const complete = new Set(works.filter(work => work.state === 'complete').map(({ id }) => id))
    for (const { id, dependsOn = [] } of steps) {
      const isBegun = live.some(session => session.step === id)
      if (isBegun && !dependsOn.every(other => complete.has(other))) wrong.add(`${id} began too early`)
    }
  }
  return [...wrong]
}

/** Whole numbers below a bound, the same for the same seed. */
function chances(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return below => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
