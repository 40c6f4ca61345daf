import { type Held, hookOutput, isQuestion, questionsIn } from '../../adapters/claude/hook-answers.ts'
import type { HookEvent } from '../../contract/hook.ts'
import type { HookBody } from '../../contract/hook-body.ts'
import type { Answer } from '../../contract/question.ts'
import { isOvertaken } from '../../core/agent/order.ts'
import { askedWords } from '../../core/agent/tool-words.ts'
import type { Agents } from '../agents/agents.ts'
import type { Asked, Inbox } from '../inbox/inbox.ts'
import type { RuleVerdict } from '../inbox/rules.ts'

type Fields = Record<string, unknown>

type Outside = {
  agents: Agents
  inbox: Inbox
  now(): number
  /** The run whose session this is, by the id that we chose: a run id in an environment is only a hint. */
  runOf(session: string): string | null
  /** True when the run has nobody to ask: then it is being ended. */
  turnAway(run: string, asked: string): Promise<boolean>
  judge(request: {
    tool: string
    input: Record<string, unknown>
    project: string
    cwd: string
    run: string | null
  }): Promise<RuleVerdict>
}

// Hooks that are sent again after a slow answer must not count twice.
const REMEMBERED = 5_000

/** Takes hook events in: what they say of an agent, what they ask of a person, what they settle. */
export class HookDesk {
  readonly #outside: Outside
  readonly #seen = new Set<string>()

  constructor(outside: Outside) {
    this.#outside = outside
  }

  /** What happened, in the order of arrival. The same id again says nothing new. */
  take(id: string, event: HookEvent, where: HookBody['where'], at: number): void {
    if (this.#isNew(id)) this.hear(event, where, at)
  }

  /** The same for one that cannot come twice. */
  hear(event: HookEvent, where: HookBody['where'], at: number): void {
    this.#outside.agents.hear(event, where, at)
    this.#settle(event, at)
  }

  /** What comes by way of the spool. When that took too long, whatever was heard since knows better, and this is history. */
  async takeLate(id: string, event: HookEvent, where: HookBody['where'], at: number): Promise<void> {
    if (await this.#outside.agents.isInTime(event.session, at)) this.take(id, event, where, at)
    else if (this.#isNew(id)) this.#outside.agents.note(event, at)
  }

  #isNew(id: string): boolean {
    if (this.#seen.has(id)) return false
    this.#seen.add(id)
    if (this.#seen.size > REMEMBERED) this.#seen.delete(this.#seen.values().next().value!)
    return true
  }

  /** Waits for the answer that the client is to be told; empty: it goes on as if we were not there. */
  async hold(body: Pick<HookBody, 'id' | 'at' | 'where'>, event: HookEvent, signal: AbortSignal): Promise<string> {
    if (event.name !== 'PermissionRequest') return ''
    const run = this.#outside.runOf(event.session)
    // A script of the user's own has nobody to wait for.
    if (run === null && body.where.entrypoint?.startsWith('sdk')) return ''
    try {
      return await this.#answerTo(this.#questionOf(body, event, run), event, signal)
    } finally {
      // Decided, whoever did: the agent goes on, long before it says so.
      this.#outside.agents.decided(event)
    }
  }

  async #answerTo(question: Asked, event: HookEvent & Held, signal: AbortSignal): Promise<string> {
    const { id, run } = question
    const verdict = await this.#verdictOn(event, run)
    if (verdict && verdict.effect !== 'ask') {
      const answer: Answer = verdict.effect === 'allow' ? { kind: 'allow' } : { kind: 'deny', reason: verdict.why }
      await this.#outside.inbox.byRule(question, answer, verdict.rule ?? '')
      return hookOutput(event, answer)
    }
    if (signal.aborted) return ''
    // No answer: with one the client would go on until it is ended.
    if (run !== null && (await this.#outside.turnAway(run, question.text))) return aborted(signal)
    const leave = () => this.#outside.inbox.close(id, 'pane')
    signal.addEventListener('abort', leave)
    try {
      const answer = await this.#outside.inbox.ask({ ...question, why: verdict?.why ?? null })
      return answer ? hookOutput(event, answer) : ''
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  async #verdictOn(event: HookEvent & Held, run: string | null): Promise<RuleVerdict | null> {
    if (isQuestion(event.tool)) return null
    if (!event.isWhole) return { effect: 'ask', rule: null, why: 'it is too large for a rule to decide about' }
    return this.#outside.judge({
      tool: event.tool,
      input: event.input,
      project: this.#outside.agents.projectOf(event.session) || event.cwd,
      cwd: event.cwd,
      run,
    })
  }

  #questionOf({ id, at }: Pick<HookBody, 'id' | 'at'>, event: HookEvent & Held, run: string | null): Asked {
    const isPermission = !isQuestion(event.tool)
    // By the hook's own clock: it asks again after a restart of ours, and has waited since then.
    const askedAt = Math.min(at, this.#outside.now())
    const asked = isPermission ? [] : questionsIn(event.input)
    return {
      id,
      kind: isPermission ? 'permission' : 'question',
      run,
      agent: event.session,
      step: null,
      text: isPermission ? askedWords(event.tool, event.input) : asked.map(({ question }) => question).join(' / '),
      options: asked.length === 1 ? asked[0]!.labels : [],
      since: new Date(askedAt).toISOString(),
      project: this.#outside.agents.projectOf(event.session) || event.cwd,
      tool: event.tool,
      why: null,
      cwd: event.cwd,
      askedAt,
      match: matchOf(event.session, event.agentId, event.tool, event.input),
    }
  }

  /** The client went on: whatever was asked about this call, or this turn, needs no answer any more. */
  #settle(event: HookEvent, at: number): void {
    const close = (fits: (match: Asked['match']) => boolean, by: 'pane' | 'session-end') =>
      // What was asked after it began is none of its business.
      this.#outside.inbox.closeWhere(({ match, askedAt }) => fits(match) && !isOvertaken(at, askedAt), by)
    const { session, agentId } = event
    if (event.name === 'PostToolUse' || event.name === 'PostToolUseFailure' || event.name === 'PermissionDenied') {
      close(match => isAbout(match, event), 'pane')
    } else if (event.name === 'SessionEnd') {
      close(match => match.session === session, 'session-end')
    } else if (['Stop', 'StopFailure', 'UserPromptSubmit'].includes(event.name) && !agentId) {
      close(match => match.session === session && match.agentId === '', 'pane')
    } else if (event.name === 'SubagentStop') {
      close(match => match.session === session && match.agentId === agentId, 'pane')
    }
  }
}

function aborted(signal: AbortSignal): Promise<''> {
  return new Promise(resolve => {
    if (signal.aborted) resolve('')
    else signal.addEventListener('abort', () => resolve(''), { once: true })
  })
}

function matchOf(session: string, agentId: string, tool: string, input: Fields): Asked['match'] {
  // An answered question comes back with its answers in the input.
  const { answers: _, annotations: __, ...asked } = input
  return { session, agentId, tool, input: JSON.stringify(asked) }
}

/** Its input is written down only when all the rest is the same: tools end by the thousand, and few were asked about. */
function isAbout(
  asked: Asked['match'],
  { session, agentId, tool, input }: HookEvent & { tool: string; input: Fields },
) {
  const isNear = asked.session === session && asked.agentId === agentId && asked.tool === tool
  return isNear && asked.input === matchOf(session, agentId, tool, input).input
}
