import type { Answer } from './ask.ts'
import { Background } from './background.ts'
import { AskFailed, errorName, type Failure, type Spoken } from './failure.ts'
import { stopErrorLine } from './hooks/hook-lines.ts'
import type { Hooks } from './hooks/hooks.ts'
import { Ledger } from './ledger.ts'
import { addTo, type Content, type Message, type ToolUse, type Usage } from './message.ts'
import type { Output } from './output.ts'
import { requestBody } from './request-body.ts'
import { askPatiently } from './retry.ts'
import { sentence } from './sentence.ts'
import type { Session } from './session.ts'
import type { Settings } from './settings.ts'
import { blockLine, denialLine, limitLine, remarkLine, resultsLine, retryLine, syntheticLine } from './stream-lines.ts'
import { type Result, Toolbox } from './toolbox.ts'
import { misused } from './tools/outcome.ts'
import { CALL_IT, STRUCTURED_OUTPUT } from './tools/structured-output.ts'

/** How a turn ended; the process's exit code follows from the last one. */
export type Ending =
  | { how: 'completed'; text: string; stopReason: string; structured?: unknown }
  | { how: 'failed'; text: string; failure: Failure }
  | { how: 'over-budget'; stopReason: string }
  | { how: 'interrupted'; during: 'streaming' | 'tools' }
  | { how: 'terminated' }

/** One session at work: asks the model, runs its tools, tells everything on the stream and in the transcript. */
export class Conversation {
  readonly ledger: Ledger
  readonly background: Background
  readonly toolbox: Toolbox
  turns = 0
  denials: Record<string, unknown>[] = []
  private stop: 'interrupted' | 'terminated' | undefined
  private readonly asking = new AbortController()
  private limitTold = false
  private readonly settings: Settings
  private readonly session: Session
  private readonly output: Output
  private readonly hooks: Hooks

  constructor(settings: Settings, session: Session, output: Output, hooks: Hooks) {
    this.settings = settings
    this.session = session
    this.output = output
    this.hooks = hooks
    this.ledger = new Ledger(settings.model, session.costBeforeUsd)
    this.background = new Background(line => this.say(line))
    this.toolbox = new Toolbox(settings, session.id, this.background, hooks)
  }

  /** `told`: the prompt as hooks see it. */
  async turn(prompt: string, told = prompt): Promise<Ending> {
    this.turns = 1
    this.denials = []
    let [stoppedBefore, isReminded] = [false, this.settings.schema === undefined]
    await this.hooks.promptSubmitted(told)
    this.hear([{ type: 'text', text: prompt }])
    for (;;) {
      const answer = await this.ask()
      if ('how' in answer) {
        if (answer.how === 'failed') await this.hooks.stopFailed(errorName(answer.failure), answer.text)
        return answer
      }
      if (this.ledger.processUsd > this.settings.maxBudgetUsd)
        return { how: 'over-budget', stopReason: answer.stopReason }
      this.ledger.count(answer.usage)
      const calls = answer.content.filter((block): block is ToolUse => block.type === 'tool_use')
      if (calls.length === 0) {
        const text = lastText(answer.content)
        if (!isReminded) {
          isReminded = true
          this.turns += 1
          this.remark(CALL_IT, { isSynthetic: true })
          continue
        }
        if (await this.mayStop(text, stoppedBefore)) return { how: 'completed', text, stopReason: answer.stopReason }
        stoppedBefore = true
        continue
      }
      const results = await this.toolbox.runAll(calls, result => this.tellResult(result))
      await this.hooks.batchEnded(results.map(({ call, outcome }) => ({ call, text: outcome.text })))
      if (this.stop === 'terminated') return { how: 'terminated' }
      if (this.stop) return this.interrupted('tools', '[Request interrupted by user for tool use]')
      const given = results.find(({ call, outcome }) => call.name === STRUCTURED_OUTPUT && !outcome.isError)
      if (given) {
        const structured = given.call.input
        return { how: 'completed', text: JSON.stringify(structured), stopReason: answer.stopReason, structured }
      }
      for (const { text } of this.background.takeNotices()) this.hear([{ type: 'text', text }])
    }
  }

  say(line: Record<string, unknown>): void {
    this.output.line(this.session.id, line)
  }

  /** The first cause wins: a TERM after an INT must not rename it. */
  end(cause: 'interrupted' | 'terminated'): void {
    this.stop ??= cause
    this.asking.abort()
    this.hooks.cancel()
    this.toolbox.killAll()
  }

  get stopped(): 'interrupted' | 'terminated' | undefined {
    return this.stop
  }

