import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = {
  event: string
  tool: string | undefined
  path: string
  token: string
  pane: string | undefined
}

/** Stands where the daemon's door on loopback would stand. Answers as that one does: 200 and not a byte. */
export async function receiver() {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', part => {
      body += part
    })
    request.on('end', () => {
      const { hook_event_name: event, tool_name: tool } = JSON.parse(body)
      const { authorization: token = '', 'x-rehoboam-pane': pane } = request.headers
      received.push({ event, tool, path: request.url ?? '', token, pane: pane?.toString() })
      response.writeHead(200).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    received,
    events: () => [...new Set(received.map(({ event }) => event))].toSorted(),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
