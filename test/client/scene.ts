import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bash, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import type { Bench, Turn } from '../support/real-client.ts'
import type { Ended } from '../support/real-process.ts'
import { until } from '../support/until.ts'

/** One situation, played with the real client and with its double: what the model says, and what is done around it. */
export type Scene = {
  name: string
  rules: RuleSource[]
  play(bench: Bench): Promise<Ended[]>
  /** Its stream is kept in test/fixtures/stream, and a client that writes it otherwise fails a test. */
  recorded?: true
}
type Reply = RuleSource['reply']

// On a machine that does ten other things, a client that starts in half a second takes ten, and some take longer.
export const LATE_MS = 120_000
export const SESSION = '11111111-2222-4333-8444-555555555555'
export const NOBODY = '99999999-2222-4333-8444-555555555555'
export const ALLOW_ALL = ['--permission-mode', 'bypassPermissions']
export const BEGIN: Turn = { args: ['--session-id', SESSION] }
export const AGAIN: Turn = { prompt: '[rehoboam run=r1 role=worker attempt=2]\nGo on.', args: ['--resume', SESSION] }

// Runs until somebody ends it. Not `sleep 60`: the client refuses to sit out a long sleep.
export const ENDLESS = bash('while [ -d "$HOME" ]; do sleep 0.1; done')
const UNHEARD = say('Never heard.', { fault: { kind: 'hang' } })

export function scene(name: string, rules: RuleSource[], args: string[] = [], env: Record<string, string> = {}): Scene {
  return several(name, rules, { args, env })
}

/** Several processes, one after the other, in one home. */
export function several(name: string, rules: RuleSource[], ...runs: Turn[]): Scene {
  return {
    name,
    rules,
    async play(bench) {
      const ended: Ended[] = []
      for (const turn of runs) ended.push(await bench.run(turn))
      return ended
    },
  }
}

/** The command ends only after the turn that started it: then the client begins another turn by itself. */
export function inBackground(name: string, command: string, last: Reply): Scene {
  const waiting = `until [ -e go ]; do sleep 0.05; done; ${command}`
  const call = use(tool('Bash', { command: waiting, run_in_background: true, description: 'something long' }))
  return {
    name,
    rules: turns({}, call, say('Waiting.'), last),
    async play(bench) {
      const process = bench.start({ args: ALLOW_ALL })
      await process.waitForLine(line => line.type === 'result', LATE_MS)
      writeFileSync(join(bench.home.cwd, 'go'), '')
      return [await process.ended]
    },
  }
}

export function killedInTool(name: string): Scene {
  return {
    name,
    rules: [...turns({ attempt: 1 }, bash('echo hello'), ENDLESS), { reply: say('I remember.') }],
    async play(bench) {
      const first = bench.start({ args: ['--session-id', SESSION, ...ALLOW_ALL] })
      // The client shows a message before it has written it down; what it has not written down it does not remember.
      await until(() => written(bench).includes('sleep 0.1'), 'the second tool call to be written down', LATE_MS)
      first.kill('SIGKILL')
      return [await first.ended, await bench.run(AGAIN)]
    },
  }
}

export function killedBeforeAnswer(name: string): Scene {
  return {
    name,
    rules: [{ when: { attempt: 1 }, reply: UNHEARD }, { reply: say('I remember.') }],
    async play(bench) {
      const first = bench.start(BEGIN)
      await until(() => written(bench).includes('"role":"user"'), 'the prompt to be written down', LATE_MS)
      await bench.model.waitFor(() => true, LATE_MS)
      first.kill('SIGKILL')
      return [await first.ended, await bench.run(AGAIN)]
    },
  }
}

export function signalled(name: string, signal: NodeJS.Signals, during: 'tool' | 'answer', ...then: Turn[]): Scene {
  return {
    name,
    rules: [{ when: { attempt: 1 }, reply: during === 'tool' ? ENDLESS : UNHEARD }, { reply: say('I remember.') }],
    async play(bench) {
      const first = bench.start({ args: ['--session-id', SESSION, ...ALLOW_ALL] })
      await bench.model.waitFor(() => true, LATE_MS)
      if (during === 'tool') await until(() => bench.running('sleep 0.1'), 'the tool to run', LATE_MS)
      // To the client alone, as a person would: the command is not in its process group anyway.
      process.kill(first.pid, signal)
      const ended = [await first.ended]
      for (const turn of then) ended.push(await bench.run(turn))
      return ended
    },
  }
}

export function recorded(scene: Scene): Scene {
  return { ...scene, recorded: true }
}

function written(bench: Bench): string {
  try {
    return readFileSync(bench.home.transcript(SESSION), 'utf8')
  } catch {
    return ''
  }
}
