import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { expect } from 'vitest'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { writeScript } from '../session/runs.ts'
import { PUPPET, REAL_CLIENT, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

/** The model of the client that hangs: it begins as the demo's model does, and its second reply never comes. */
const HANGS = turns({}, { ...say('I look at the code first.'), ...bash('true') }, { fault: { kind: 'hang' } })

/** A person who tries the demo: nothing of ours in their environment, and a temporary directory that can be looked into. */
export async function visitor(installed: 'no client' | 'the real client' | 'a client that hangs') {
  const home = await tempHome({ scenario: HANGS })
  const [temporary, bin] = [join(home.root, 'tmp'), join(home.root, 'bin')]
  for (const folder of [temporary, bin]) mkdirSync(folder)
  if (installed === 'a client that hangs') {
    writeScript(
      join(bin, 'claude'),
      `ANTHROPIC_BASE_URL='${home.model.url}' exec '${process.execPath}' '${PUPPET}' "$@"`,
    )
  }
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => !existsSync(join(folder, 'claude')))
  const client = installed === 'the real client' ? dirname(REAL_CLIENT) : bin
  const none = {
    REHOBOAM_HOME: undefined,
    REHOBOAM_CLAUDE: undefined,
    ANTHROPIC_API_KEY: undefined,
    ANTHROPIC_BASE_URL: undefined,
  }
  const env = { PATH: [dirname(process.execPath), client, ...folders].join(delimiter), TMPDIR: temporary, ...none }
  const demo = (args: string[] = [], more: Record<string, string> = {}) =>
    home.start(['demo', ...args], { ...env, ...more })
  return Object.assign(home, { temporary, demo })
}

type Visitor = TempHome & { temporary: string }

/** What is there when everything that was ending has ended: a process may outlive its parent by a moment, not by more. */
export async function leftBy(home: Visitor) {
  const left = () => ({ files: readdirSync(home.temporary), processes: home.processes(), runs: home.runs() })
  await until(() => left().processes.length === 0, 'all processes to be gone').catch(() => {})
  return left()
}

export const NOTHING = { files: [], processes: [], runs: [] }

/** Sends signals to a demo that has printed these words. Its client hangs, so it cannot be over before they arrive. */
export async function expectNothingLeftAfter(words: string, signals: readonly NodeJS.Signals[]): Promise<void> {
  await using home = await visitor('a client that hangs')
  const { child, ended, out } = home.demo()
  await until(() => out().includes(words) || child.exitCode !== null, `"${words}" to be printed`)
  for (const signal of signals) child.kill(signal)
  const { code, out: said } = await ended
  expect(said).toContain(words)
  expect(code).toBe(130)
  expect(said).not.toContain('Summary')
  expect(await leftBy(home)).toEqual(NOTHING)
}
