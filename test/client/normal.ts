import type { StreamLine } from '../../src/contract/stream.ts'
import type { Asked } from '../../src/rehearsal/model.ts'
import type { Bench } from '../support/real-client.ts'
import type { Ended } from '../support/real-process.ts'

// What two clients must have in common, with everything taken out that differs from one run to the next.

// A tool that is killed because the client is told to end: the client may or may not have the time to say so.
const KILLED = 'Exit code 137'
const UNKNOWN =
  "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]"

// Estimates that come as fast as the machine allows; and the client's surprise at a settings file that is new to it.
export const BY_CHANCE = ['system/thinking_tokens', 'system/ui_invalidate']

export type Performance = { processes: unknown[]; asked: unknown[] }

export function performance(bench: Bench, ended: Ended[]): Performance {
  const plain = (value: unknown) => neutral(value, bench)
  return {
    processes: ended.map(({ code, signal, stderr, lines }) =>
      plain({ code, signal, stderr, lines: inOrder(lines.filter(surely)).flatMap(line) }),
    ),
    asked: onlyNew(bench.model.asked.map(entry => plain(question(entry)) as Question)),
  }
}

type Question = { conversation: string[] } & Record<string, unknown>

/** A question repeats the whole conversation before it. What it adds is enough, and a change of the rest still shows. */
export function onlyNew(asked: Question[]): Question[] {
  return asked.map((entry, n) => {
    const before = asked[n - 1]?.conversation ?? []
    const goesOn = before.length > 0 && before.every((words, at) => words === entry.conversation[at])
    return goesOn ? { ...entry, conversation: ['(as before)', ...entry.conversation.slice(before.length)] } : entry
  })
}

function surely(line: StreamLine): boolean {
  return line.type !== 'other' || !BY_CHANCE.includes(line.name)
}

function line(from: StreamLine): unknown[] {
  switch (from.type) {
    case 'init':
      // The puppet has few tools; which ones a client has is not what this compares.
      return [{ ...from, tools: from.tools.includes('Bash') }]
    case 'assistant':
      return [{ ...from, at: typeof from.at, messageId: from.model === '<synthetic>' ? 'made up' : from.messageId }]
    case 'tool-results':
      if (from.results[0]?.text === KILLED) return []
      return [{ ...from, at: typeof from.at }]
    case 'api-retry':
      return [{ ...from, retryDelayMs: from.retryDelayMs >= 500 }]
    case 'rate-limit':
      return [{ ...from, resetsAtMs: typeof from.resetsAtMs }]
    case 'result':
      // After an INT the client races with its own exit, and sometimes has no time for a result.
      if (from.terminalReason?.startsWith('aborted_')) return []
      return [
        {
          ...from,
          durationMs: from.durationMs >= 0,
          costUsd: cents(from.costUsd),
          costSinceUsd: cents(from.costSinceUsd),
        },
      ]
    default:
      return [from]
  }
}

/** Tools that run side by side end in any order, and may end before the next call is even told. */
function inOrder(lines: StreamLine[]): StreamLine[] {
  const messages: (string | undefined)[] = []
  const owner = new Map<string, number>()
  let place = 0
  const keyed = lines.map((entry, n) => {
    if (entry.type === 'assistant') {
      const known = messages.lastIndexOf(entry.messageId)
      place = known >= 0 ? known : messages.push(entry.messageId) - 1
      for (const block of entry.blocks) if (block.kind === 'tool-use') owner.set(block.id, place)
      return { entry, key: [place, 0, n] as const }
    }
    if (entry.type === 'tool-results') {
      const id = entry.results[0]!.id
      return { entry, key: [owner.get(id) ?? place, 1, [...owner.keys()].indexOf(id)] as const }
    }
    return {
      entry,
      key: [place, entry.type === 'other' && entry.name === 'system/permission_denied' ? 0 : 1, n] as const,
    }
  })
  return lines.some(l => l.type === 'background-tasks')
    ? lines
    : keyed.sort((a, b) => compare(a.key, b.key)).map(k => k.entry)
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!
}

function question({ turn, side, stream, prompt, line: names, model, session, messages, credential }: Asked) {
  const conversation = messages.filter(m => m.role !== 'system').flatMap(m => said(m.role, m.content))
  return { turn, side, stream, prompt, names, model, session, credential, conversation }
}

// biome-ignore lint/suspicious/noExplicitAny: whatever a client sends
function said(role: string, content: any): unknown[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : [...content]
  // The model gets the results of tools that ran side by side in the order in which they ended.
  if (blocks.every((block: { type: string }) => block.type === 'tool_result')) blocks.sort(byCall)
  return blocks.flatMap((block: Record<string, unknown>) => {
    if (block.type === 'text')
      return String(block.text).startsWith('<system-reminder>') ? [] : [`${role}: ${block.text}`]
    if (block.type === 'tool_use') return [`${role}: ${block.name} ${sorted(block.input as object)}`]
    if (block.type === 'tool_result') {
      const text = block.content === KILLED ? UNKNOWN : block.content
      return [`${role}: ${block.is_error === true ? 'failed: ' : ''}${text}`]
    }
    return [`${role}: ${block.type}`]
  })
}

function byCall(a: { tool_use_id: string }, b: { tool_use_id: string }): number {
  return a.tool_use_id < b.tool_use_id ? -1 : 1
}

function sorted(input: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1))))
}

export function neutral(value: unknown, bench: Bench): unknown {
  const told = JSON.stringify(value)
  const tasks = [...told.matchAll(/in background with ID: (\w+)/g), ...told.matchAll(/"tasks":\[\{"id":"(\w+)"/g)]
  const text = tasks
    .reduce((rest, [, id]) => rest.replaceAll(id!, '<task>'), told)
    .replaceAll(bench.home.home, '<home>')
    .replaceAll(bench.home.home.replace(/[^A-Za-z0-9]/g, '-'), '<home>')
    .replaceAll(`127.0.0.1:${bench.model.port}`, '<model>')
    .replaceAll(`claude-${process.getuid?.()}/`, 'claude-<user>/')
    .replace(/resets \d+(:\d+)?[ap]m \([^)]*\)/g, 'resets <time>')
  const sessions: string[] = []
  return JSON.parse(
    text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, id => {
      if (!sessions.includes(id)) sessions.push(id)
      return `<session ${sessions.indexOf(id) + 1}>`
    }),
  )
}

function cents(usd: number): number {
  return Number(usd.toFixed(6))
}
