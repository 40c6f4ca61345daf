import { setMaxListeners } from 'node:events'
import { runCommand } from './command-hook.ts'
import type { Heard, Hook, Payload } from './hook.ts'
import { runHttp } from './http-hook.ts'

export type Place = { cwd: string; env: NodeJS.ProcessEnv; defaultTimeoutMs: number }

const NOTHING: Heard = { how: 'answered', json: {}, stdout: '', stderr: '', code: 0 }

/** Starts hooks side by side, and ends those that nobody waits for any more. */
export class Runner {
  private awaited = group()
  private aside = group()

  start(hook: Hook, payload: Payload, { cwd, env, defaultTimeoutMs }: Place): Promise<Heard> {
    const timeoutMs = hook.timeoutMs ?? defaultTimeoutMs
    if (hook.type === 'http') return runHttp(hook, payload, { env, timeoutMs, signal: this.awaited.signal })
    const running = (signal: AbortSignal) => runCommand(hook, payload, { cwd, env, timeoutMs, signal })
    if (!hook.async) return running(this.awaited.signal)
    running(this.aside.signal)
    return Promise.resolve(NOTHING)
  }

  /** Somebody wants the session to stop: nothing that it waits for may hold it. */
  cancel(): void {
    this.awaited.abort()
    this.awaited = group()
  }

  /** A headless session that is over ends its asynchronous hooks, even such as have only just begun. */
  endAsides(): void {
    this.aside.abort()
    this.aside = group()
  }
}

function group(): AbortController {
  const controller = new AbortController()
  // One listener for each hook that runs, and an agent may call dozens of tools at once.
  setMaxListeners(0, controller.signal)
  return controller
}
