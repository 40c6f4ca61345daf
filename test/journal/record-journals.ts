// Records a few real journals of each kind of run again: `node test/journal/record-journals.ts`, then look at the diff.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunSummary } from '../../src/contract/run.ts'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { spawnLoop } from '../loop/projects.ts'
import { TWO } from '../loop/two-iterations.ts'
import { plan, projectIn, startPool, worker } from '../pool/projects.ts'
import { begins, rests, simply, startQuest } from '../quest/story.ts'
import { resume, spawnRun, untilStatus } from '../session/runs.ts'
import { REAL_CLIENT, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { RECORDED, type RecordedRun } from './recorded.ts'

const LOOP = 'Write new.txt in two parts'
const GREET = 'Greet the user'
const AGAIN = 'Greet the user again'
const SCENARIO = [
  ...turns({ prompt: AGAIN }, say('Hello again.')),
  ...turns({ prompt: GREET }, bash('echo hello'), say('Hello.')),
  ...TWO(LOOP),
  ...plan(['[A] Do the part A', '[B] Do the part B']),
  ...worker('A', `sed -i 's/alpha/alpha-a/' list.txt`),
  ...worker('B', 'touch broken; echo b > b.txt', 'rm broken'),
  ...begins([{ id: 'a' }, { id: 'b', dependsOn: ['a'] }]),
  ...simply(['a', 'b']),
]

{
  await using home = await tempHome({ client: 'real', scenario: SCENARIO })
  // What is recorded must be true on any machine.
  symlinkSync(REAL_CLIENT, join(home.root, 'claude'))
  Object.assign(home.env, { REHOBOAM_CLAUDE: join(home.root, 'claude'), PATH: '/usr/local/bin:/usr/bin:/bin' })

  const session = await spawnRun(home, GREET)
  await untilStatus(home, session, 'complete')
  await resume(home, session, AGAIN)
  await untilStatus(home, session, 'complete')
  const loop = await spawnLoop(home, projectIn(home, 'for a loop'), LOOP, ['--ward', 'grep -q two new.txt'])
  await untilStatus(home, loop, 'complete')
  const files = { 'list.txt': 'alpha\nbeta\n' }
  const pool = await startPool(home, { directory: projectIn(home, 'for a pool', files), ward: ['test ! -e broken'] })
  await untilStatus(home, pool, 'complete')
  home.project = projectIn(home, 'for a quest')
  const quest = await startQuest(home, { ward: ['test -e README.md'] })
  await rests(home, quest)

  rmSync(RECORDED, { recursive: true, force: true })
  mkdirSync(RECORDED, { recursive: true })
  for (const id of home.runs()) await record(home, id)
}

/** The journal as it is on the disk, and what the daemon says about the run at its end. */
async function record(home: TempHome, id: string): Promise<void> {
  const { path, summary } = await until(async () => {
    const all = await home.daemon.ask<(RunSummary & { asks: number })[]>({ path: '/v1/runs' })
    const { asks: _, ...summary } = all.find(run => run.id === id)!
    return summary.status === 'active' ? null : { path: join(home.home, 'runs', id, 'journal.ndjson'), summary }
  }, `the end of ${id}`)
  const recorded: RecordedRun = { summary, journal: readFileSync(path, 'utf8').trimEnd().split('\n') }
  writeFileSync(
    join(RECORDED, `${summary.kind}-${id.split('.')[1] ?? 'itself'}.json`),
    `${JSON.stringify(recorded, null, 1)}\n`,
  )
}
