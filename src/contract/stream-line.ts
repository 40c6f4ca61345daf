// What one line of the client's stream can say, in our words.

export type Usage = { input: number; output: number; cacheRead: number; cacheWrite: number }

export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'thinking'; text: string }
  | { kind: 'tool-use'; id: string; name: string; input: Record<string, unknown> }
  | { kind: 'other'; name: string }

export type ToolResult = { id: string; isError: boolean; text: string }
export type BackgroundTask = { id: string; type: string; status: string; description: string }
export type McpServer = { name: string; status: string }

export type StreamLine =
  | {
      type: 'init'
      session: string
      model: string
      permissionMode: string
      cwd: string | undefined
      version: string | undefined
      tools: string[]
      mcpServers: McpServer[]
    }
  | {
      type: 'assistant'
      session: string
      messageId: string | undefined
      /** The tool call of the subagent that speaks; null: the session itself. */
      parent: string | null
      model: string | undefined
      blocks: Block[]
      usage: Usage | undefined
      /** The client speaks for an API that failed: `rate_limit`, `overloaded`, `authentication_failed`, ... */
      error: string | undefined
      at: string | undefined
    }
  | { type: 'tool-results'; session: string; parent: string | null; results: ToolResult[]; at: string | undefined }
  | {
      type: 'api-retry'
      session: string
      attempt: number
      maxRetries: number | undefined
      errorStatus: number | null
      error: string
      retryDelayMs: number
    }
  /** What a subscriber's plan allows; `rejected` comes with the moment from which it is worth trying again. */
  | { type: 'rate-limit'; session: string; status: string; limit: string | undefined; resetsAtMs: number | undefined }
  /** All background work that runs now; an empty list: none is left. */
  | { type: 'background-tasks'; session: string; tasks: BackgroundTask[] }
  | {
      type: 'result'
      session: string
      /** From 0: a session with background work writes several results. */
      index: number
      subtype: string
      isError: boolean
      text: string
      turns: number
      durationMs: number
      /**
       * Of the whole session, not of this process: `--resume` goes on from what the session's transcript says it had
       * cost. That is written at a clean end only, so a process that was killed is missing from all later totals.
       */
      costUsd: number
      /** Since the result before this one in the same process, which is what a ledger adds up. */
      costSinceUsd: number
      /** Since the result before this one; the cost's twin in tokens. */
      usage: Usage | undefined
      terminalReason: string | undefined
      permissionDenials: number
      apiErrorStatus: number | undefined
      /** What went wrong where there was no answer that could have a status: `connection_failed`, `max_output_tokens`, ... */
      apiError: string | undefined
    }
  | { type: 'other'; name: string; session: string | undefined }
  | { type: 'garbage'; reason: string }
