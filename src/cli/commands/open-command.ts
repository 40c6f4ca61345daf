import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import { attach, paneOfAgent, paneOfRun } from '../../client/find-pane.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { RunDetail } from '../../contract/run.ts'
import { find } from '../ask-for-id.ts'
import { type Face, wholeEnvironment } from '../face.ts'

type Options = { yes?: boolean; json?: boolean }

/** Jump to where an agent is: its pane. A session without one is ended and goes on in a pane. */
export function openCommand(face: Face): Command {
  return new Command('open')
    .description('jump to a pane; a headless session of a run is ended and taken over in one')
    .argument('<id>', 'of a run or an agent, or the beginning of it')
    .option('--yes', 'do not ask before a turn that is running is cut off')
    .option('--json', 'for scripts: the pane, and nothing is shown')
    .action(async (id: string, options: Options) => {
      face.mayChange('open')
      const found = await find(face, id)
      const run = found.kind === 'run' ? found.id : found.run
      const agreed = (asked: RunDetail) => (options.yes ? Promise.resolve() : agree(face, asked))
      const pane =
        run === null
          ? await paneOfAgent(face.daemon, found.id)
          : await paneOfRun(face.daemon, run, wholeEnvironment(face.env), agreed)
      if (options.json) return face.out.json({ pane })
      if (!process.stdout.isTTY) return face.out.line(pane)
      process.exitCode = attach(pane, process.env)
    })
}

/** Only a person at a terminal is asked; a script that types it means it. */
async function agree(face: Face, run: RunDetail): Promise<void> {
  if (!process.stdin.isTTY || !face.out.isTerminal) return
  const asking = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const text = `run ${run.id} is working; its turn is cut off and goes on in a pane. Take it over? [y/N] `
    if (/^y(es)?$/i.test((await asking.question(text)).trim())) return
  } finally {
    asking.close()
  }
  throw new RehoboamError('not-agreed', `nothing was changed; rehoboam logs -f ${run.id} follows it as it is`)
}
