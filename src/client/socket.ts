import { type IncomingMessage, request } from 'node:http'

/** One HTTP request over a Unix socket. Resolves with the answer before its body is read. */
export function requestSocket(
  socket: string,
  options: { method: string; path: string; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal },
): Promise<IncomingMessage> {
  const body = options.body === undefined ? undefined : JSON.stringify(options.body)
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        socketPath: socket,
        method: options.method,
        path: options.path,
        signal: options.signal,
        agent: false,
        headers: {
          host: 'rehoboam',
          ...options.headers,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      },
      resolve,
    )
    sent.once('error', reject)
    sent.end(body)
  })
}

export async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}
