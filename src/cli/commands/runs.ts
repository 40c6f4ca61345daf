import { Command } from 'commander'
import type { RunSummary } from '../../contract/run.ts'
import { runsTable } from '../../view/run-words.ts'
import { type Face, wholeEnvironment } from '../face.ts'
import { runPath } from '../run-path.ts'
import { waitForRun } from '../wait.ts'

/** The list of runs, and the few things that can be asked of one. */
export function runCommands(face: Face): Command[] {
  return [runs(face), cancel(face), pause(face), resume(face)]
}

function runs(face: Face): Command {
  return new Command('runs')
    .description('list the runs, the newest last')
    .option('--json', 'for scripts')
    .action(async ({ json }: { json?: boolean }) => {
      const all = await face.daemon.ask<RunSummary[]>({ path: '/v1/runs' })
      const sorted = all.sort((a, b) => a.startedAt.localeCompare(b.startedAt))
      if (json) return face.out.json(sorted)
      if (sorted.length === 0) return face.out.line('no runs yet; rehoboam spawn --prompt "<what to do>" starts one')
      for (const line of runsTable(sorted, Date.now())) face.out.line(line)
    })
}

function cancel(face: Face): Command {
  return new Command('cancel')
    .description('end a run and its session now')
    .argument('<run>')
    .option('--json', 'for scripts')
    .action(async (id: string, { json }: { json?: boolean }) => {
      await change(face, 'cancel', id, {}, json, 'is being cancelled')
    })
}

function pause(face: Face): Command {
  return new Command('pause')
    .description('end a run’s session for now; resume goes on with it')
    .argument('<run>')
    .option('--json', 'for scripts')
    .action(async (id: string, { json }: { json?: boolean }) => {
      await change(face, 'pause', id, {}, json, 'is being paused')
    })
}

function resume(face: Face): Command {
  return new Command('resume')
    .description('go on with a run that is paused or has ended, in the same session')
    .argument('<run>')
    .argument('[text]', 'what to do next')
    .option('--wait', 'stay, show progress, end with the run’s own exit code')
    .option('--json', 'for scripts')
    .action(async (id: string, text: string | undefined, { wait, json }: { wait?: boolean; json?: boolean }) => {
      const body = { text: text ?? null, environment: wholeEnvironment(face.env) }
      const run = await change(face, 'resume', id, body, wait ? false : json, wait ? null : 'goes on')
      if (wait) process.exitCode = await waitForRun(face, run.id, { json: json === true })
    })
}

async function change(
  face: Face,
  command: string,
  id: string,
  body: unknown,
  json: boolean | undefined,
  said: string | null,
): Promise<RunSummary> {
  face.mayChange(command)
  const run = await face.daemon.ask<RunSummary>({ method: 'POST', path: `${runPath(id)}/${command}`, body })
  if (json) face.out.json(run)
  else if (said) face.out.line(`run ${run.id} ${said}`)
  return run
}
