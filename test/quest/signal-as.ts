import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Tokens } from '../../src/daemon/sessions/tokens.ts'
import type { TempHome } from '../support/temp-home.ts'

type Answer = { result?: { content: { text: string }[]; isError: boolean } }

/** Calls signal-back with the token of a session, as something that it left behind could; gives what is answered. */
export async function signalAs(home: TempHome, session: string, input: object): Promise<string> {
  const port = readFileSync(join(home.home, 'port'), 'utf8').trim()
  const token = new Tokens(readFileSync(join(home.home, 'key'))).ofSession(session)
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'signal-back', arguments: input },
    }),
  })
  const { result } = (await response.json()) as Answer
  return `${result?.isError ? 'refused' : 'taken'}: ${result?.content[0]?.text}`
}
