import type { CallResult, TextBlock } from '../mcp/mcp-server.ts'

/** What came of one tool call: what the model reads, and the client's own fuller account of it. */
export type Outcome = { text: string; isError: boolean; detail: unknown; blocks?: TextBlock[] }

export function done(text: string, detail: unknown): Outcome {
  return { text, isError: false, detail }
}

export function failed(text: string): Outcome {
  return { text, isError: true, detail: `Error: ${text}` }
}

/** A server's answer: blocks when it went well, else a text. */
export function answered({ content, isError }: CallResult): Outcome {
  const text = content.map(block => block.text).join('\n')
  return isError ? failed(text) : { text, isError, detail: content, blocks: content }
}

/** The call itself was wrong: nothing was tried. */
export function misused(text: string): Outcome {
  return { text: `<tool_use_error>${text}</tool_use_error>`, isError: true, detail: `Error: ${text}` }
}
