import { Command } from 'commander'
import type { SpawnAnswer, SpawnRequest } from '../../contract/api.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { flowLines } from '../../view/quest-flow-diagram.ts'
import type { Face } from '../face.ts'
import { agreementOf } from './agreement.ts'
import { collect } from './loop-request.ts'
import { EXIT_CODE_WORDS, type Options, promptOf, reportStart, requestOf } from './spawn-command.ts'

export function questCommand(face: Face): Command {
  return new Command('quest')
    .description('from a request in plain words to a reviewed branch, through roles that hand work to each other')
    .argument('[request]', 'what you want')
    .argument('[client arguments...]', 'after --, further arguments for the client')
    .option('--prompt-file <file>', 'read the request from a file; - is standard input')
    .option('--slots <n>', 'so many sessions at the same time (default: 3)')
    .option('--approve-plan', 'wait for your yes to the plan before anything is built')
    .option('--ward <command>', 'a check that has to be green; may be given several times', collect)
    .option('--no-ward', 'without checks; what comes out then stays unproven')
    .option('--accept-red-base', 'checks that failed before it began may go on failing')
    .option('--dir <directory>', 'the project (default: this directory)')
    .option('--driver <driver>', 'how sessions are run: headless, or pane (in tmux)')
    .option('--model <model>', 'the model, as the client names it, for roles that name none')
    .option('--permission-mode <mode>', 'the client’s permission mode, e.g. acceptEdits')
    .option('--allowed-tools <tools>', 'tools the client may use without asking, e.g. "Edit,Bash(npm test *)"')
    .option('--max-cost <usd>', 'end it as over-budget at this cost, all roles together')
    .option('--max-time <duration>', 'end it as over-budget after this time, e.g. 4h')
    .option('--claude <path>', 'the client program')
    .option('--yes', 'agree to the checks that were found in the project, and to go without what is not committed')
    .option('--no-questions', 'a question pauses the quest (exit code 6), instead of waiting')
    .option(
      '--wait',
      'stay, show steps, slots, roles and cost as they go, end with the quest’s own exit code; Ctrl-C cancels it; without a terminal it means --no-questions too',
    )
    .option('--json', 'for scripts')
    .addHelpText('after', () => ['\nThe flow:', ...flowLines()].join('\n'))
    .addHelpText('after', EXIT_CODE_WORDS)
    .action((request: string | undefined, clientArguments: string[], options: Options) =>
      quest(face, words(request, clientArguments, options), options),
    )
}

type Words = { prompt: string; clientArguments: string[] }

/** With the request in a file, what stands in its place is behind `--`. */
function words(request: string | undefined, clientArguments: string[], options: Options): Words {
  const { argv } = process
  const dashes = argv.indexOf('--')
  const behind = dashes < 0 ? [] : argv.slice(dashes + 1)
  const before = [...(request === undefined ? [] : [request]), ...clientArguments].slice(0, -behind.length || undefined)
  if (before.length > 1) {
    throw new RehoboamError(
      'usage',
      `"${before[1]}" is not understood; put the whole request in quotes, arguments for the client behind --`,
    )
  }
  if (before.length === 0 && options.promptFile === undefined) {
    throw new RehoboamError('usage', 'there is no request; rehoboam quest "<what you want>", or --prompt-file FILE')
  }
  const given = before.length ? { prompt: before[0]! } : {}
  return { prompt: promptOf({ ...options, ...given }), clientArguments: behind }
}

async function quest(face: Face, words: Words, options: Options): Promise<void> {
  face.mayChange('quest')
  const request = requestOf(face, options, words)
  const agreement = await agreementOf(face, request, options, true)
  const body: SpawnRequest = {
    ...request,
    quest: {
      approvePlan: options.approvePlan === true,
      acceptRedBase: options.acceptRedBase === true,
      ...agreement,
    },
  }
  const answer = await face.daemon.ask<SpawnAnswer>({ method: 'POST', path: '/v1/runs', body })
  await reportStart(face, answer, options)
}
