import type { Notice } from './background.ts'
import { Conversation, type Ending } from './conversation.ts'
import { Hooks } from './hooks/hooks.ts'
import { parseOptions } from './options.ts'
import { Output } from './output.ts'
import { readPrompt } from './prompt.ts'
import { Refusal } from './refusal.ts'
import { initLine, resultLine, stillbornResult } from './report.ts'
import { NoSuchSession, openSession, type Session } from './session.ts'
import { SessionNote } from './session-note.ts'
import { readSettings, type Settings } from './settings.ts'
import { sinceThen } from './since-then.ts'
import { transcriptPath } from './transcript.ts'
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
  const session = await open(settings, output)
  if (session) await Promise.all(settings.servers.map(server => server.connect()))
  return session ? await play(settings, session, output, prompt) : 1
}

async function open(settings: Settings, output: Output): Promise<Session | undefined> {
  try {
    return openSession(settings)
  } catch (error) {
    if (!(error instanceof NoSuchSession)) throw error
    const { session, message } = error
    process.stderr.write(`${message}\n`)
    if (settings.format === 'stream-json') output.line(session, stillbornResult(message))
    // It never began, and yet the client says that it has ended.
    const path = transcriptPath(settings.configDir, settings.cwd, session)
    await new Hooks(settings, { id: session, path }, () => {}).sessionEnded()
    return undefined
  }
}

async function play(settings: Settings, session: Session, output: Output, prompt: string): Promise<number> {
  const { id, transcript } = session
  const hooks = new Hooks(settings, { id, path: transcript.path }, line => output.line(id, line))
  const conversation = new Conversation(settings, session, output, hooks)
  process.on('SIGTERM', () => conversation.end('terminated'))
  process.on('SIGINT', () => conversation.end('interrupted'))
  const note = new SessionNote(settings, id)
  await hooks.sessionStarted(session.source, sinceThen(settings, session))
  note.says('busy')
  const ending = await converse(settings, conversation, transcript, prompt)
  conversation.toolbox.killAll()
  // Told to go, a client is not to be found any more; otherwise its hooks still find it, idle.
  if (conversation.stopped) note.remove()
  else note.says('idle')
  await hooks.sessionEnded()
  note.remove()
  output.end(ending && 'text' in ending ? ending.text : 'Execution error')
  return exitCode(conversation.stopped ?? ending?.how)
}

/** One turn for the prompt, and one more whenever something in the background ends after that. */
async function converse(
  settings: Settings,
  conversation: Conversation,
  transcript: Session['transcript'],
  prompt: string,
): Promise<Ending | undefined> {
  let next: Notice | undefined = { text: prompt, prompt }
  let ending: Ending | undefined
  for (let index = 0; next !== undefined && !conversation.stopped; index += 1) {
    const startedAt = Date.now()
    conversation.say(initLine(settings))
    ending = await conversation.turn(next.text, next.prompt)
    transcript.addCost(conversation.ledger.totalUsd)
    if (ending.how === 'terminated') break
    conversation.say(resultLine(conversation, ending, settings, index, startedAt))
    if (ending.how !== 'completed') break
    next = joined(await conversation.background.next())
  }
  return ending
}

function joined(notices: Notice[] | undefined): Notice | undefined {
  if (!notices) return undefined
  const all = (field: keyof Notice) => notices.map(notice => notice[field]).join('\n')
  return { text: all('text'), prompt: all('prompt') }
}

/** As the client ends: TERM is 143, and an INT that ended the turn in good order is 0. */
function exitCode(how: Ending['how'] | undefined): number {
  if (how === 'terminated') return 143
  return how === 'completed' || how === 'interrupted' ? 0 : 1
}
