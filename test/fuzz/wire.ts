import { connect, type NetConnectOpts, type Socket } from 'node:net'

export type Reply = { status: number; body: string }

const ANSWER_WITHIN_MS = 180_000

/**
 * HTTP by hand, over one connection: requests that no client library would send, and fifty thousand of them in seconds.
 * A reply is null when the other side closed the connection without one.
 */
export class Wire {
  readonly #socket: Socket
  #received = Buffer.alloc(0)
  #waiting: ((reply: Reply | null) => void) | null = null
  #isHead = false
  #used = false
  closed = false

  constructor(to: NetConnectOpts) {
    this.#socket = connect(to)
    this.#socket.setNoDelay(true)
    this.#socket.on('data', part => {
      this.#received = Buffer.concat([this.#received, part])
      this.#look(false)
    })
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => {
      this.closed = true
      this.#look(true)
    })
  }

  /** True once a request was answered: a server may then close the connection whenever it likes. */
  get used(): boolean {
    return this.#used
  }

  async send(bytes: Buffer, options: { isHead?: boolean; end?: boolean } = {}): Promise<Reply | null> {
    this.#isHead = options.isHead ?? false
    const reply = new Promise<Reply | null>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('no answer')), ANSWER_WITHIN_MS)
      this.#waiting = value => {
        clearTimeout(late)
        this.#waiting = null
        resolve(value)
      }
    })
    if (this.closed) this.#waiting?.(null)
    else if (options.end) this.#socket.end(bytes)
    else this.#socket.write(bytes)
    return reply
  }

  close(): void {
    this.#socket.destroy()
  }

  #look(isOver: boolean): void {
    const found = readReply(this.#received, this.#isHead, isOver)
    if (found) {
      this.#received = this.#received.subarray(found.length)
      this.#used = true
      // An early hint is no answer.
      if (found.reply.status >= 200) this.#waiting?.(found.reply)
      else this.#look(isOver)
    } else if (isOver) this.#waiting?.(null)
  }
}

function readReply(bytes: Buffer, isHead: boolean, isOver: boolean): { reply: Reply; length: number } | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return null
  const head = bytes.toString('latin1', 0, end)
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
  const start = end + 4
  const done = (length: number, body: string) => ({ reply: { status, body }, length: start + length })
  if (isHead || status < 200) return done(0, '')
  if (/^transfer-encoding: chunked/im.test(head)) {
    const last = bytes.indexOf('\r\n0\r\n\r\n', end)
    return last === -1 ? null : done(last + 7 - start, unchunked(bytes.subarray(start, last + 2)))
  }
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  if (length === undefined) return isOver ? done(bytes.length - start, bytes.toString('utf8', start)) : null
  return bytes.length < start + Number(length)
    ? null
    : done(Number(length), bytes.toString('utf8', start, start + Number(length)))
}

function unchunked(bytes: Buffer): string {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 4 + size
  }
  return Buffer.concat(parts).toString('utf8')
}
