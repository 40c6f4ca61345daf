import { resolve } from 'node:path'
import { Command } from 'commander'
import { Daemon } from '../../client/ask.ts'
import { endSupervisor } from '../../client/supervisor.ts'
import type { ConfigEntry } from '../../config/resolve.ts'
import type { SpawnAnswer, SpawnRequest } from '../../contract/api.ts'
import type { Finding } from '../../contract/doctor.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { RunDetail } from '../../contract/run.ts'
import { plainBlock } from '../../view/plain.ts'
import { costWords, durationWords, numberOf } from '../../view/words.ts'
import { type Face, wholeEnvironment } from '../face.ts'
import { runPath } from '../run-path.ts'
import { waitForRun } from '../wait.ts'

export function demoCommand(face: Face): Command {
  return new Command('demo')
    .description('see it work in a scratch repository: no account, no cost')
    .option('--keep', 'leave the scratch directory there afterwards')
    .action((options: { keep?: boolean }) => demo(face, options.keep === true))
}

type Stage = { request: Omit<SpawnRequest, 'environment'>; diff(): string; test(): { passes: boolean } }

/** Plays a session of the real client against a scripted model. */
async function demo(face: Face, keep: boolean): Promise<void> {
  const { out } = face
  const leaving = onLeaving()
  const { openStage } = await import('../../rehearsal/demo-stage.ts')
  const stage = await openStage(face.env)
  // The client keeps scratch files in the temporary directory and never removes them: they go with the stage's home.
  const env = { ...stage.env, TMPDIR: stage.env.HOME, REHOBOAM_HOME: stage.home }
  const daemon = new Daemon(env, { node: process.execPath, script: face.script, version: face.version })
  try {
    const client = await clientOf(face, daemon, env)
    out.line(`A scratch repository with a failing test: ${stage.project}`)
    out.line(`Client: the Claude Code that is installed here. Model: a script on loopback, so this costs nothing.\n`)
    process.exitCode = await play({ ...face, env, daemon, mayChange: () => {} }, stage, client, leaving)
  } finally {
    await daemon.stop(null).catch(() => {})
    await endSupervisor(stage.home)
    await stage.close(keep)
    if (keep) out.line(`Left for you to look at: ${stage.directory}`)
  }
}

/** Returns the client that the user's own configuration names. Throws when that client does not start. */
async function clientOf({ env, script }: Face, daemon: Daemon, demoEnv: Face['env']): Promise<string> {
  const ask = <T>(path: string, body: object) => daemon.ask<T>({ method: 'POST', path, body })
  const place = { directory: resolve('.'), environment: wholeEnvironment(env) }
  const { entries } = await ask<{ entries: ConfigEntry[] }>('/v1/config/list', place)
  const client = String(entries.find(({ key }) => key === 'claude')?.value)
  const environment = wholeEnvironment({ ...demoEnv, REHOBOAM_CLAUDE: client })
  const program = { node: process.execPath, script }
  const findings = await ask<Finding[]>('/v1/doctor', { directory: demoEnv.HOME, environment, program })
  const found = findings.find(({ what }) => what === 'client')
  if (found?.state !== 'bad') return client
  throw new RehoboamError('client-missing', `the demo runs Claude Code, but ${found.text}. Type: ${found.mend}`)
}

async function play(face: Face, stage: Stage, client: string, leaving: AbortSignal): Promise<number> {
  const { out, daemon } = face
  const flags = { ...stage.request.flags, claude: client }
  const body = { ...stage.request, flags, environment: wholeEnvironment(face.env) }
  if (leaving.aborted) return 130
  const { id } = await daemon.ask<SpawnAnswer>({ method: 'POST', path: '/v1/runs', body })
  const code = await waitForRun(face, id, { json: false, leaving })
  if (code === 130) return code
  const run = await daemon.ask<RunDetail>({ path: runPath(id) })
  const { passes } = stage.test()
  const verdict = passes ? 'The test passes now: run by us, not on the agent’s word.' : 'The test still fails.'
  out.line('\nWhat changed:')
  out.line(plainBlock(stage.diff()))
  out.line(verdict, passes ? 'good' : 'fail')
  const took = run.endedAt ? durationWords(Date.parse(run.endedAt) - Date.parse(run.startedAt)) : 'a while'
  const figures = `${numberOf(run.turns.length, 'turn')}, ${took}, ${costWords(run.costUsd)} in play money`
  out.line(`\nSummary: run ${id} is ${run.status}, ${figures}.`)
  out.line('Next: rehoboam spawn --prompt "<what to do>" --permission-mode acceptEdits --wait, in a project of yours.')
  return passes ? code : code || 1
}

/** Nothing may stay behind, so nothing ends this at once: not a Ctrl-C, not a second one, not a closed terminal. */
function onLeaving(): AbortSignal {
  const leaving = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leaving.abort())
  return leaving.signal
}
