import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import { parseDuration } from '../../contract/config.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { Answer, AnswerRequest, Question } from '../../contract/inbox.ts'
import { inboxTable } from '../../view/agent-words.ts'
import { plainLine } from '../../view/plain.ts'
import type { Face } from '../face.ts'

type Options = { json?: boolean; always?: boolean; forProject?: boolean; forRun?: boolean; reason?: string }

/** All that waits for a person, and the ways to answer it. */
export function inboxCommands(face: Face): Command[] {
  return [inbox(face), allow(face), deny(face), answer(face)]
}

function inbox(face: Face): Command {
  const command = new Command('inbox')
    .description('every question of every agent and run, the most urgent first')
    .option('-f, --follow', 'print new ones as they come; Ctrl-C stops following')
    .option('--json', 'for scripts')
    .addHelpText(
      'after',
      '\nExamples:\n  rehoboam inbox -f\n  rehoboam allow 3f2a\n  rehoboam deny 3f2a --reason "not on main"\n  rehoboam answer 7b1c "round per order"',
    )
    .action((options: { follow?: boolean; json?: boolean }) => list(face, options))
  command
    .command('mute')
    .description('no bell, desktop notice or webhook for a time; 0s ends it')
    .argument('<duration>', 'e.g. 30m')
    .action(async (duration: string) => {
      face.mayChange('inbox mute')
      const body = { forMs: duration === '0s' ? 0 : parseDuration(duration) }
      const { until } = await face.daemon.ask<{ until: string | null }>({
        method: 'POST',
        path: '/v1/inbox/mute',
        body,
      })
      face.out.line(until ? `muted until ${until}` : 'not muted any more')
    })
  return command
}

async function list(face: Face, { follow, json }: { follow?: boolean; json?: boolean }): Promise<void> {
  const ask = () => face.daemon.ask<Question[]>({ path: '/v1/inbox' })
  const first = await ask()
  if (!follow) {
    if (json) return face.out.json(first)
    if (first.length === 0) return face.out.line('nothing waits for you')
    for (const line of inboxTable(first, Date.now())) face.out.line(line)
    return
  }
  const seen = new Set<string>()
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  for (let questions = first; !stop.signal.aborted; questions = await ask()) {
    for (const question of questions.filter(({ id }) => !seen.has(id))) {
      seen.add(question.id)
      if (json) face.out.jsonLine(question)
      else for (const line of inboxTable([question], Date.now()).slice(1)) face.out.line(line)
    }
    await delay(FOLLOW_EVERY_MS, undefined, { signal: stop.signal }).catch(() => {})
  }
}

// A person reads this: half a second is at once.
const FOLLOW_EVERY_MS = 500

function allow(face: Face): Command {
  return withScopes(new Command('allow').description('let an agent do what it asks for'))
    .argument('<question...>', 'ids, or the beginnings of them')
    .action((ids: string[], options: Options) => decide(face, 'allow', ids, { kind: 'allow' }, options))
}

function deny(face: Face): Command {
  return withScopes(new Command('deny').description('refuse what an agent asks for'))
    .argument('<question...>')
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
    .option('--json', 'for scripts')
}

async function decide(face: Face, command: string, ids: string[], given: Answer, options: Options): Promise<void> {
  await face.mayDecide(command, ids[0] ?? null)
  const always = options.always ? 'always' : options.forProject ? 'project' : options.forRun ? 'run' : 'no'
  const failed: RehoboamError[] = []
  for (const id of ids) {
    try {
      const body: AnswerRequest = { answer: given, face: 'cli', always }
      const path = `/v1/inbox/${encodeURIComponent(id)}/answer`
      const { question, rules } = await face.daemon.decide<{ question: Question; rules: string[] }>({
        method: 'POST',
        path,
        body,
      })
      if (options.json) face.out.jsonLine({ question: question.id, answer: given, rules })
      else
        face.out.line(
          `${WORDS[given.kind]}: ${plainLine(question.text, 120)}${rules.length ? ` (rule ${rules.map(rule => plainLine(rule)).join(', ')})` : ''}`,
        )
    } catch (error) {
      if (!(error instanceof RehoboamError) || error.code === 'inside-agent') throw error
      failed.push(error)
      face.out.error(error.message)
    }
  }
  if (failed.length > 0) process.exitCode = failed.every(({ code }) => code === 'question-unknown') ? 2 : 1
}

const WORDS = { allow: 'allowed', deny: 'denied', text: 'answered' }
