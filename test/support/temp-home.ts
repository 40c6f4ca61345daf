import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Daemon } from '../../src/client/ask.ts'
import type { Stamped } from '../../src/contract/event.ts'
import { type Model, startModel } from '../../src/rehearsal/model.ts'
import type { ScenarioSource } from '../../src/rehearsal/scenario.ts'
import { until } from './until.ts'

export const PROGRAM = join(import.meta.dirname, '../../dist/rehoboam.cjs')
export const PUPPET = join(import.meta.dirname, '../../dist/puppet.cjs')
export const REAL_CLIENT = join(import.meta.dirname, '../../node_modules/.bin/claude')

export type Ended = { code: number | null; signal: NodeJS.Signals | null; out: string; err: string }
export type Running = { child: ChildProcess; ended: Promise<Ended>; out: () => string; err: () => string }

/** A user of their own: state, home and project in a fresh directory, a scripted model, and the built program. */
export async function tempHome(options: { client?: 'puppet' | 'real'; scenario?: ScenarioSource; model?: Model } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'rehoboam-test-'))
  const [home, user, project] = ['state', 'user', 'project'].map(name => join(root, name)) as [string, string, string]
  for (const path of [user, project]) mkdirSync(path)
  const model = options.model ?? (await startModel(options.scenario ?? []))
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: user,
    LANG: 'C.UTF-8',
    REHOBOAM_HOME: home,
    REHOBOAM_CLAUDE: options.client === 'real' ? REAL_CLIENT : PUPPET,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'rehearsal-key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
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
  const daemon = new Daemon(env, { node: process.execPath, script: PROGRAM, version: '0.0.0' })

  const disposed = async () => {
    await rehoboam(['daemon', 'stop'])
    for (const pid of ownProcesses(root)) kill(pid)
    await until(() => ownProcesses(root).length === 0, 'processes of this test to be gone')
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
    supervisorPid: () => Number(readFileSync(join(home, 'supervisor.pid'), 'utf8')),
    runs: () => (existsSync(join(home, 'runs')) ? readdirSync(join(home, 'runs')) : []),
    journal: (run: string): Stamped[] => {
      const text = readFileSync(join(home, 'runs', run, 'journal.ndjson'), 'utf8')
      return text
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line))
    },
    /** Processes that this home started, by what they carry in their arguments or environment. */
    processes: () => ownProcesses(root),
    [Symbol.asyncDispose]: disposed,
  }
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
  stream?.on('data', part => {
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
