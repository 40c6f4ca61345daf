import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { QuestTool, SignalKind, ToolAnswer } from '../../src/contract/quest-tools.ts'
import { loopbackDoor } from '../../src/daemon/http/doors.ts'
import type { House } from '../../src/daemon/http/house.ts'
import { listenOnLoopback } from '../../src/daemon/http/listen.ts'
import type { QuestDesk, QuestSession } from '../../src/daemon/quests/quest-desk.ts'
import { Tokens } from '../../src/daemon/sessions/tokens.ts'

export type Heard = { tool: QuestTool; session: string; input: unknown }

/** The daemon's loopback door as it is, before a desk that writes down what it hears and answers as it is told. */
export async function deskDoor(answer: (heard: Heard) => ToolAnswer | Promise<ToolAnswer> = accept) {
  const tokens = new Tokens(randomBytes(32))
  const sessions = new Map<string, QuestSession>()
  const heard: Heard[] = []
  const logged: string[] = []
  const hear = (tool: QuestTool) => (at: { session: string }, input: unknown) => {
    const one = { tool, session: at.session, input }
    heard.push(one)
    return Promise.resolve(answer(one))
  }
  const quests: QuestDesk = {
    find: session => sessions.get(session) ?? null,
    signal: hear('signal-back'),
    getStep: hear('get-step'),
    setRequirements: hear('set-requirements'),
    setSteps: hear('set-steps'),
  }
  const log = (line: string) => logged.push(line)
  const house = { quests, tokens, log, registration: { version: '1.2.3', port: 0 } } as unknown as House
  const { server, port } = await listenOnLoopback(loopbackDoor(house), 0)
  house.registration.port = port
  const folder = mkdtempSync(join(tmpdir(), 'rehoboam-mcp-'))
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    folder,
    heard,
    logged,
    /** A session at work on a step, and its token. */
    session(tools: QuestTool[], maySignal: SignalKind[] = ['complete', 'needs-user-input']) {
      const session = randomUUID()
      sessions.set(session, { run: 'abcd1234', session, step: 'build', tools, maySignal, mayAsk: ['codeweaver'] })
      return { session, token: tokens.ofSession(session) }
    },
    strangersToken: () => tokens.ofSession(randomUUID()),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type DeskDoor = Awaited<ReturnType<typeof deskDoor>>

export function accept({ tool }: Heard): ToolAnswer {
  return { accepted: true, text: `${tool}: noted.` }
}
