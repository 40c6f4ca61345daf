import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import type { SpawnAnswer, SpawnRequest } from '../../contract/api.ts'
import { TEXT_LIMIT } from '../../contract/body-limit.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { fromEditor } from '../editor.ts'
import { type Face, wholeEnvironment } from '../face.ts'
import { eventId } from '../hook/event-id.ts'
import { noQuestions, waitForRun } from '../wait.ts'
import { collect, loopOf, refuseLoopFlags } from './loop-request.ts'

export type Options = {
  prompt?: string
  promptFile?: string
  dir?: string
  wait?: boolean
  /** False for --no-questions: that is how the parser reads a flag that begins with no. */
  questions?: boolean
  json?: boolean
  loop?: boolean
  role?: string
  ward?: string[] | false
  judgePrompt?: string
  acceptRedBase?: boolean
  worktree?: boolean
  yes?: boolean
} & Record<string, string | boolean | string[] | undefined>

/** Flags that are configuration, by their key. */
const FLAGS: Record<string, string> = {
  driver: 'driver',
  claude: 'claude',
  model: 'model',
  permissionMode: 'permissionMode',
  allowedTools: 'allowedTools',
  maxCost: 'maxCostUsd',
  maxTime: 'maxTime',
  maxIterations: 'maxIterations',
  stopWord: 'stopWord',
  stallAfter: 'stallAfter',
  maxWorkers: 'maxWorkers',
  slots: 'slots',
  judge: 'judge',
}

export function spawnCommand(face: Face): Command {
  return new Command('spawn')
    .description('start a session, or a loop of fresh ones, and let it work')
    .argument('[client arguments...]', 'after --, further arguments for the client')
    .option('-p, --prompt <text>', 'what to do')
    .option('--prompt-file <file>', 'read it from a file; - is standard input')
    .option('--dir <directory>', 'the project (default: this directory)')
    .option('--driver <driver>', 'how the session is run: headless, or pane (in tmux)')
    .option('--model <model>', 'the model, as the client names it')
    .option('--permission-mode <mode>', 'the client’s permission mode, e.g. acceptEdits')
    .option('--allowed-tools <tools>', 'tools the client may use without asking, e.g. "Edit,Bash(npm test *)"')
    .option('--max-cost <usd>', 'end it as over-budget at this cost')
    .option('--max-time <duration>', 'end it as over-budget after this time, e.g. 30m')
    .option('--claude <path>', 'the client program')
    .option('--loop', 'fresh sessions, one after the other, until the task is done')
    .option('--role <role>', 'what a loop’s sessions are: auto, planner (writes tasks), worker (does tasks)', 'auto')
    .option('--auto-spawn-workers', 'of a planner: workers do its tasks, each in a worktree of its own')
    .option('--max-workers <n>', 'of a planner: so many at a time (default: 3)')
    .option('--max-iterations <n>', 'of a loop: end it as stalled after so many (default: 50)')
    .option('--stop-word <word>', 'of a loop: an agent writes it alone on a line when all is done (default: DONE)')
    .option('--stall-after <n>', 'of a loop: end it when nothing moved in so many iterations (default: 3)')
    .option('--judge <judge>', 'of a loop: heuristic, model or off (default: heuristic)')
    .option('--judge-prompt <text>', 'of a loop: criteria of your own for the model judge')
    .option('--ward <command>', 'of a loop: a check that proves a claim; may be given several times', collect)
    .option('--no-ward', 'of a loop: without checks; what is claimed then stays unproven')
    .option('--accept-red-base', 'of a loop: checks that failed before it began may go on failing')
    .option('--worktree', 'of a loop: in a worktree and on a branch of its own; rehoboam merge brings the result in')
    .option(
      '--yes',
      'agree to the checks that were found in the project, and to a worktree without what is not committed',
    )
    .option('--no-questions', 'a question ends the session and pauses the run (exit code 6), instead of waiting')
    .option(
      '--wait',
      'stay, show progress, end with the run’s own exit code; Ctrl-C cancels the run; without a terminal it means --no-questions too',
    )
    .option('--json', 'for scripts')
    .addHelpText('after', EXIT_CODE_WORDS)
    .action((clientArguments: string[], options: Options) => spawn(face, clientArguments, options))
}

