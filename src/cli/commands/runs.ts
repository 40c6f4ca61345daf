import { Command } from 'commander'
import type { RunDetail, RunSummary } from '../../contract/run.ts'
import { runsTable } from '../../view/run-words.ts'
import { showLines } from '../../view/show-lines.ts'
import { type Face, wholeEnvironment } from '../face.ts'
import { runPath } from '../run-path.ts'
import { printLog, waitForRun } from '../wait.ts'

/** Looking at runs, and the few things that can be asked of one. */
export function runCommands(face: Face): Command[] {
  return [runs(face), show(face), logs(face), cancel(face), pause(face), resume(face), tell(face)]
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

function show(face: Face): Command {
  return new Command('show')
    .description('show one run with everything below it')
    .argument('<run>', 'its id, or the beginning of it')
    .option('--json', 'for scripts')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const run = await face.daemon.ask<RunDetail>({ path: runPath(id) })
      if (json) return face.out.json(run)
      for (const line of showLines(run, Date.now())) face.out.line(line)
    })
}

function logs(face: Face): Command {
  return new Command('logs')
    .description('print what a run’s sessions said and did')
    .argument('<run>')
    .option('-f, --follow', 'go on as it comes; Ctrl-C stops following, not the run')
    .option('--json', 'one object a line, for scripts')
    .action((id: string, { follow, json }: { follow?: boolean; json?: boolean }) =>
      printLog(face, id, { follow: follow === true, json: json === true }),
    )
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

function tell(face: Face): Command {
  return new Command('tell')
    .description('leave a message for a run’s agent: it gets it as its next prompt')
    .argument('<run>')
    .argument('<text>')
    .option('--json', 'for scripts')
    .action(async (id: string, text: string, { json }: { json?: boolean }) => {
      await change(face, 'tell', id, { text }, json, 'will be told at its next turn')
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
