import http from 'node:http'
import { VERSION } from '../version.ts'
import type { ServerConfig } from './server-config.ts'

export type TextBlock = { type: 'text'; text: string }
export type CallResult = { content: TextBlock[]; isError: boolean }

type Reply = { result?: Record<string, unknown>; error?: { message?: string } }

const agent = new http.Agent({ keepAlive: true })
// A tool of ours answers when something is on the disk; on a machine with a hundred others that may take its time.
const PATIENCE_MS = 60_000

/** A server of tools, over HTTP: as much of the protocol as a session needs that lists tools and calls them. */
export class McpServer {
  readonly name: string
  status: 'connected' | 'failed' = 'failed'
  tools: string[] = []
  private readonly config: ServerConfig
  private next = 1

  constructor(config: ServerConfig) {
    this.config = config
    this.name = config.name
  }

  async connect(): Promise<void> {
    try {
      await this.ask('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'claude-code', version: VERSION },
      })
      await this.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
      const { tools } = (await this.ask('tools/list', {})) as { tools: { name: string }[] }
      this.tools = tools.map(({ name }) => name)
      this.status = 'connected'
    } catch {
      // Its session starts without it, and says so.
    }
  }

  async call(tool: string, input: Record<string, unknown>): Promise<CallResult> {
    try {
      return (await this.ask('tools/call', { name: tool, arguments: input })) as CallResult
    } catch (error) {
      return { content: [{ type: 'text', text: (error as Error).message }], isError: true }
    }
  }

  private async ask(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { status, text } = await this.send({ jsonrpc: '2.0', id: this.next++, method, params })
    if (status !== 200) throw new Error(`Error POSTing to endpoint (HTTP ${status}): ${text}`)
    const { result, error } = JSON.parse(text) as Reply
    if (!result) throw new Error(`MCP error: ${error?.message ?? 'no result'}`)
    return result
  }

  private send(message: Record<string, unknown>): Promise<{ status: number; text: string }> {
    const { url, headers } = this.config
    const body = JSON.stringify(message)
    const usual = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      accept: 'application/json, text/event-stream',
    }
    // The puppet's word: a rehearsal talks to this machine, whatever a file says.
    if (!url.startsWith('http://')) return Promise.reject(new Error(`the puppet posts to http:// only, not to ${url}`))
    const options = { method: 'POST', headers: { ...usual, ...headers }, agent, timeout: PATIENCE_MS }
    return new Promise((resolve, reject) => {
      const request = http.request(url, options, response => {
        let text = ''
        response.setEncoding('utf8').on('data', piece => {
          text += piece
        })
        response.on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      })
      request.on('timeout', () => request.destroy(new Error('the server does not answer')))
      request.on('error', error => {
        // The server was started anew since the last call, and nobody was told that the old connection is gone.
        if (request.reusedSocket) this.send(message).then(resolve, reject)
        else reject(error)
      })
      request.end(body)
    })
  }
}
