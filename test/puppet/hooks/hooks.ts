import { randomUUID } from 'node:crypto'
import type { Settings } from '../settings.ts'
import { type PermissionAnswer, permissionAnswer, stopObjection, type ToolVerdict, toolVerdict } from './decision.ts'
import { type Heard, type Hook, nameOf, type Payload } from './hook.ts'
import { noVerdictLine, responseLine, startedLine } from './hook-lines.ts'
import { type Event, type OnHeard, Teller } from './teller.ts'

export type Call = { name: string; id: string; input: Record<string, unknown> }
/** Why the session may not stop yet, and whether anything at all was wrong. */
export type StopVerdict = { objections: string[]; troubled: boolean }

const WORK: Event['carries'] = ['prompt', 'mode', 'effort']
const NO_VERDICT: ToolVerdict = { decision: 'none', reason: '', input: undefined }

/** What happens in one session, event by event as the client tells it, and what it is told in return. */
export class Hooks {
  private readonly teller: Teller
  private readonly say: (line: Payload) => void
  private readonly unheard = new Set<string>()
  private cancelled = false

  constructor(settings: Settings, session: { id: string; path: string }, say: (line: Payload) => void) {
    this.teller = new Teller(settings, session)
    this.say = say
  }

  async sessionStarted(source: string, more: Payload): Promise<void> {
    const name = `SessionStart:${source}`
    const event: Event = { name: 'SessionStart', subject: source, carries: [], fields: { source, ...more } }
    const ids = new Map(this.teller.listeners(event).map(hook => [hook, randomUUID()]))
    for (const id of ids.values()) this.say(startedLine(id, name))
    await this.tell(event, (hook, heard) => this.say(responseLine(ids.get(hook)!, name, heard)), [...ids.keys()])
  }

  async promptSubmitted(prompt: string): Promise<void> {
    this.teller.promptId = randomUUID()
    await this.tell({ name: 'UserPromptSubmit', carries: ['prompt', 'mode'], fields: { prompt } })
  }

  async beforeTool({ name, id, input }: Call): Promise<ToolVerdict> {
    const fields = { tool_name: name, tool_input: input, tool_use_id: id }
    const replies = await this.tell({ name: 'PreToolUse', subject: name, carries: WORK, fields }, (hook, heard) =>
      this.complain(hook, heard, id),
    )
    return this.cancelled ? NO_VERDICT : toolVerdict(replies)
  }

  /** Waits for as long as the hooks take. The first that decides does; the others are left to themselves. */
  permissionAsked({ name, input }: Call, suggestions: unknown[]): Promise<PermissionAnswer | undefined> {
    const fields = { tool_name: name, tool_input: input, permission_suggestions: suggestions }
    return new Promise(resolve => {
      const listen: OnHeard = (_, heard) => {
        const answer = permissionAnswer(heard)
        if (answer) resolve(answer)
      }
      this.tell({ name: 'PermissionRequest', subject: name, carries: WORK, fields }, listen).then(() =>
        resolve(undefined),
      )
    })
  }

  async toolEnded({ name, id, input }: Call, detail: unknown, durationMs: number): Promise<void> {
    const outcome = { tool_response: detail, tool_use_id: id, duration_ms: durationMs }
    const fields = { tool_name: name, tool_input: input, ...outcome }
    await this.tell({ name: 'PostToolUse', subject: name, carries: WORK, fields })
  }

  async toolFailed({ name, id, input }: Call, error: string, durationMs: number): Promise<void> {
    const outcome = { tool_use_id: id, error, is_interrupt: false, duration_ms: durationMs }
    const fields = { tool_name: name, tool_input: input, ...outcome }
    await this.tell({ name: 'PostToolUseFailure', subject: name, carries: WORK, fields })
  }

  async batchEnded(results: { call: Call; text: string }[]): Promise<void> {
    const tool_calls = results.map(({ call, text }) => {
      return { tool_name: call.name, tool_input: call.input, tool_use_id: call.id, tool_response: text }
    })
    await this.tell({ name: 'PostToolBatch', carries: WORK, fields: { tool_calls } })
  }

  async stopping(lastMessage: string, stoppedBefore: boolean, background: unknown[]): Promise<StopVerdict> {
    const state = { stop_hook_active: stoppedBefore, last_assistant_message: lastMessage }
    const fields = { ...state, background_tasks: background, session_crons: [] }
    const replies = await this.tell({ name: 'Stop', carries: WORK, fields })
    const objections = replies.map(stopObjection).filter(reason => reason !== undefined)
    return { objections, troubled: objections.length > 0 || replies.some(({ how }) => how === 'failed') }
  }

  /** The client does not wait for these commands, and then ends them with the session: most never get to say a word. */
  async stopFailed(error: string, lastMessage: string): Promise<void> {
    const fields = { error, last_assistant_message: lastMessage }
    const event: Event = { name: 'StopFailure', subject: error, carries: ['prompt', 'effort'], fields }
    const hooks = this.teller.listeners(event).map(hook => (hook.type === 'command' ? { ...hook, async: true } : hook))
    await this.tell(event, undefined, hooks)
  }

  /** The one event that also comes after somebody has put an end to everything else. */
  async sessionEnded(): Promise<void> {
    this.teller.endAsides()
    const event: Event = { name: 'SessionEnd', subject: 'other', carries: ['prompt'], fields: { reason: 'other' } }
    await this.teller.tell(event, (hook, heard) => {
      if (heard.how === 'answered') return
      process.stderr.write(
        `SessionEnd hook [${nameOf(hook)}] failed: ${'why' in heard ? heard.why : 'Hook cancelled'}\n`,
      )
    })
  }

  moved(cwd: string): void {
    this.teller.cwd = cwd
  }

  /** From now on nothing more is told, and what waits for an answer goes on without one. */
  cancel(): void {
    this.cancelled = true
    this.teller.cancel()
  }

  get isCancelled(): boolean {
    return this.cancelled
  }

  private async tell(event: Event, onHeard?: OnHeard, hooks?: Hook[]): Promise<Heard[]> {
    return this.cancelled ? [] : this.teller.tell(event, onHeard, hooks)
  }

  /** Once for each hook: a receiver that is down must not fill the stream. */
  private complain(hook: Hook, heard: Heard, call: string): void {
    const late = heard.how === 'timed-out'
    if (!late && !(heard.how === 'failed' && heard.unheard)) return
    if (this.unheard.has(nameOf(hook))) return
    this.unheard.add(nameOf(hook))
    this.say(noVerdictLine(call, late))
  }
}
