import { Command } from 'commander'
import { Daemon } from '../../client/ask.ts'
import { endSupervisor } from '../../client/supervisor.ts'
import type { SpawnAnswer } from '../../contract/api.ts'
import type { RunDetail } from '../../contract/run.ts'
import { plainBlock } from '../../view/plain.ts'
import { costWords, durationWords } from '../../view/words.ts'
import { type Face, wholeEnvironment } from '../face.ts'
import { waitForRun } from '../wait.ts'

export function demoCommand(face: Face): Command {
  return new Command('demo')
    .description('see it work in a scratch repository: no account, no cost')
    .option('--keep', 'leave the scratch directory there afterwards')
    .action((options: { keep?: boolean }) => demo(face, options.keep === true))
}

/** A real session of the real client, or of the puppet where none is installed, against a scripted model. */
async function demo(face: Face, keep: boolean): Promise<void> {
  const { openStage } = await import('../../rehearsal/demo-stage.ts')
  const stage = await openStage(face.env, face.script)
  const { out } = face
  out.line(`A scratch repository with a failing test: ${stage.project}`)
  out.line(`Client: ${stage.clientWords}. Model: a script on loopback, so this costs nothing.\n`)
  const env = { ...stage.env, REHOBOAM_HOME: stage.home }
  const daemon = new Daemon(env, { node: process.execPath, script: face.script, version: face.version })
  const onStage: Face = { ...face, env, daemon, mayChange: () => {} }
  try {
    const body = { ...stage.request, environment: wholeEnvironment(env) }
    const { id } = await daemon.ask<SpawnAnswer>({ method: 'POST', path: '/v1/runs', body })
    const code = await waitForRun(onStage, id, { json: false })
    const run = await daemon.ask<RunDetail>({ path: `/v1/runs/${id}` })
    process.exitCode = code
    if (code === 130) return
    out.line('\nWhat changed:')
    out.line(plainBlock(stage.diff()))
    const test = stage.test()
    out.line(
      test.passes ? 'The test passes now: run by us, not on the agent’s word.' : 'The test still fails.',
      test.passes ? 'good' : 'fail',
    )
    if (!test.passes && code === 0) process.exitCode = 1
    const took = run.endedAt ? durationWords(Date.parse(run.endedAt) - Date.parse(run.startedAt)) : 'a while'
    out.line(
      `\nSummary: run ${id} is ${run.status}, ${run.turns.length} turn, ${took}, ${costWords(run.costUsd)} in play money.`,
    )
    out.line(
      'Next: rehoboam spawn --prompt "<what to do>" --permission-mode acceptEdits --wait, in a project of yours.',
    )
  } finally {
    await daemon.stop(null).catch(() => {})
    endSupervisor(stage.home)
    await stage.close(keep)
    if (keep) out.line(`Left for you to look at: ${stage.directory}`)
  }
}
