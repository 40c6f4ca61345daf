/** What somebody wants to be told of, and how. */
export type Hook = CommandHook | HttpHook
export type CommandHook = { type: 'command'; command: string; async: boolean; timeoutMs: number | undefined }
export type HttpHook = {
  type: 'http'
  url: string
  headers: Record<string, string>
  allowedEnvVars: string[]
  timeoutMs: number | undefined
}

export type Payload = Record<string, unknown>

/** What came back. Only the first two can decide anything; whatever else happens, the session goes on. */
export type Reply =
  | { how: 'answered'; json: Record<string, unknown> }
  /** Exit code 2: an objection in words, which some events obey. */
  | { how: 'objected'; why: string }
  /** `unheard`: it did not run at all, or nobody was there. The client says so once, where it had hoped for a verdict. */
  | { how: 'failed'; why: string; unheard: boolean }
  | { how: 'timed-out' }
  | { how: 'cancelled' }

/** A reply with what the stream tells of it. */
export type Heard = Reply & { stdout: string; stderr: string; code: number }

/** How the client names a hook, and how it knows that two are the same one. */
export function nameOf(hook: Hook): string {
  return hook.type === 'command' ? hook.command : hook.url
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
