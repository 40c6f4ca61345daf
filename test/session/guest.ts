import { mkdtempSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { startModel } from '../../src/rehearsal/model.ts'
import type { ScenarioSource } from '../../src/rehearsal/scenario.ts'
import { type Client, type TempHome, tempHome } from '../support/temp-home.ts'
import { cancel } from './runs.ts'

/**
 * One home, and so one daemon, for the tests of a file that run one after the other. Each test is a guest there: it has a
 * model, a project and runs of its own. Commands still run in the project of the home, so `--dir` names the guest's.
 */
export function homeWithGuests(options: { client?: Client; env?: Record<string, string> } = {}) {
  let home: TempHome
  beforeAll(async () => {
    home = await tempHome(options)
    Object.assign(home.env, options.env)
  })
  afterAll(() => home[Symbol.asyncDispose]())
  return (scenario: ScenarioSource = []) => guestOf(home, scenario)
}

async function guestOf(home: TempHome, scenario: ScenarioSource): Promise<TempHome> {
  const earlier = home.runs()
  const model = await startModel(scenario)
  const own = { ANTHROPIC_BASE_URL: model.url }
  const runs = () => home.runs().filter(run => !earlier.includes(run))
  const start: TempHome['start'] = (args, more = {}, program) => home.start(args, { ...own, ...more }, program)
  return {
    ...home,
    project: realpathSync(mkdtempSync(join(home.root, 'project-'))),
    env: { ...home.env, ...own },
    model,
    runs,
    start,
    rehoboam: (args, more = {}) => start(args, more).ended,
    [Symbol.asyncDispose]: async () => {
      // Runs that have ended refuse it.
      for (const run of runs()) await cancel(home, run).catch(() => {})
      await model.close()
    },
  }
}
