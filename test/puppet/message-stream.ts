import type { Answer, OnBlock } from './ask.ts'
import { AskFailed, type Spoken } from './failure.ts'
import { type Content, NO_USAGE, type Usage } from './message.ts'

// biome-ignore lint/suspicious/noExplicitAny: events of another program; what is not there shows as undefined
type Event = any

/** Puts a message together from its server-sent events. Events that it does not know are passed over. */
export class MessageStream {
  private rest = ''
  private started: Event
  private blocks: { content: Event; json: string; whole: boolean }[] = []
  private stopReason: string | null = null
  private usage: Usage = NO_USAGE
  private readonly onBlock: OnBlock

  constructor(onBlock: OnBlock) {
    this.onBlock = onBlock
  }

  push(text: string): void {
    const parts = (this.rest + text).split('\n\n')
    this.rest = parts.pop() ?? ''
    for (const part of parts) this.take(part)
  }

  end(): Answer {
    if (!this.started) throw new AskFailed({ kind: 'stream', how: 'no-events', detail: '0 stream events received.' })
    // A stream that says why it stopped is complete, whether or not its last event came.
    if (this.stopReason === null) {
      throw new AskFailed(
        { kind: 'stream', how: 'incomplete', detail: 'The stream ended in the middle.' },
        this.spoken(),
        this.usage,
      )
    }
    const { id, model } = this.started
    return { id, model, content: this.blocks.map(b => b.content), stopReason: this.stopReason, usage: this.usage }
  }

  spoken(): Spoken | undefined {
    const content = this.blocks.filter(b => b.whole).map(b => b.content as Content)
    return content.length > 0 ? { id: this.started.id, content, usage: this.usage } : undefined
  }

  private take(part: string): void {
    const data = part
      .split('\n')
      .find(line => line.startsWith('data:'))
      ?.slice('data:'.length)
    if (data === undefined) return
    let event: Event
    try {
      event = JSON.parse(data)
    } catch {
      throw new AskFailed({ kind: 'stream', how: 'bad-json', detail: data.trim() }, undefined, this.usage)
    }
    this.apply(event)
  }

  private apply(event: Event): void {
    switch (event.type) {
      case 'message_start':
        this.started = event.message
        this.usage = { ...NO_USAGE, ...event.message.usage }
        return
      case 'content_block_start':
        this.blocks[event.index] = { content: event.content_block, json: '', whole: false }
        return
      case 'content_block_delta':
        this.delta(this.blocks[event.index]!, event.delta)
        return
      case 'content_block_stop':
        this.close(this.blocks[event.index]!)
        return
      case 'message_delta':
        this.stopReason = event.delta?.stop_reason ?? null
        this.usage = { ...this.usage, ...event.usage }
    }
  }

  private delta(block: { content: Event; json: string }, delta: Event): void {
    if (delta.type === 'text_delta') block.content.text += delta.text
    if (delta.type === 'thinking_delta') block.content.thinking += delta.thinking
    if (delta.type === 'signature_delta') block.content.signature += delta.signature
    if (delta.type === 'input_json_delta') block.json += delta.partial_json
  }

  private close(block: { content: Event; json: string; whole: boolean }): void {
    if (block.content.type === 'tool_use') block.content.input = JSON.parse(block.json || '{}')
    block.whole = true
    this.onBlock(this.started.id, this.started.model, block.content, this.usage)
  }
}
