import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import { askOn } from '../../client/follow.ts'
import { parseDuration } from '../../contract/duration.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { InboxState } from '../../contract/question.ts'
import { inboxFooter, inboxLines, mutedWords } from '../../view/inbox-lines.ts'
import { Bell } from '../bell.ts'
import type { Face } from '../face.ts'

/** All that waits for a person. */
export function inboxCommand(face: Face): Command {
  const command = new Command('inbox')
    .description('every question of every agent and run, the most urgent first')
    .option('-f, --follow', 'print new ones as they come, ring, and count in the title; Ctrl-C stops following')
    .option('--json', 'for scripts')
    .addHelpText(
      'after',
      '\nExamples:\n  rehoboam inbox -f\n  rehoboam allow 3f2a\n  rehoboam deny 3f2a --reason "not on main"\n  rehoboam answer 7b1c "round per order"\n  rehoboam inbox --json | jq -r ".[].id" | xargs rehoboam deny --reason "not today"',
    )
    .action((options: { follow?: boolean; json?: boolean }) => (options.follow ? follow : list)(face, options))
  command
    .command('mute')
    .description('no bell, desktop notice or webhook for a time; questions still come to the inbox')
    .argument('<duration>', 'e.g. 30m; 0s ends it')
    .option('--json', 'for scripts')
    .action((duration: string, { json }: { json?: boolean }) =>
      mute(face, 'inbox mute', duration === '0s' ? 0 : durationOf(duration), json),
    )
  command
    .command('unmute')
    .description('be told again')
    .option('--json', 'for scripts')
    .action(({ json }: { json?: boolean }) => mute(face, 'inbox unmute', 0, json))
  return command
}

function durationOf(text: string): number {
  try {
    return parseDuration(text)
  } catch {
    throw new RehoboamError('usage', `"${text}" is no duration; 30m, 2h or 1d is`)
  }
}

async function mute(face: Face, command: string, forMs: number, json: boolean | undefined): Promise<void> {
  face.mayChange(command)
  const ask = { method: 'POST' as const, path: '/v1/inbox/mute', body: { forMs } }
  const { until } = await face.daemon.ask<{ until: string | null }>(ask)
  if (json) face.out.json({ mutedUntil: until })
  else face.out.line(until ? `muted until ${until}` : 'not muted any more')
}

const STATE = { path: '/v1/inbox/state' }

async function list(face: Face, { json }: { json?: boolean }): Promise<void> {
  const { questions, mutedUntil } = await face.daemon.ask<InboxState>(STATE)
  if (json) return face.out.json(questions)
  const now = Date.now()
  if (questions.length === 0) face.out.line('nothing waits for you')
  else for (const line of inboxLines(questions, now, face.out.columns)) face.out.line(line)
  for (const line of inboxFooter(questions, mutedUntil, now)) face.out.line(line, 'note')
}

// A person reads this: half a second is at once.
const FOLLOW_EVERY_MS = 500

async function follow(face: Face, { json }: { json?: boolean }): Promise<void> {
  const seen = new Set<string>()
  const stop = new AbortController()
  const bell = new Bell(face.out)
  process.once('SIGINT', () => stop.abort())
  try {
    await face.daemon.ready()
    for (let isFirst = true; !stop.signal.aborted; isFirst = false) {
      const state = await askOn<InboxState>(
        face.daemon,
        STATE,
        stop.signal,
        'rehoboam inbox -f starts it and looks again',
      )
      if (!state) return
      const { questions, mutedUntil, bell: rings } = state
      const fresh = questions.filter(({ id }) => !seen.has(id))
      for (const { id } of fresh) seen.add(id)
      if (json) for (const question of fresh) face.out.jsonLine(question)
      else print(face, fresh, isFirst ? mutedWords(mutedUntil, Date.now()) : [])
      bell.tell(
        questions.map(({ id }) => id),
        mutedUntil !== null || !rings,
      )
      await delay(FOLLOW_EVERY_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  } finally {
    bell.stop()
  }
}

function print(face: Face, questions: InboxState['questions'], notes: string[]): void {
  for (const question of questions) {
    for (const line of inboxLines([question], Date.now(), face.out.columns).slice(1)) face.out.line(line)
  }
  for (const note of notes) face.out.line(note, 'note')
}
