import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentSummary } from '../../src/contract/agent.ts'
import type { Question } from '../../src/contract/question.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { startRun } from '../cli/started.ts'
import type { TempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

export const PERMISSION: RuleSource[] = [
  {
    when: { prompt: 'perm', turn: 0 },
    reply: {
      text: 'I make a file.',
      tools: [{ name: 'Bash', input: { command: 'touch made.txt', description: 'make' } }],
    },
  },
  { reply: { text: 'Fine.' } },
]

const options = [
  { label: 'Apples', description: 'red' },
  { label: 'Pears', description: 'green' },
]

export const QUESTION: RuleSource[] = [
  {
    when: { prompt: 'ask', turn: 0 },
    reply: {
      text: 'I ask.',
      tools: [
        {
          name: 'AskUserQuestion',
          input: { questions: [{ question: 'Which one?', header: 'Fruit', options, multiSelect: false }] },
        },
      ],
    },
  },
  { reply: { text: 'Fine.' } },
]

export async function spawned(home: TempHome, prompt: string, ...more: string[]): Promise<string> {
  const { code, out, err } = await home.rehoboam(['spawn', '--prompt', prompt, '--permission-mode', 'manual', ...more])
  if (code !== 0) throw new Error(err)
  return out.trim()
}

/** A run in a directory of its own, so that several of one home do not meet. */
export async function runIn(home: TempHome, name: string, prompt: string, flags: Record<string, string> = {}) {
  const directory = join(home.project, name)
  mkdirSync(directory, { recursive: true })
  const run = await startRun(home, { prompt, directory, flags: { permissionMode: 'manual', ...flags } })
  return {
    run,
    directory,
    /** Waits until this run asks something. */
    asking: () => until(async () => (await inboxOf(home)).find(question => question.run === run), `run ${run} to ask`),
    /** Waits until the model is asked what comes after the tool. */
    goesOn: () => home.model.waitFor(({ line, turn }) => line.run === run && turn === 1),
  }
}

/** Straight from the daemon, as all that is looked at again and again: a command for every look keeps a busy machine busy. */
export function inboxOf(home: TempHome): Promise<Question[]> {
  return home.daemon.ask<Question[]>({ path: '/v1/inbox' })
}

/** Waits until something is asked. */
export function asking(home: TempHome): Promise<Question> {
  return until(async () => (await inboxOf(home))[0], 'a question in the inbox')
}

export function agentsOf(home: TempHome): Promise<AgentSummary[]> {
  return home.daemon.ask<AgentSummary[]>({ path: '/v1/agents' })
}

export async function statusOf(home: TempHome): Promise<AgentSummary> {
  return (await agentsOf(home))[0]!
}
