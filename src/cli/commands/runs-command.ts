import { Command } from 'commander'
import { RehoboamError } from '../../contract/errors.ts'
import type { RunSummary } from '../../contract/run.ts'
import { runsTable } from '../../view/run-words.ts'
import { type Face, wholeEnvironment } from '../face.ts'
import { runPath } from '../run-path.ts'
import { noQuestions, waitForRun } from '../wait.ts'

/** The list of runs, and the few things that can be asked of one. */
export function runCommands(face: Face): Command[] {
  return [runs(face), cancel(face), reject(face), pause(face), resume(face), freeze(face), thaw(face), verdict(face)]
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
      for (const line of runsTable(
        // A pool's children are on its own page.
        sorted.filter(({ parent }) => parent === null),
        Date.now(),
      ))
        face.out.line(line)
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

function reject(face: Face): Command {
  return new Command('reject')
    .description('end a loop after its current iteration')
    .argument('<run>')
    .option('--json', 'for scripts')
    .action(async (id: string, { json }: { json?: boolean }) => {
      await change(face, 'reject', id, {}, json, 'ends after this iteration')
    })
}

function verdict(face: Face): Command {
  return new Command('verdict')
    .description('mark the verdict on an iteration as wrong: it is kept, counted and shown to the judge')
    .argument('<run>')
    .argument('<iteration>')
    .requiredOption('--wrong <why>', 'why it is wrong')
    .option('--json', 'for scripts')
    .action(async (id: string, iteration: string, { wrong, json }: { wrong: string; json?: boolean }) => {
      if (!/^[1-9]\d{0,8}$/.test(iteration)) {
        throw new RehoboamError(
          'usage',
          `"${iteration}" is not the number of an iteration; rehoboam show ${id} lists them`,
        )
      }
      const body = { iteration: Number(iteration), wrong }
      await change(face, 'verdict', id, body, json, `: the verdict on iteration ${iteration} is marked wrong`)
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
    .description('go on with a run that is paused or has ended: a session where it was, a loop with its next iteration')
    .argument('<run>')
    .argument('[text]', 'what to do next')
    .option('--no-questions', 'a question ends the session and pauses the run, instead of waiting in the inbox')
    .option(
      '--wait',
      'stay, show progress, end with the run’s own exit code; without a terminal it means --no-questions too',
    )
    .option('--json', 'for scripts')
    .action(
      async (
        id: string,
        text: string | undefined,
        options: { wait?: boolean; json?: boolean; questions?: boolean },
      ) => {
        const { wait, json } = options
        const environment = wholeEnvironment(face.env)
        const body = { text: text ?? null, environment, noQuestions: noQuestions(face, options) }
        const run = await change(face, 'resume', id, body, wait ? false : json, wait ? null : 'goes on')
        if (wait) process.exitCode = await waitForRun(face, run.id, { json: json === true })
      },
    )
}

function freeze(face: Face): Command {
  return new Command('freeze')
    .description('pause every run that works; thaw lets exactly these go on')
    .option('--json', 'for scripts')
    .action(({ json }: { json?: boolean }) => all(face, 'freeze', {}, json, 'frozen; rehoboam thaw lets them go on'))
}

function thaw(face: Face): Command {
  return new Command('thaw')
    .description('go on with every run that was frozen')
    .option('--json', 'for scripts')
    .action(({ json }: { json?: boolean }) =>
      all(face, 'thaw', { environment: wholeEnvironment(face.env) }, json, 'on again'),
    )
}

async function all(face: Face, command: string, body: unknown, json: boolean | undefined, said: string): Promise<void> {
  face.mayChange(command)
  const { runs: ids } = await face.daemon.ask<{ runs: string[] }>({ method: 'POST', path: `/v1/${command}`, body })
  if (json) face.out.json({ runs: ids })
  else face.out.line(ids.length ? `${ids.join(', ')} ${said}` : `there is no run to ${command}`)
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
  else if (said) face.out.line(`run ${run.id}${said.startsWith(':') ? '' : ' '}${said}`)
  return run
}