  private async mayStop(text: string, stoppedBefore: boolean): Promise<boolean> {
    const { objections, troubled } = await this.hooks.stopping(text, stoppedBefore, this.background.running())
    for (const objection of objections) {
      this.turns += 1
      this.remark(`Stop hook feedback:\n${objection}`, { isSynthetic: true })
    }
    if (troubled) this.say(stopErrorLine())
    return objections.length === 0
  }

  private async ask(): Promise<Answer | Ending> {
    for (;;) {
      try {
        return await this.askOnce()
      } catch (error) {
        if (this.stop === 'terminated') return { how: 'terminated' }
        if (this.stop) return this.interrupted('streaming', '[Request interrupted by user]')
        if (!(error instanceof AskFailed)) throw error
        if (!error.spoken) return this.giveUp(error.failure)
        this.goOnAfterCut(error.spoken)
      }
    }
  }

  private async askOnce(): Promise<Answer> {
    const show = (id: string, model: string, block: Content, usage: Usage) =>
      this.say(blockLine(id, model, block, usage))
    const retrying = (retry: Parameters<typeof retryLine>[0]) => this.say(retryLine(retry, this.settings.maxRetries))
    const question = {
      session: this.session.id,
      body: requestBody(this.settings, this.session.history),
      signal: this.asking.signal,
    }
    const answer = await askPatiently(this.settings, question, show, retrying, (failure, usage) =>
      this.broken(failure, usage),
    )
    this.ledger.spend(answer.usage)
    this.keep(answer.id, answer.content, answer.usage, answer.model)
    if (this.settings.subscriber && !this.limitTold) this.say(limitLine({ status: 'allowed' }))
    this.limitTold = true
    return answer
  }

  /** An answer that broke off still counts; whether it is paid for depends on how it broke, in the client's eyes. */
  private broken(failure: Failure, usage: Usage | undefined): void {
    if (!usage || failure.kind !== 'stream') return
    this.ledger.count(usage)
    if (failure.how === 'incomplete') this.ledger.spend(usage)
  }

  /** Something in the user's place: a prompt, results, a notice. */
  private hear(content: Content[]): void {
    this.session.transcript.add({ role: 'user', content })
    addTo(this.session.history, { role: 'user', content })
  }

  /** One line per block, as the client keeps them. */
  private keep(id: string, content: Content[], usage: Usage, model = this.settings.model): void {
    for (const block of content) {
      this.session.transcript.add({ role: 'assistant', id, content: [block], usage, model, type: 'message' } as Message)
    }
    this.session.history.push({ role: 'assistant', content, id })
  }

  private goOnAfterCut({ id, content, usage }: Spoken): void {
    this.ledger.spend(usage)
    this.ledger.count(usage)
    this.keep(id, content, usage)
    this.turns += 1
    const text =
      'Your response above was cut off mid-stream. Resume directly from where it stops — no apology, no recap. If none of it survived, answer the request from the start.'
    this.remark(text, { isSynthetic: true })
  }

  /** The client speaks in the user's place. */
  private remark(text: string, more: Record<string, unknown> = {}): void {
    this.say(remarkLine(text, more))
    this.hear([{ type: 'text', text }])
  }

  private giveUp(failure: Failure): Ending {
    const text = sentence(failure, this.settings)
    if (this.settings.subscriber && failure.kind === 'status' && failure.status === 429) {
      this.say(limitLine({ status: 'rejected', ...failure.limit }))
    }
    this.say(syntheticLine(text, failure))
    this.session.transcript.addSynthetic(text, errorName(failure))
    return { how: 'failed', text, failure }
  }

  private interrupted(during: 'streaming' | 'tools', text: string): Ending {
    this.turns += 1
    this.remark(text)
    return { how: 'interrupted', during }
  }

  private tellResult(given: Result): void {
    // Told to end at once, the client ends without a word about what it leaves undone.
    if (this.stop === 'terminated') return
    const result = this.stop === 'interrupted' ? { ...given, outcome: REJECTED } : given
    const { call, outcome, denied, denial } = result
    this.turns += 1
    if (denied) this.denials.push({ tool_name: call.name, tool_use_id: call.id, tool_input: call.input })
    if (denial) this.say(denialLine(denial))
    const content: Content = {
      type: 'tool_result',
      tool_use_id: call.id,
      content: outcome.blocks ?? outcome.text,
      is_error: outcome.isError,
    }
    this.say(resultsLine(content, result))
    this.hear([content])
  }
}

const REJECTED = {
  ...misused('User rejected tool use'),
  text: "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.",
}

function lastText(content: Content[]): string {
  const text = content.findLast(block => block.type === 'text')
  return text?.type === 'text' ? text.text : ''
}
