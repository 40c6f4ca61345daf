import { appendFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer, json } from './answer.ts'
import { type Asked, record } from './asked.ts'
import { Gates } from './gates.ts'
import { type Question, readQuestion } from './request.ts'
import { parseRule, parseScenario, type Reply, type RuleSource, type ScenarioSource } from './scenario.ts'
import { Script } from './script.ts'
import { Watchers } from './watchers.ts'

export type { Asked } from './asked.ts'

export type Model = {
  url: string
  port: number
  /** Every request so far, in the order of arrival; the oldest are forgotten after many thousands. */
  asked: Asked[]
  /** The first request, past or coming, that fits; fails with what was asked instead when none comes in time. */
  waitFor(fits: (asked: Asked) => boolean, timeoutMs?: number): Promise<Asked>
  /** Rules for now on, before all that were there. */
  says(...rules: RuleSource[]): void
  /** Other rules from now on. */
  replaceRules(rules: RuleSource[]): void
  /** Lets hanging replies go on, by name or all; says how many. */
  release(name?: string): number
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type ModelOptions = {
  /** Where each record is also written, one JSON object a line. */
  recordFile?: string
  port?: number
}

// In a rehearsal of days the record would fill the memory; whoever wants all of it gives a file.
const KEPT = 20_000
const UNMATCHED: Reply = { text: 'nothing left in the script' }

/** A server on loopback that speaks the Messages API and says what its scenario tells it to. */
export async function startModel(source: ScenarioSource = [], options: ModelOptions = {}): Promise<Model> {
  const scenario = parseScenario(source)
  const script = new Script(scenario)
  const gates = new Gates()
  const watchers = new Watchers()
  const asked: Asked[] = []

  let count = 0

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readJson(request)
    if (request.method !== 'POST' || !isMessages(request.url)) return refuse(response, 404, 'not_found_error')
    if (!body) return refuse(response, 400, 'invalid_request_error')
    const question = readQuestion(body)
    count += 1
    const entry = record(count, question, request.headers)
    const reply = script.replyTo(question) ?? unscripted(question, scenario.side, entry)
    entry.answered = reply.status ? `status ${reply.status}` : (reply.fault?.kind ?? 'message')
    const sent = answer(response, reply, question, `msg_${entry.number}`, gates)
    if (asked.push(entry) > KEPT) asked.shift()
    if (options.recordFile) appendFileSync(options.recordFile, `${JSON.stringify(entry)}\n`)
    watchers.tell(entry)
    await sent
  }
  const server = createServer((request, response) => {
    // A client that dies in mid request is part of many rehearsals, and never a reason to fall over.
    response.on('error', () => {})
    serve(request, response).catch(() => response.destroy())
  })
  // A tool may run for an hour between two questions; a connection that ends meanwhile would look like a fault.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo

  const close = async () => {
    gates.release()
    watchers.stop('the model was closed')
    server.closeAllConnections()
    await new Promise<void>(resolve => server.close(() => resolve()))
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    waitFor: (fits, timeoutMs = 180_000) => watchers.waitFor(asked, fits, timeoutMs),
    says: (...rules) => script.addFirst(rules.map(parseRule)),
    replaceRules: rules => script.replace(rules.map(parseRule)),
    release: name => gates.release(name),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function unscripted(question: Question, side: string, entry: Asked): Reply {
  if (question.side) return { text: side }
  entry.unmatched = true
  return UNMATCHED
}

function isMessages(url = ''): boolean {
  return new URL(url, 'http://localhost').pathname === '/v1/messages'
}

function refuse(response: ServerResponse, status: number, type: string) {
  json(response, status, { type: 'error', error: { type, message: 'The rehearsal model does not serve this' } })
}

// Longer than any context window in bytes; a runaway client must not fill the memory of whoever rehearses.
const BODY_LIMIT = 32 * 1024 * 1024

async function readJson(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request) {
      size += chunk.length
      if (size > BODY_LIMIT) return undefined
      chunks.push(chunk)
    }
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
