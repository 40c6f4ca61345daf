import { gitProject } from '../test/loop/projects.ts'
import { POOL, plan, worker } from '../test/pool/projects.ts'
import { tempHome } from '../test/support/temp-home.ts'
import { type Measure, rounded } from './statistics.ts'

const TASKS = 40
const WORKERS = 4
const WORK_S = 2
const ALLOWED_MS = 150

/** Independent tasks of two seconds each, by the puppet, with a ward that says yes: what a pool costs beside its work. */
export async function poolBench(): Promise<Measure[]> {
  const ids = Array.from({ length: TASKS }, (_, n) => `T${n + 1}`)
  const scenario = [
    ...plan(ids.map(id => `[${id}] Write ${id}`)),
    ...ids.flatMap(id => worker(id, `sleep ${WORK_S}; echo ${id} > ${id}.txt`)),
  ]
  await using home = await tempHome({ scenario })
  gitProject(home.project)
  const words = [...POOL, '--ward', 'true', '--max-workers', String(WORKERS), '--wait']
  const { code, err } = await home.rehoboam(words)
  if (code !== 0) throw new Error(`the pool ended with ${code}: ${err}`)
  const run = home.runs().find(id => !id.includes('.'))!
  const events = home.journal(run)
  const begun = events.find(({ type }) => type === 'tasks-read')!.at
  const makespanMs = events.at(-1)!.at - begun
  const perTaskMs = rounded((makespanMs - (TASKS * WORK_S * 1000) / WORKERS) / TASKS)
  const what = `${TASKS} tasks of ${WORK_S} s by ${WORKERS} workers: what each takes beside its work, merge and ward included`
  return [{ name: 'a pool', what, is: perTaskMs, unit: 'ms', under: ALLOWED_MS }]
}
