import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentSummary } from '../../src/contract/agent.ts'
import { tmuxSocketOf } from '../../src/contract/home.ts'
import type { Question } from '../../src/contract/question.ts'
import { openPane, paneOn, type Screen } from '../support/real-pane.ts'
import { REAL_CLIENT, type TempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

export type Whose = 'ours' | 'the user’s own'
export type OpenPane = Screen & AsyncDisposable

/** The real client in a pane that asks for everything: one that we started, or a user's own with our hooks installed. */
export async function paneIn(home: TempHome, whose: Whose, prompt: string): Promise<OpenPane> {
  await home.daemon.ready()
  const manual = ['--permission-mode', 'manual']
  if (whose === 'ours') {
    const { code, err } = await home.rehoboam(['spawn', '--driver', 'pane', '--prompt', prompt, ...manual])
    if (code !== 0) throw new Error(err)
    // It ends with its home.
    return { ...paneOn(tmuxSocketOf(home.home)), [Symbol.asyncDispose]: async () => {} }
  }
  const { code, err } = await home.rehoboam(['init'])
  if (code !== 0) throw new Error(err)
  const { REHOBOAM_CLAUDE: _, ...env } = home.env
  return openPane({ program: [REAL_CLIENT], args: manual, prompt, cwd: home.project, env })
}

/** Where the client would keep its note of itself there is a file instead of a directory: then it keeps none. */
export function withoutNotes(home: TempHome): void {
  mkdirSync(join(home.user, '.claude'), { recursive: true })
  writeFileSync(join(home.user, '.claude', 'sessions'), '')
}

/** Straight from the daemon: a command for every look would be half of what a busy machine does. */
export function openQuestions(home: TempHome): Promise<Question[]> {
  return home.daemon.ask<Question[]>({ path: '/v1/inbox' })
}

export function questionOf(home: TempHome): Promise<Question> {
  return until(async () => (await openQuestions(home))[0], 'a question')
}

export function noQuestion(home: TempHome, what: string): Promise<boolean> {
  return until(async () => (await openQuestions(home)).length === 0, what)
}

export function agentThat(home: TempHome, fits: (agent: AgentSummary) => boolean, what: string): Promise<AgentSummary> {
  let last: AgentSummary | undefined
  return until(async () => {
    const agents = await home.daemon.ask<AgentSummary[]>({ path: '/v1/agents' })
    last = agents[0]
    return agents.find(fits)
  }, what).catch(error => {
    throw new Error(`${error.message}; the last was ${JSON.stringify(last)}`)
  })
}

/** Events that were heard of the one agent, oldest first. */
export async function heardOf(home: TempHome): Promise<string[]> {
  const [agent] = await home.daemon.ask<AgentSummary[]>({ path: '/v1/agents' })
  const { history } = await home.daemon.ask<{ history: { name: string; at: number }[] }>({
    path: `/v1/agents/${agent!.session}`,
  })
  return history.toSorted((a, b) => a.at - b.at).map(({ name }) => name)
}
