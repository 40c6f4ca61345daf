import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { HOMES_LIST } from '../../scripts/lanes/report.ts'
import { Daemon } from '../../src/client/ask.ts'
import type { Stamped } from '../../src/contract/event.ts'
import { tmuxSocketOf } from '../../src/contract/home.ts'
import { type Model, startModel } from '../../src/rehearsal/model.ts'
import type { ScenarioSource } from '../../src/rehearsal/scenario.ts'
import { PLAYS_ALL } from './plays-all.ts'
import { PROGRAM, PUPPET, REAL_CLIENT } from './programs.ts'
import { THRIFTY } from './thrifty.ts'
import { until } from './until.ts'

export { PROGRAM, PUPPET, REAL_CLIENT }

// A user's second command finds what Node compiled for the first. Every home here is new, so they share it.
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/rehoboam')

const VERSION: string = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')).version

export type Ended = { code: number | null; signal: NodeJS.Signals | null; out: string; err: string }
export type Running = { child: ChildProcess; ended: Promise<Ended>; out: () => string; err: () => string }

/** `either` is the puppet in `npm test` and the real client in `npm run test:all`. */
export type Client = 'puppet' | 'real' | 'either'

/** A user of their own: state, home and project in a fresh directory, a scripted model, and the built program. */
export async function tempHome(options: { client?: Client; scenario?: ScenarioSource; model?: Model } = {}) {
  const isReal = options.client === 'real' || (options.client === 'either' && PLAYS_ALL)
  const root = mkdtempSync(join(tmpdir(), 'rehoboam-test-'))
  noteHome(root)
  const [home, user, project] = ['state', 'user', 'project'].map(name => join(root, name)) as [string, string, string]
  for (const path of [user, project]) mkdirSync(path)
  writeFileSync(join(user, '.claude.json'), JSON.stringify(settled(project)))
  if (isReal) {
    // Its little animations are two thirds of what a waiting pane costs.
    mkdirSync(join(user, '.claude'), { recursive: true })
    writeFileSync(join(user, '.claude', 'settings.json'), '{ "prefersReducedMotion": true }\n')
  }
  for (const path of [COMPILED, join(user, '.cache')]) mkdirSync(path, { recursive: true })
  symlinkSync(COMPILED, join(user, '.cache', 'rehoboam'))
  const model = options.model ?? (await startModel(options.scenario ?? []))
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: user,
    LANG: 'C.UTF-8',
    REHOBOAM_HOME: home,
    REHOBOAM_CLAUDE: isReal ? REAL_CLIENT : PUPPET,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
    ...THRIFTY,
  }

  /** Starts the program as a user would; does not wait. */
  const start = (args: string[], more: Record<string, string | undefined> = {}, program = PROGRAM): Running => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: project,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, err] = [collect(child.stdout), collect(child.stderr)]
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve({ code, signal, out: out(), err: err() }))
    })
    return { child, ended, out, err }
  }
  const rehoboam = (args: string[], more: Record<string, string | undefined> = {}) => start(args, more).ended
  const daemon = new Daemon(env, { node: process.execPath, script: PROGRAM, version: VERSION })

  const disposed = async () => {
    await endProcesses(root)
    if (!options.model) await model.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
  return {
    root,
    home,
    user,
    project,
    env,
    model,
    daemon,
    start,
    /** Runs the program to its end. */
    rehoboam,
    /** The process that serves now. */
    daemonPid: () => daemon.registration()?.pid ?? null,
    runs: () => (existsSync(join(home, 'runs')) ? readdirSync(join(home, 'runs')) : []),
    /** What is written down so far; the last line may be half of one. */
    journal: (run: string): Stamped[] => {
      const text = readFileSync(join(home, 'runs', run, 'journal.ndjson'), 'utf8')
      return text
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line))
    },
    /** Processes that this home started, by what they carry in their arguments or environment. */
    processes: () => ownProcesses(root),
    [Symbol.asyncDispose]: disposed,
  }
}

// The client asks before it uses a key that it has not seen, unless its last 20 characters are listed.
const KEY = 'rehearsal-key-0123456789-0123456789'

/** What an interactive client remembers after somebody went through its first screens. */
function settled(project: string) {
  return {
    hasCompletedOnboarding: true,
    theme: 'dark',
    bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  }
}

/** For `npm test`, which ends what is left of those that it interrupts. */
export function noteHome(root: string): void {
  const list = process.env[HOMES_LIST]
  if (list) writeFileSync(join(list, basename(root)), root)
}

/** What tests left that were interrupted: daemons and tmux servers outlive whoever started them, and would for ever. */
export async function endNotedHomes(list: string): Promise<void> {
  for (const name of readdirSync(list)) {
    const root = readFileSync(join(list, name), 'utf8')
    if (!existsSync(root)) continue
    await endProcesses(root)
    rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

async function endProcesses(root: string): Promise<void> {
  await endTmux(tmuxSocketOf(join(root, 'state')))
  // Again and again: one that is being killed may just have started another.
  await until(() => {
    const left = ownProcesses(root)
    for (const pid of left) kill(pid)
    return left.length === 0
  }, 'processes of this test to be gone')
}

/** tmux leaves the file of its socket behind, one for every test that ever ran. */
async function endTmux(socket: string): Promise<void> {
  const tmux = (...words: string[]) => promisify(execFile)('tmux', ['-L', socket, ...words]).catch(() => null)
  const path = await tmux('display-message', '-p', '#{socket_path}')
  await tmux('kill-server')
  if (path) rmSync(path.stdout.trim(), { force: true })
}

export type TempHome = Awaited<ReturnType<typeof tempHome>>

export function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It is gone already.
  }
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = ''
  // Else a letter of several bytes that comes in two pieces is two question marks.
  stream?.setEncoding('utf8').on('data', part => {
    text += part
  })
  return () => text
}

function ownProcesses(root: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(pid => {
      try {
        if (/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return false
        const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8')
        return text.includes(`${root}/`)
      } catch {
        return false
      }
    })
    .map(Number)
}
