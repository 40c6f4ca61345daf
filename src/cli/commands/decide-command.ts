import { Command } from 'commander'
import type { ErrorCode } from '../../contract/error-codes.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { Answer, AnswerRequest, Question } from '../../contract/question.ts'
import { refusalOf } from '../../contract/refusal.ts'
import { plainLine } from '../../view/plain.ts'
import type { Face } from '../face.ts'

type Options = { json?: boolean; always?: boolean; forProject?: boolean; forRun?: boolean; reason?: string }

/** The ways to answer what waits. */
export function decideCommands(face: Face): Command[] {
  return [allow(face), deny(face), answer(face)]
}

function allow(face: Face): Command {
  return withScopes(new Command('allow').description('let an agent do what it asks for'))
    .argument('<question...>', 'ids, or the beginnings of them')
    .action((ids: string[], options: Options) => decide(face, 'allow', ids, { kind: 'allow' }, options))
}

function deny(face: Face): Command {
  return withScopes(new Command('deny').description('refuse what an agent asks for'))
    .argument('<question...>', 'ids, or the beginnings of them')
    .option('--reason <text>', 'what the agent is told', 'the user said no')
    .action((ids: string[], options: Options) =>
      decide(face, 'deny', ids, { kind: 'deny', reason: options.reason ?? '' }, options),
    )
}

function answer(face: Face): Command {
  return new Command('answer')
    .description('answer an agent’s question')
    .argument('<question>')
    .argument('<text>', 'your answer, or the number of an option')
    .option('--json', 'for scripts')
    .action((id: string, text: string, options: Options) =>
      decide(face, 'answer', [id], { kind: 'text', text }, options),
    )
}

function withScopes(command: Command): Command {
  return command
    .option('--always', 'make a rule of it, everywhere')
    .option('--for-project', 'make a rule of it for this project')
    .option('--for-run', 'make a rule of it for this run')
    .option('--json', 'for scripts: one object a line, an outcome for each question')
}

function scopeOf({ always, forProject, forRun }: Options): AnswerRequest['always'] {
  if ([always, forProject, forRun].filter(Boolean).length > 1) {
    throw new RehoboamError('usage', '--always, --for-project and --for-run exclude each other; give one')
  }
  return always ? 'always' : forProject ? 'project' : forRun ? 'run' : 'no'
}

/** Each for itself, with what came of it; the code is that of the worst. */
async function decide(face: Face, command: string, ids: string[], given: Answer, options: Options): Promise<void> {
  await face.mayDecide(command, ids[0] ?? null)
  const always = scopeOf(options)
  const failed: RehoboamError[] = []
  for (const id of new Set(ids)) {
    const body: AnswerRequest = { answer: given, face: 'cli', always }
    const path = `/v1/inbox/${encodeURIComponent(id)}/answer`
    try {
      const decided = await face.daemon.decide<{ question: Question; rules: string[] }>({ method: 'POST', path, body })
      say(face, given, decided, ids.length > 1, options.json)
    } catch (error) {
      if (!(error instanceof RehoboamError) || error.code === 'inside-agent') throw error
      failed.push(error)
      if (options.json) face.out.jsonLine({ question: id, ...refusalOf(error) })
      face.out.error(error.message)
    }
  }
  if (failed.length > 0) process.exitCode = failed.every(({ code }) => MISTYPED.has(code)) ? 2 : 1
}

/** What was typed names no question; nothing could be done about it. */
const MISTYPED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'question-unknown',
  'question-ambiguous',
  'usage',
  'bad-request',
  'route-unknown',
])
const WORDS = { allow: 'allowed', deny: 'denied', text: 'answered' }

function say(
  face: Face,
  given: Answer,
  { question, rules }: { question: Question; rules: string[] },
  isOneOfMany: boolean,
  json: boolean | undefined,
): void {
  if (json) {
    face.out.jsonLine({ question: question.id, answer: given, rules })
    return
  }
  const which = isOneOfMany ? `${question.id.slice(0, 8)}  ` : ''
  const made = rules.length ? ` (rule ${rules.map(rule => plainLine(rule)).join(', ')})` : ''
  face.out.line(`${which}${WORDS[given.kind]}: ${plainLine(question.text, 120)}${made}`)
}
