import { refusalIn } from '../../src/contract/refusal.ts'
import type { Shot } from './malformed.ts'
import type { Measured } from './measured.ts'
import { type Reply, Wire } from './wire.ts'

/** Sends one request after the other, over a connection to each door that is opened anew when the daemon closes it. */
export class Shooter {
  readonly #daemon: Measured
  readonly #wires = new Map<Shot['door'], Wire>()

  constructor(daemon: Measured) {
    this.#daemon = daemon
  }

  /** What is wrong with the answer, or null: every refusal is a 4xx with a code and a sentence. */
  async complaint(shot: Shot): Promise<string | null> {
    const what = `${shot.door} ${shot.method} ${shot.path.slice(0, 200)} ${shot.body?.subarray(0, 300) ?? ''}`
    try {
      const reply = await this.reply(shot)
      if (!reply) return `no answer to ${what}`
      if (reply.status < 400 || reply.status > 499) return `${reply.status} for ${what}: ${reply.body.slice(0, 300)}`
      if (shot.method === 'HEAD') return null
      const { error } = refusalIn(JSON.parse(reply.body))!
      return error.sentence.length > 5 && error.sentence.length <= 4000
        ? null
        : `no sentence for ${what}: ${reply.body}`
    } catch (error) {
      return `${(error as Error).message} for ${what}`
    }
  }

  close(): void {
    for (const wire of this.#wires.values()) wire.close()
  }

  /** A connection that has served before may be closed at any time; then the request is sent again over a new one. */
  async reply(shot: Shot): Promise<Reply | null> {
    const bytes = bytesOf(shot)
    const options = { isHead: shot.method === 'HEAD' }
    const wire = this.#wires.get(shot.door)
    if (wire && !wire.closed) {
      const wasUsed = wire.used
      const reply = await wire.send(bytes, options)
      if (reply || !wire.closed || !wasUsed) return reply
    }
    const fresh = new Wire(
      shot.door === 'socket' ? { path: this.#daemon.socket } : { host: '127.0.0.1', port: this.#daemon.port },
    )
    this.#wires.set(shot.door, fresh)
    return fresh.send(bytes, options)
  }
}

export function bytesOf({ method, path, headers, body }: Shot): Buffer {
  const lines = Object.entries({ ...headers, ...(body ? { 'content-length': String(body.length) } : {}) })
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head), body ?? Buffer.alloc(0)])
}
