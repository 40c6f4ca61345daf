import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import type { Bench, Turn } from '../support/real-client.ts'
import type { Answers, HookRecorder } from '../support/real-hooks.ts'
import type { Ended } from '../support/real-process.ts'

/** One situation with hooks around it, played with the real client and with its double. */
export type HookScene = {
  name: string
  rules: RuleSource[]
  answers?: Answers
  /** The names of the events that the real client tells, so that two that tell nothing are not taken for equal. */
  events?: string[]
  play(bench: Bench, hooks: HookRecorder): Promise<Ended[]>
}

export type Settings = Record<string, unknown>

export const PRE = (decision: Settings) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } })
export const PERMISSION = (decision: Settings) => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
})

/** Every event by hooks of one kind, given by `--settings`. */
export function heard(
  name: string,
  via: 'command' | 'http',
  rules: RuleSource[],
  more: { answers?: Answers; turns?: Turn[]; hook?: object; events?: readonly string[] } = {},
): HookScene {
  return {
    name,
    rules,
    ...(more.answers ? { answers: more.answers } : {}),
    play: (bench, hooks) => inTurn(bench, hooks.settings(via, more.events, more.hook), more.turns ?? [{}]),
  }
}

/** Whatever settings the scene itself makes. */
export function given(
  name: string,
  rules: RuleSource[],
  settings: (hooks: HookRecorder, bench: Bench) => Settings,
  ...turns: Turn[]
): HookScene {
  return {
    name,
    rules,
    play: (bench, hooks) => inTurn(bench, settings(hooks, bench), turns.length > 0 ? turns : [{}]),
  }
}

async function inTurn(bench: Bench, settings: Settings, turns: Turn[]): Promise<Ended[]> {
  const ended: Ended[] = []
  for (const turn of turns) ended.push(await bench.run(withSettings(turn, settings)))
  return ended
}

export function withSettings(turn: Turn, settings: Settings): Turn {
  return { ...turn, args: ['--settings', JSON.stringify(settings), ...(turn.args ?? [])] }
}

/** A settings file of the user's or the project's. */
export function putSettings(bench: Bench, where: 'user' | 'project' | 'local', settings: Settings): void {
  const paths = {
    user: join(bench.home.home, '.claude', 'settings.json'),
    project: join(bench.home.cwd, '.claude', 'settings.json'),
    local: join(bench.home.cwd, '.claude', 'settings.local.json'),
  }
  mkdirSync(dirname(paths[where]), { recursive: true })
  writeFileSync(paths[where], JSON.stringify(settings))
}

/** Hooks of one event, each a line of shell. */
export function shell(event: string, ...lines: (string | [line: string, more: object])[]): Settings {
  const hooks = lines.map(line => {
    const [command, more] = typeof line === 'string' ? [line, {}] : line
    return { type: 'command', command, ...more }
  })
  return { [event]: [{ hooks }] }
}

export function echo(answer: unknown): string {
  return `echo '${JSON.stringify(answer)}'`
}
