import { join } from 'node:path'
import { type Model, startModel } from '../../src/rehearsal/model.ts'
import type { ScenarioSource } from '../../src/rehearsal/scenario.ts'
import { PLAYS_ALL } from './plays-all.ts'
import { PUPPET } from './programs.ts'
import { type ClientHome, clientHome } from './real-home.ts'
import { endOrphans, processesOf } from './real-orphans.ts'
import { openPane, type Pane, type PaneStart } from './real-pane.ts'
import { type Ended, type Running, startProcess } from './real-process.ts'

export type Turn = { prompt?: string; args?: string[]; env?: Record<string, string>; cwd?: string }

/** A client in its own home, with a scripted model to talk to. Everything it started is gone when its scope ends. */
export type Bench = {
  model: Model
  home: ClientHome
  /** One headless process, from its start to its end. */
  run(turn?: Turn): Promise<Ended>
  /** One headless process that is still running. */
  start(turn?: Turn): Running
  /** Whether a process of this home runs whose command line contains the text. */
  running(text: string): Promise<boolean>
  /** The client's own screen, in a tmux of its own. */
  pane(start?: Omit<PaneStart, 'program' | 'env' | 'cwd'> & { env?: Record<string, string> }): Promise<Pane>
  [Symbol.asyncDispose](): Promise<void>
}

export const claude = [join(import.meta.dirname, '../../node_modules/.bin/claude')]
export const puppet = [process.execPath, PUPPET]
/** The puppet in `npm test`, the real client in `npm run test:all`. */
export const either = PLAYS_ALL ? claude : puppet

/** What every headless turn is started with; a prompt comes by stdin, as it does in production. */
const HEADLESS = ['-p', '--output-format', 'stream-json', '--verbose']

export async function openBench(scenario: ScenarioSource = [], program: string[] = claude): Promise<Bench> {
  const home = await clientHome()
  const model = await startModel(scenario)
  const running = new Set<Running>()
  const panes = new Set<Pane>()
  const start = (turn: Turn = {}): Running => {
    const process = startProcess({
      program,
      args: [...HEADLESS, ...(turn.args ?? [])],
      prompt: turn.prompt ?? '[rehoboam run=r1 role=worker attempt=1]\nDo the work.',
      cwd: turn.cwd ?? home.cwd,
      env: { ...home.env(model.url), ...turn.env },
    })
    running.add(process)
    return process
  }
  return {
    model,
    home,
    start,
    run: turn => start(turn).ended,
    running: async text => (await processesOf(home.home)).some(({ command }) => command.includes(text)),
    pane: async (options = {}) => {
      const env = { ...home.env(model.url), ...options.env }
      const pane = await openPane({ ...options, program, cwd: home.cwd, env })
      panes.add(pane)
      return pane
    },
    [Symbol.asyncDispose]: async () => {
      for (const pane of panes) await pane.close()
      for (const process of running) process.kill()
      await Promise.all([...running].map(process => process.ended))
      await endOrphans(home.home)
      await model.close()
      await home[Symbol.asyncDispose]()
    },
  }
}
