import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { RehoboamError } from '../../contract/errors.ts'
import type { ToolAnswer } from '../../contract/quest-tools.ts'
import type { QuestDesk, QuestSession } from '../quests/quest-desk.ts'
import { callTool, listedTools } from './mcp-tools.ts'

export type McpCall = {
  desk: QuestDesk
  session: QuestSession
  version: string
  log(line: string): void
}

/**
 * One message of the protocol, answered in one piece. Nothing is kept between two of them: a client goes on talking to
 * the daemon that comes after this one and notices nothing.
 */
export async function answerMcp(call: McpCall, request: Request, body: unknown): Promise<Response> {
  const server = new Server({ name: 'rehoboam', version: call.version }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools(call.session) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const { accepted, text } = await answerTo(call, params.name, params.arguments ?? {})
    return { content: [{ type: 'text', text }], isError: !accepted }
  })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: body })
  } finally {
    await server.close()
  }
}

async function answerTo({ desk, session, log }: McpCall, name: string, input: unknown): Promise<ToolAnswer> {
  try {
    return await callTool(desk, session, name, input)
  } catch (error) {
    if (error instanceof RehoboamError) return { accepted: false, text: `Not done: ${error.message}` }
    log(`${name} of run ${session.run} failed: ${(error as Error).stack}`)
    return { accepted: false, text: 'Not done: rehoboam failed at this; call again in a moment.' }
  }
}
