import { hookEnv } from '../child-env.ts'
import type { Settings } from '../settings.ts'
import type { Heard, Hook, Payload } from './hook.ts'
import { type HookTable, readHookTable } from './hook-table.ts'
import { Runner } from './runner.ts'

/** Which facts about the session an event carries; what it is about, for the matchers; and its own fields. */
export type Event = {
  name: string
  subject?: string
  carries: ('prompt' | 'mode' | 'effort')[]
  fields: Payload
}
export type OnHeard = (hook: Hook, heard: Heard) => void

const TIMEOUT_MS = 600_000
// A session that ends does not wait long for hooks that say nothing about it, so that a closed terminal is soon gone.
const END_TIMEOUT_MS = 1500

/** Tells one event to all that want to hear of it, at once, and gathers what they say in the order in which it comes. */
export class Teller {
  /** Of the prompt that is worked on. */
  promptId: string | undefined
  /** Where the agent's shell is: every event says so, and it moves. */
  cwd: string
  private readonly runner = new Runner()
  private readonly table: HookTable
  private readonly settings: Settings
  private readonly session: { id: string; path: string }

  constructor(settings: Settings, session: { id: string; path: string }) {
    this.table = readHookTable(settings)
    this.settings = settings
    this.session = session
    this.cwd = settings.cwd
  }

  async tell(event: Event, onHeard: OnHeard = () => {}, hooks = this.listeners(event)): Promise<Heard[]> {
    const payload = this.payload(event)
    const defaultTimeoutMs = event.name === 'SessionEnd' ? END_TIMEOUT_MS : TIMEOUT_MS
    const effort = event.carries.includes('effort') ? this.settings.effort : undefined
    const place = { cwd: this.cwd, env: hookEnv(this.session.id, this.settings.cwd, effort), defaultTimeoutMs }
    const replies: Heard[] = []
    await Promise.all(
      hooks.map(async hook => {
        const heard = await this.runner.start(hook, payload, place)
        replies.push(heard)
        onHeard(hook, heard)
      }),
    )
    return replies
  }

  listeners({ name, subject }: Event): Hook[] {
    return this.table.find(name, subject)
  }

  /** Whatever waits for an answer goes on without. */
  cancel(): void {
    this.runner.cancel()
  }

  endAsides(): void {
    this.runner.endAsides()
  }

  /** The order of the fields is the client's own. */
  private payload({ name, carries, fields }: Event): Payload {
    const { mode, effort } = this.settings
    return {
      session_id: this.session.id,
      transcript_path: this.session.path,
      cwd: this.cwd,
      ...(carries.includes('prompt') && this.promptId ? { prompt_id: this.promptId } : {}),
      ...(carries.includes('mode') ? { permission_mode: mode } : {}),
      ...(carries.includes('effort') ? { effort: { level: effort } } : {}),
      hook_event_name: name,
      ...fields,
    }
  }
}
