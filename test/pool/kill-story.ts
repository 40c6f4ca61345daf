import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunDetail } from '../../src/contract/run.ts'
import { git, gitProject } from '../loop/projects.ts'
import { kill, PUPPET, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { POOL, plan, theirs, worker } from './projects.ts'

const TASKS = ['A', 'B', 'C', 'D', 'E']
const RESOLVED = `printf 'alpha-both\\nbeta\\n' > list.txt`
const SCENARIO = [
  ...plan(TASKS.map(id => `[${id}] Do the part ${id}`)),
  ...worker('A', `sed -i 's/alpha/alpha-a/' list.txt`, RESOLVED),
  ...worker('B', `sed -i 's/alpha/alpha-b/' list.txt`, RESOLVED),
  ...worker('C', 'echo c > c.txt; touch broken', 'rm broken'),
  ...worker('D', 'echo d > d.txt'),
  ...worker('E', 'echo e > e.txt'),
]
/** What its journals come to when nothing goes wrong, more or less. */
const EVENTS = 110
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
  gitProject(home.project, { 'list.txt': 'alpha\nbeta\n' })
  const before = theirs(home.project)
  const spawned = await home.rehoboam([...POOL, '--ward', 'test ! -e broken', '--max-workers', '2'])
  const run = spawned.out.trim()
  const events = () =>
    home.runs().reduce((sum, id) => {
      const path = join(home.home, 'runs', id, 'journal.ndjson')
      return sum + (existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0)
    }, 0)
  const ask = async () => {
    const { out } = await home.rehoboam(['show', run, '--json'])
    return out ? (JSON.parse(out) as RunDetail) : null
  }
  let shown = await ask()
  for (const moment of momentsOf(seed)) {
    await until(async () => events() >= moment || (await ask())?.endedAt, `event ${moment} of seed ${seed}`, 120_000)
    const pid = home.daemonPid()
    if (pid) kill(pid)
  }
  await until(
    async () => {
      shown = await ask()
      return shown !== null && shown.status !== 'active'
    },
    `the end of the pool of seed ${seed}`,
    240_000,
  )
  return complaints(home, run, shown!, before)
}

function complaints(
  home: { home: string; project: string },
  run: string,
  shown: RunDetail,
  before: ReturnType<typeof theirs>,
): string[] {
  const { project } = home
  const found: string[] = []
  const say = (isWrong: boolean, words: string) => {
    if (isWrong) found.push(words)
  }
  say(shown.status !== 'complete' || !shown.proven, `it is ${shown.status} (${shown.cause}), proven: ${shown.proven}`)
  const log = git(project, 'log', '--first-parent', '--format=%B', `rehoboam/${run}`)
  for (const id of TASKS) {
    const times = log.split('\n').filter(line => line === `Rehoboam-Merged: ${id}`).length
    say(times !== 1, `task ${id} is merged ${times} times`)
  }
  const files = git(project, 'ls-tree', '-r', '--name-only', `rehoboam/${run}`).trim().split('\n')
  say(files.join() !== 'c.txt,d.txt,e.txt,list.txt', `the result holds ${files.join()}`)
  say(git(project, 'show', `rehoboam/${run}:list.txt`) !== 'alpha-both\nbeta\n', 'the conflict is not resolved')
  say(git(project, 'branch', '--list', 'rehoboam-work/*') !== '', 'branches of workers are left')
  const left = readdirSync(join(home.home, 'worktrees')).filter(name => name.includes('.'))
  say(left.length > 0, `worktrees are left: ${left.join()}`)
  say(JSON.stringify(theirs(project)) !== JSON.stringify(before), 'something of the user’s has changed')
  const kept = git(project, 'for-each-ref', '--format=%(objectname)', `refs/rehoboam/`).split('\n').filter(Boolean)
  const unreachable = git(project, 'fsck', '--unreachable', '--no-reflogs', '--no-progress')
  say(/unreachable commit/.test(unreachable) && kept.length === 0, 'commits are reachable from nowhere')
  return found
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
