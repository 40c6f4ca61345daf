import { expect, test } from 'vitest'
import type { AgentSummary } from '../../src/contract/agent.ts'
import type { Question } from '../../src/contract/question.ts'
import { agentsTable } from '../../src/view/agent-words.ts'
import { inboxFooter, inboxLines } from '../../src/view/inbox-lines.ts'
import { widthOf } from '../../src/view/width.ts'

const NOW = Date.parse('2026-11-16T12:00:00Z')

const question = (change: Partial<Question>): Question => ({
  id: '01a1e1dc-65b2-7816-bc93-d22a8334fab3',
  kind: 'permission',
  run: null,
  agent: null,
  step: null,
  text: 'Bash: ls',
  options: [],
  since: '2026-11-16T11:59:00Z',
  project: '/home/u/shop',
  tool: 'Bash',
  why: null,
  ...change,
})

test('a command is shown to its last character on a narrow screen, and nothing in it moves the cursor [inbox-whole-text]', () => {
  const command = `echo ${'schöne Grüße 你好 '.repeat(20)}\u001b[2K; rm -rf /tmp/end`
  const lines = inboxLines([question({ text: `Bash: ${command}`, why: 'no rule matches' })], NOW, 80)
  expect(lines.every(line => widthOf(line) <= 80)).toBe(true)
  expect(lines[1]).toBe('01a1e1dc  permission  1 m ago  shop')
  const body = lines.slice(2, -1).map(line => line.slice(4))
  expect(body.join('')).toBe(`Bash: ${command.replace('\u001b[2K', '')}`)
  expect(lines.at(-1)).toBe('    (no rule matches)')
})

test('short ones stand on one line, and lines of a command stay lines [inbox-whole-text]', () => {
  const short = question({})
  const long = question({ kind: 'question', text: 'Which one?\nNow.', options: ['Äpfel', 'Birnen'] })
  expect(inboxLines([short, long], NOW, 80)).toEqual([
    'id        kind        asked    project  what',
    '01a1e1dc  permission  1 m ago  shop     Bash: ls',
    '01a1e1dc  question    1 m ago  shop',
    '    Which one?',
    '    Now.',
    '    1  Äpfel',
    '    2  Birnen',
  ])
  expect(inboxFooter([short, long], '2026-11-16T12:25:00Z', NOW)).toEqual([
    '1 permission, 1 question; rehoboam allow ID..., deny ID..., answer ID "<text>"',
    'muted for another 25 m 00 s: no bell, no notices; rehoboam inbox unmute ends it',
  ])
})

test('words stay whole where a line is broken [inbox-whole-text]', () => {
  const text = `Bash: ${'Mehrwertsteuer '.repeat(12)}ende`
  const body = inboxLines([question({ text })], NOW, 80).slice(2)
  expect(body.every(line => /(Mehrwertsteuer |ende)$/.test(line))).toBe(true)
})

test('the list of agents fits the screen that it is shown on [inbox-whole-text]', () => {
  const agent: AgentSummary = {
    id: '01a1e1dc',
    session: '01a1e1dc-65b2-7816-bc93-d22a8334fab3',
    status: 'working',
    reason: `Bash: ${'schöne Grüße '.repeat(10)}`,
    doing: 'Bash',
    since: null,
    unsure: null,
    project: '/home/u/ein-sehr-langer-name-eines-projekts',
    cwd: '/home/u',
    pane: null,
    model: null,
    run: 'k3v9x0ab',
    role: null,
    observedRole: null,
    tool: null,
    subagents: 2,
    tokens: 0,
    contextTokens: 0,
    costUsd: 1,
    team: null,
    startedAt: '2026-11-16T11:59:00Z',
    updatedAt: '2026-11-16T11:59:00Z',
  }
  for (const columns of [80, 200]) {
    const lines = agentsTable([agent], NOW, columns)
    expect(lines.every(line => widthOf(line) <= columns)).toBe(true)
    expect(lines[1]).toContain('k3v9x0ab')
  }
  const plain = { ...agent, project: '/home/u/shop', subagents: 0, costUsd: 0.0008, status: 'attention' as const }
  const [title = '', line = ''] = agentsTable([plain], NOW, 80)
  expect([title, line]).toEqual([expect.not.stringContaining('subs'), expect.stringMatching(/… .* 1 m ago$/)])
  expect(widthOf(line)).toBeLessThanOrEqual(80)
})