export const EXIT_CODE_WORDS = `
Exit codes with --wait: 0 complete, 1 failed, 2 wrong usage, 3 stalled, 4 over budget, 5 cancelled, 6 paused (with --no-questions: it asks for you), 130 interrupted.`

async function spawn(face: Face, clientArguments: string[], options: Options): Promise<void> {
  face.mayChange('spawn')
  refuseStray(clientArguments, process.argv)
  const request = requestOf(face, options, { prompt: promptOf(options), clientArguments })
  if (options.loop) request.loop = await loopOf(face, request, options)
  else refuseLoopFlags(options)
  await reportStart(face, await asked(face, request), options)
}

/** Returns what every kind of run is asked for with. The caller adds a loop or a quest. */
export function requestOf(
  face: Face,
  options: Options,
  { prompt, clientArguments }: { prompt: string; clientArguments: string[] },
): SpawnRequest {
  return {
    request: eventId(),
    prompt,
    directory: resolve(options.dir ?? '.'),
    environment: wholeEnvironment(face.env),
    flags: flagsOf(options),
    arguments: clientArguments,
    loop: null,
    quest: null,
    noQuestions: noQuestions(face, options),
  }
}

/** Prints the notes and the id of a run that has started. With --wait it follows the run to its end instead. */
export async function reportStart(face: Face, { id, notes }: SpawnAnswer, options: Options): Promise<void> {
  for (const note of notes) face.out.note(`note: ${note}`)
  if (options.wait) process.exitCode = await waitForRun(face, id, { json: options.json === true })
  else if (options.json) face.out.json({ id })
  else face.out.line(id)
}

/** A loop without a prompt may find its task in the project. If not, its user writes one. */
async function asked(face: Face, request: SpawnRequest): Promise<SpawnAnswer> {
  const ask = (body: SpawnRequest) => face.daemon.ask<SpawnAnswer>({ method: 'POST', path: '/v1/runs', body })
  try {
    return await ask(request)
  } catch (error) {
    const prompt = error instanceof RehoboamError && error.code === 'no-task' ? fromEditor(face.env) : null
    if (prompt) return ask({ ...request, prompt })
    throw error
  }
}

/** A word that is not behind `--` was meant for us, and would be a second prompt for the client. */
function refuseStray(clientArguments: string[], argv: string[]): void {
  const behind = argv.includes('--') ? argv.length - argv.indexOf('--') - 1 : 0
  const stray = clientArguments[0]
  if (stray === undefined || clientArguments.length <= behind) return
  const sentence = `"${stray}" is not understood; the prompt goes behind --prompt, arguments for the client behind --`
  throw new RehoboamError('usage', sentence)
}

export function promptOf(options: Options): string {
  if (options.prompt !== undefined && options.promptFile !== undefined) {
    throw new RehoboamError('usage', '--prompt and --prompt-file are both given; give one')
  }
  const text = options.prompt ?? (options.promptFile === undefined ? undefined : read(options.promptFile))
  if (text === undefined && options.loop) return ''
  if (!text?.trim())
    throw new RehoboamError('usage', 'there is no prompt; give --prompt "<what to do>" or --prompt-file FILE')
  if (text.length > TEXT_LIMIT)
    throw new RehoboamError('usage', `the prompt has ${text.length} characters; ${TEXT_LIMIT} is the most`)
  return text
}

function read(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new RehoboamError('usage', `the prompt file cannot be read: ${(error as Error).message}`)
  }
}

function flagsOf(options: Options): Record<string, string> {
  const given = Object.entries(FLAGS).filter(([flag]) => typeof options[flag] === 'string')
  return Object.fromEntries(given.map(([flag, key]) => [key, options[flag] as string]))
}
