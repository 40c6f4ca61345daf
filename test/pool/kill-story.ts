import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stamped } from '../../src/contract/event.ts'
import type { PoolRun } from '../../src/core/pool/pool-state.ts'
import { advance } from '../../src/core/run/advance.ts'
import { git, gitProject } from '../loop/projects.ts'
import { linesOf } from '../session/runs.ts'
import { kill, PUPPET, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import type { PoolRecord } from './pool-world.ts'
import { plan, startPool, theirs, worker } from './projects.ts'

const TASKS = ['A', 'B', 'C']
const RESOLVED = `printf 'alpha-both\\nbeta\\n' > list.txt`
// One commits by itself and leaves a file besides, one conflicts with it, one breaks the checks at first.
const SCENARIO = [
  ...plan(TASKS.map(id => `[${id}] Do the part ${id}`)),
  ...worker(
    'A',
    `sed -i 's/alpha/alpha-a/' list.txt; git commit -qam 'by hand: A'; echo a > a.txt`,
    `${RESOLVED}; git commit -qam 'by hand: A again'`,
  ),
  ...worker('B', `sed -i 's/alpha/alpha-b/' list.txt; git commit -qam 'by hand: B'`, RESOLVED),
  ...worker('C', 'echo c > c.txt; touch broken', 'rm broken'),
]
/** What its journals come to when nothing goes wrong, more or less. */
const EVENTS = 85
const KILLS = 3

/** A pool whose daemon is killed at moments of chance; gives what a person would have to complain about. */
export async function killedPool(seed: number): Promise<string[]> {
  await using home = await tempHome({ scenario: SCENARIO })
  // The client has its credentials from elsewhere, as with a login of its own: its sessions go on after a restart.
  delete home.env.ANTHROPIC_API_KEY
  const client = join(home.root, 'client')
  writeFileSync(client, `#!/bin/sh\nexport ANTHROPIC_API_KEY=rehearsal IS_SANDBOX=1\nexec "${PUPPET}" "$@"\n`, {
    mode: 0o755,
  })
  home.env.REHOBOAM_CLAUDE = client
  const { project } = home
  gitProject(project, { 'list.txt': 'alpha\nbeta\n' })
  writeFileSync(join(project, 'list.txt'), 'for later\n')
  git(project, 'stash', 'push', '-q', '-m', 'theirs')
  git(project, 'branch', 'theirs')
  const before = theirs(project)
  const run = await startPool(home, { ward: ['test ! -e broken'], flags: { maxWorkers: '2' } })
  const isOver = endOf(home.home, run)
  const events = () => home.runs().reduce((sum, id) => sum + linesOf(journalOf(home.home, id)).length, 0)
  for (const moment of momentsOf(seed)) {
    await until(() => events() >= moment || isOver(), `event ${moment} of seed ${seed}`, 300_000)
    // Its supervisor starts it again.
    const pid = home.daemonPid()
    if (pid) kill(pid)
  }
  await until(isOver, `the end of the pool of seed ${seed}`, 300_000)
  // Places are given back after the end. Meanwhile git cannot even list them, and a look may throw.
  let found: string[] = []
  const isQuiet = () => {
    try {
      found = [...complaintsOfState(stateOf(home.home, run)!), ...complaintsOfRepository(home, run, before)]
    } catch (error) {
      found = [`looking at the repository failed: ${error}`]
    }
    return found.length === 0
  }
  await until(isQuiet, `all of seed ${seed} to be given back`).catch(() => {})
  return found
}

const journalOf = (home: string, run: string) => join(home, 'runs', run, 'journal.ndjson')

/** From the journal, as every daemon reads it. The last line may be half of one. */
function stateOf(home: string, run: string): PoolRun | null {
  const path = journalOf(home, run)
  if (!existsSync(path)) return null
  let record: PoolRecord | null = null
  for (const line of readFileSync(path, 'utf8').split('\n').slice(0, -1))
    record = advance<PoolRun>(record, JSON.parse(line) as Stamped).record
  return record && (record as PoolRecord).state
}

/** Tells whether the pool is over. Reads its journal only when that has grown: it is asked very often. */
function endOf(home: string, run: string): () => boolean {
  let [size, isOver] = [0, false]
  return () => {
    const grown = statSync(journalOf(home, run), { throwIfNoEntry: false })?.size ?? 0
    if (grown === size) return isOver
    const status = stateOf(home, run)?.status
    ;[size, isOver] = [grown, status !== undefined && status !== 'active']
    return isOver
  }
}

function complaintsOfState({ status, cause, proven, tasks }: PoolRun): string[] {
  const found: string[] = []
  if (status !== 'complete' || !proven) found.push(`it is ${status} (${cause}), proven: ${proven}`)
  for (const { id, state } of tasks) if (state !== 'merged') found.push(`task ${id} is ${state}`)
  return found
}

function complaintsOfRepository(
  home: { home: string; project: string },
  run: string,
  before: ReturnType<typeof theirs>,
): string[] {
  const { project } = home
  const result = `rehoboam/${run}`
  const found: string[] = []
  const say = (isWrong: boolean, words: string) => {
    if (isWrong) found.push(words)
  }
  const log = git(project, 'log', '--first-parent', '--format=%B', result).split('\n')
  for (const id of TASKS) {
    const times = log.filter(line => line === `Rehoboam-Merged: ${id}`).length
    say(times !== 1, `task ${id} is merged ${times} times`)
  }
  const files = git(project, 'ls-tree', '-r', '--name-only', result).trim().split('\n')
  say(files.join() !== 'a.txt,c.txt,list.txt', `the result holds ${files.join()}`)
  say(git(project, 'show', `${result}:list.txt`) !== 'alpha-both\nbeta\n', 'the conflict is not resolved')
  say(git(project, 'branch', '--list', 'rehoboam-work/*') !== '', 'branches of workers are left')
  // The one in which checks run stays warm until somebody prunes.
  const left = readdirSync(join(home.home, 'worktrees')).filter(name => name !== `${run}-ward`)
  say(left.length > 0, `worktrees are left: ${left.join()}`)
  const known = git(project, 'worktree', 'list', '--porcelain').match(/^worktree .*$/gm) ?? []
  say(known.length > 2, `git still knows ${known.join()}`)
  for (const [what, was] of Object.entries(before)) {
    const is = theirs(project)[what as keyof typeof before]
    say(JSON.stringify(is) !== JSON.stringify(was), `the user's ${what} changed from ${was} to ${is}`)
  }
  return [...found, ...lostCommits(project, result)]
}

/**
 * What a worker committed is on the result. Commits of ours that nothing leads to are attempts, and hold nothing else; one
 * whose daemon died before it could say the message has none.
 */
function lostCommits(project: string, result: string): string[] {
  const unreachable = git(project, 'fsck', '--unreachable', '--no-reflogs', '--no-progress', '--no-dangling')
  const lost = [...unreachable.matchAll(/^unreachable commit ([0-9a-f]+)/gm)].map(([, id]) => id!)
  const kept = new Set(git(project, 'log', '--glob=refs/*', '--format=%T').split('\n'))
  const found = lost.flatMap(id => {
    const [tree = '', ...message] = git(project, 'show', '-s', '--format=%T%n%B', id).split('\n')
    const isAttempt = message.some(line => line.startsWith('Rehoboam-Merged: '))
    const isOurs = message.join('') === '' || message.some(line => line.startsWith('Rehoboam-Run: '))
    return isAttempt || (isOurs && kept.has(tree)) ? [] : [`nothing leads to ${id}: ${message[0]}`]
  })
  const subjects = git(project, 'log', '--format=%s', result).split('\n')
  const missing = ['by hand: A', 'by hand: B'].filter(subject => !subjects.includes(subject))
  return [...found, ...missing.map(subject => `"${subject}" is not on the result`)]
}

/** Numbers of events, in order; the same for the same seed. */
function momentsOf(seed: number): number[] {
  let state = seed * 2_654_435_761 + 1
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0
    return state / 2 ** 32
  }
  return Array.from({ length: KILLS }, () => 2 + Math.floor(next() * EVENTS)).sort((a, b) => a - b)
}
