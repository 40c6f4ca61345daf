import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { realDisk } from '../src/adapters/disk.ts'
import { writeLine } from '../src/adapters/journal/line.ts'
import type { RunEvent, Stamped } from '../src/contract/event.ts'
import { gitProject, iterations } from '../test/loop/projects.ts'
import { PROGRAM, REAL_CLIENT, type TempHome, tempHome } from '../test/support/temp-home.ts'
import { compare, type Figure, median, rounded, timed } from './statistics.ts'

const ITERATIONS = 10
const PAIRS = 10
// As many small files as an ordinary repository has: a checkpoint of an empty one would flatter us.
const FILES = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`file-${n}.txt`, `line ${n}\n`.repeat(20)]))

/** Ten iterations of the real client, headless, against a shell that starts it ten times with the same prompts. */
export async function loopBench(): Promise<Figure[]> {
  await using home = await tempHome({ client: 'real', scenario: iterations(...WORK) })
  await home.daemon.ready()
  let projects = 0
  const fresh = () => {
    const project = join(home.root, `project-${++projects}`)
    mkdirSync(project)
    gitProject(project, FILES)
    return project
  }
  // What the loop says to its sessions, so that the shell says the same.
  await ours(home, fresh())
  const prompts = join(home.home, 'runs', home.runs()[0]!, 'turns')
  const parts: Parts[] = []
  const subject = async () => {
    const [project, before] = [fresh(), new Set(home.runs())]
    const daemon = home.daemonPid()!
    const spent = processorMs(daemon)
    const took = await timed(() => ours(home, project))
    const own = { tookMs: took, processorMs: processorMs(daemon) - spent }
    parts.push(await partsOf(home, home.runs().find(run => !before.has(run))!, own))
    return took
  }
  const bare = async () => {
    const project = fresh()
    return timed(() => shell(home, project, prompts))
  }
  const sides = {
    baseline: { name: 'a shell loop of claude -p', run: bare },
    subject: { name: 'rehoboam spawn --loop --wait', run: subject },
  }
  const figure = await compare(`${ITERATIONS} iterations`, sides, PAIRS, { ratio: 1.15 })
  const names = Object.keys(parts[0]!) as (keyof Parts)[]
  // The first was not counted.
  const medians = names.map(name => [name, rounded(median(parts.slice(1).map(each => each[name])))])
  return [{ ...figure, parts: Object.fromEntries(medians) }]
}

const WORK = Array.from({ length: ITERATIONS }, (_, n) => ({
  runs: `echo ${n + 1} >> file-${n}.txt`,
  says: n + 1 < ITERATIONS ? `Line ${n + 1} is written, more to do.` : 'All lines are written.\n\nDONE',
}))

async function ours(home: TempHome, project: string): Promise<void> {
  const words = ['spawn', '--loop', '--prompt', 'Write ten lines', '--allowed-tools', 'Bash', '--no-ward', '--wait']
  await ends(spawn(process.execPath, [PROGRAM, ...words], { cwd: project, env: home.env, stdio: 'ignore' }))
}

const SHELL = `
client=$1 prompts=$2
for n in ${Array.from({ length: ITERATIONS }, (_, n) => n + 1).join(' ')}; do
  "$client" -p --output-format stream-json --verbose --allowedTools Bash <"$prompts/$n/prompt.md" >"$3/$n.ndjson" || exit 1
done
`

async function shell(home: TempHome, project: string, prompts: string): Promise<void> {
  const output = `${project}-output`
  mkdirSync(output)
  const words = ['-c', SHELL, 'sh', REAL_CLIENT, prompts, output]
  await ends(spawn('/bin/sh', words, { cwd: project, env: home.env, stdio: 'ignore' }))
  const last = readFileSync(join(output, `${ITERATIONS}.ndjson`), 'utf8')
  if (!last.includes('All lines are written.')) throw new Error('the shell loop did something else')
}

async function ends(child: ReturnType<typeof spawn>): Promise<void> {
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  if (code !== 0) throw new Error(`it ended with ${code}`)
}

/** Where the time of one iteration goes, in milliseconds; `outside` is what the whole run spends beside its iterations. */
type Parts = Record<
  | 'prepare'
  | 'place and checks'
  | 'start to claim'
  | 'claim to first line'
  | 'session'
  | 'result to exit'
  | 'end noticed'
  | 'close'
  | 'journal writes (inside the others)'
  | 'events'
  | 'processor time of the daemon'
  | 'outside, of the whole run',
  number
>

/** From the journal and the times of the turn's files. Medians over the iterations of one run. */
async function partsOf(home: TempHome, run: string, own: { tookMs: number; processorMs: number }): Promise<Parts> {
  const events = home.journal(run)
  const all = (type: RunEvent['type']) => events.filter(event => event.type === type)
  const prepared = all('iteration-prepared')
  const closed = all('iteration-closed')
  if (closed.length !== ITERATIONS) throw new Error(`${closed.length} iterations instead of ${ITERATIONS}`)
  const each = prepared.map((begun, n) => {
    const file = (name: string) => statSync(join(home.home, 'runs', run, 'turns', String(n + 1), name)).mtimeMs
    const before = n === 0 ? all('loop-opened')[0]! : closed[n - 1]!
    const own = events.filter(({ seq }) => seq > begun.seq && seq < closed[n]!.seq)
    const [init] = own.filter(event => event.type === 'session-reported')
    const result = own.findLast(event => event.type === 'session-reported' && event.report.kind === 'result')!
    const ended = own.find(({ type }) => type === 'session-ended')!
    return {
      prepare: begun.at - before.at,
      'place and checks': file('prompt.md') - begun.at,
      'start to claim': file('claim') - file('prompt.md'),
      'claim to first line': init!.at - file('claim'),
      session: result.at - init!.at,
      'result to exit': file('exit') - result.at,
      'end noticed': ended.at - file('exit'),
      close: closed[n]!.at - ended.at,
    }
  })
  const middle = (name: keyof (typeof each)[0]) => median(each.map(one => one[name]))
  const writeMs = await appendMs(home, events)
  return {
    prepare: middle('prepare'),
    'place and checks': middle('place and checks'),
    'start to claim': middle('start to claim'),
    'claim to first line': middle('claim to first line'),
    session: middle('session'),
    'result to exit': middle('result to exit'),
    'end noticed': middle('end noticed'),
    close: middle('close'),
    'journal writes (inside the others)': (writeMs * events.length) / ITERATIONS,
    events: events.length / ITERATIONS,
    'processor time of the daemon': own.processorMs / ITERATIONS,
    'outside, of the whole run': own.tookMs - (closed.at(-1)!.at - all('loop-opened')[0]!.at),
  }
}

/** What it took itself, without what it started. A busy machine changes it least of all. (Zero where there is no /proc.) */
function processorMs(pid: number): number {
  if (!existsSync(`/proc/${pid}/stat`)) return 0
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return ((user! + system!) * 1000) / TICKS_PER_SECOND
}

// Linux's, on every platform that Node runs on.
const TICKS_PER_SECOND = 100

/** The same lines once more, on the same disk. */
async function appendMs(home: TempHome, events: Stamped[]): Promise<number> {
  const path = join(home.root, `again-${readdirSync(home.root).length}`)
  if (existsSync(path)) throw new Error(`${path} is there already`)
  const file = await realDisk.openAppend(path)
  const took: number[] = []
  for (const event of events) took.push(await timed(() => file.append(writeLine(event))))
  await file.close()
  return median(took)
}
