import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startModel } from '../../../src/rehearsal/model.ts'
import type { RuleSource } from '../../../src/rehearsal/scenario.ts'
import { PUPPET } from '../../support/temp-home.ts'
import { until } from '../../support/until.ts'
import { clientShim, isTmuxServer, ownProcesses, sessionProcesses } from './witness.ts'

/** A user, a scripted model, some projects, and a place outside the state directory for what the witnesses note. */
export async function makeWorld(rules: RuleSource[], projects: number) {
  const root = mkdtempSync(join(tmpdir(), 'rehoboam-lane-'))
  const at = (...names: string[]) => join(root, ...names)
  for (const name of ['user', 'tmp', 'side', 'side/copies', 'side/locks']) mkdirSync(at(name))
  for (let n = 0; n < projects; n++) mkdirSync(at(`project-${n}`))
  writeFileSync(at('side', 'client'), clientShim(at('side', 'locks'), at('side', 'two-at-once'), PUPPET))
  chmodSync(at('side', 'client'), 0o755)
  const model = await startModel(rules)
  const environment: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: at('user'),
    LANG: 'C.UTF-8',
    TMPDIR: at('tmp'),
    ANTHROPIC_BASE_URL: model.url,
    REHOBOAM_HOME: at('state'),
    REHOBOAM_CLAUDE: at('side', 'client'),
    TMUX_TMPDIR: at('tmp'),
    // A session that is started after a restart puts its scratch files where they are taken away too.
    REHOBOAM_ENV_KEEP: 'TMPDIR',
  }
  return {
    root,
    home: at('state'),
    notes: at('side', 'notes.ndjson'),
    copies: at('side', 'copies'),
    side: (name: string) => at('side', name),
    project: (n: number) => at(`project-${n}`),
    transcripts: at('user', '.claude', 'projects'),
    environment,
    model,
    /** The tool that the sessions of each project run. */
    writeWork(scripts: string[]) {
      for (const [n, script] of scripts.entries()) writeFileSync(at(`project-${n}`, 'work'), script)
    },
    runs: () => (existsSync(at('state', 'runs')) ? readdirSync(at('state', 'runs')) : []),
    /** What the sessions did, in order: `run attempt`, a line for each time. */
    deeds: () => (existsSync(at('side', 'deeds')) ? readFileSync(at('side', 'deeds'), 'utf8').trim().split('\n') : []),
    twoAtOnce: () => (existsSync(at('side', 'two-at-once')) ? readFileSync(at('side', 'two-at-once'), 'utf8') : ''),
    processes: () => ownProcesses(root),
    sessions: () => sessionProcesses(root),
    /** Its panes are in a server of its own. */
    tmuxServers: () => ownProcesses(root).filter(isTmuxServer),
    /** Ends everything that belongs to this world at once, as a power cut does. */
    async lightsOut() {
      for (;;) {
        const pids = ownProcesses(root)
        if (pids.length === 0) return
        for (const pid of pids) kill(pid)
        await until(() => pids.every(pid => !ownProcesses(root).includes(pid)), 'killed processes to be gone')
      }
    },
    /** The model has heard everything that was said to it before: what is asked now comes last. */
    async quiet() {
      for (const _ of [1, 2]) await fetch(model.url).then(answer => answer.text())
    },
    async [Symbol.asyncDispose]() {
      await this.lightsOut()
      await model.close()
      rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
}

export type World = Awaited<ReturnType<typeof makeWorld>>

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
