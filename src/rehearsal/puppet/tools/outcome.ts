/** What came of one tool call: what the model reads, and the client's own fuller account of it. */
export type Outcome = { text: string; isError: boolean; detail: unknown }

export function done(text: string, detail: unknown): Outcome {
  return { text, isError: false, detail }
}

export function failed(text: string): Outcome {
  return { text, isError: true, detail: `Error: ${text}` }
}

/** The call itself was wrong: nothing was tried. */
export function misused(text: string): Outcome {
  return { text: `<tool_use_error>${text}</tool_use_error>`, isError: true, detail: `Error: ${text}` }
}
