import { Conversation, type Ending } from './conversation.ts'
import { parseOptions } from './options.ts'
import { Output } from './output.ts'
import { readPrompt } from './prompt.ts'
import { Refusal } from './refusal.ts'
import { initLine, resultLine, stillbornResult } from './report.ts'
import { NoSuchSession, openSession, type Session } from './session.ts'
import { readSettings, type Settings } from './settings.ts'
import { VERSION } from './version.ts'

// A double of the client for rehearsals with many sessions: the same command line, the same lines on stdout, the same
// files, a tenth of the weight. It holds itself to the real one by test/client/conformance.test.ts, and to nothing else.

main(process.argv.slice(2)).then(
  code => process.exit(code),
  error => {
    process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`)
    process.exit(1)
  },
)

async function main(args: string[]): Promise<number> {
  const parsed = parseOptions(args)
  if (!parsed.ok) throw new Refusal(parsed.complaint)
  const { given } = parsed
  if (given.flags.has('--version')) {
    process.stdout.write(`${VERSION} (Claude Code)\n`)
    return 0
  }
  if (!given.flags.has('--print'))
    throw new Refusal('Error: this puppet plays headless sessions only; start it with -p')
  const settings = readSettings(given, process.env, process.cwd())
  const output = new Output(settings)
  const prompt = await readPrompt(given.prompt)
  const session = open(settings, output)
  return session ? await play(settings, session, output, prompt) : 1
}

function open(settings: Settings, output: Output): Session | undefined {
  try {
    return openSession(settings)
  } catch (error) {
    if (!(error instanceof NoSuchSession)) throw error
    process.stderr.write(`${error.message}\n`)
    if (settings.format === 'stream-json') output.line(error.session, stillbornResult(error.message))
    return undefined
  }
}

async function play(settings: Settings, session: Session, output: Output, prompt: string): Promise<number> {
  const conversation = new Conversation(settings, session, output)
  process.on('SIGTERM', () => conversation.end('terminated'))
  process.on('SIGINT', () => conversation.end('interrupted'))
  let next: string | undefined = prompt
  let ending: Ending | undefined
  // One turn for the prompt, and one more whenever something in the background ends after that.
  for (let index = 0; next !== undefined; index += 1) {
    const startedAt = Date.now()
    conversation.say(initLine(settings))
    ending = await conversation.turn(next)
    session.transcript.addCost(conversation.ledger.totalUsd)
    if (ending.how === 'terminated') break
    conversation.say(resultLine(conversation, ending, settings, index, startedAt))
    if (ending.how !== 'completed') break
    next = (await conversation.background.next())?.map(notice => notice.text).join('\n')
  }
  conversation.toolbox.killAll()
  output.end(ending && 'text' in ending ? ending.text : 'Execution error')
  return exitCode(ending)
}

/** As the client ends: TERM is 143, and an INT that ended the turn in good order is 0. */
function exitCode(ending: Ending | undefined): number {
  if (ending?.how === 'terminated') return 143
  return ending?.how === 'completed' || ending?.how === 'interrupted' ? 0 : 1
}
