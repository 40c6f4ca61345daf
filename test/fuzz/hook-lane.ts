import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { realDisk } from '../../src/adapters/disk.ts'
import { NO_SURROUNDINGS } from '../../src/contract/agent.ts'
import { refusalIn } from '../../src/contract/refusal.ts'
import { Tokens } from '../../src/daemon/sessions/tokens.ts'
import { Random } from '../runtime/lane/random.ts'
import { until } from '../support/until.ts'
import { type HookTarget, hostileHook, hostileQuestion, hostileTranscript } from './hostile-hook.ts'
import type { Measured } from './measured.ts'
import { bytesOf, Shooter } from './shoot.ts'

const AT_ONCE = 16
const SESSIONS = 12
// Questions that are open at once: what a person may come back to in the morning.
const LEFT_OPEN = 20

/** Hostile payloads through both doors of a daemon, as many as wanted, and everything that was wrong with its answers. */
export async function hookLane(daemon: Measured, { seed, strangers }: { seed: number; strangers: number }) {
  const tokens = await Tokens.open(join(daemon.home, 'key'), realDisk)
  const own = Array.from({ length: SESSIONS }, () => {
    const session = randomUUID()
    return { session, token: tokens.ofSession(session) }
  })
  const target: HookTarget = {
    port: daemon.port,
    own,
    strangers,
    canary: join(daemon.root, 'canary'),
    fifo: join(daemon.root, 'fifo'),
  }
  execFileSync('mkfifo', [target.fifo])
  const random = new Random(seed)
  const complaints: string[] = []
  const held: Socket[] = []
  let sent = 0
  return {
    complaints,
    ranSomething: () => existsSync(target.canary),
    /** Goes on until so many were sent in all. */
    async upTo(count: number): Promise<void> {
      const one = async () => {
        const shooter = new Shooter(daemon)
        while (sent < count && complaints.length < 20) {
          sent += 1
          const shot = hostileHook(random, target)
          if (shot.isHeld) hold(daemon, held, bytesOf(shot))
          else if (random.chance(0.01)) cut(daemon, shot.door, bytesOf(shot), random)
          else {
            const reply = await shooter.reply(shot)
            const wrong = complaintAbout(reply)
            if (wrong) complaints.push(`${wrong} for ${shot.door} ${shot.body?.subarray(0, 400)}`)
          }
        }
        shooter.close()
      }
      await Promise.all(Array.from({ length: AT_ONCE }, one))
    },
    /** A session with everything that can be shown: open questions, and a transcript to read. Gives its id. */
    async showpiece(): Promise<string> {
      const session = randomUUID()
      const transcript = join(daemon.root, `${session}.jsonl`)
      writeFileSync(transcript, hostileTranscript(random, target.canary))
      for (let n = 0; n < LEFT_OPEN; n++) {
        const hook = hostileQuestion(random, { session, transcript, canary: target.canary })
        hold(daemon, held, requestOf({ id: randomUUID(), at: Date.now(), isHeld: true, where: NO_SURROUNDINGS, hook }))
      }
      const open = () => daemon.ask<{ agent: string }[]>('GET', '/v1/inbox')
      await until(async () => (await open()).filter(({ agent }) => agent === session).length === LEFT_OPEN, 'questions')
      return session
    },
    close() {
      for (const socket of held) socket.destroy()
    },
  }
}

/** Taken, or refused with a sentence. */
function complaintAbout(reply: { status: number; body: string } | null): string | null {
  if (!reply) return 'no answer'
  if (reply.status === 200) return null
  if (reply.status < 400 || reply.status > 499) return `${reply.status} ${reply.body.slice(0, 300)}`
  return refusalIn(JSON.parse(reply.body)) ? null : `no sentence: ${reply.body.slice(0, 300)}`
}

function requestOf(body: unknown): Buffer {
  const headers = { host: 'rehoboam', 'content-type': 'application/json' }
  return bytesOf({ door: 'socket', method: 'POST', path: '/v1/hook', headers, body: Buffer.from(JSON.stringify(body)) })
}

/** A hook that waits; the oldest of too many is told to go, as by Esc. */
function hold({ socket: path }: Measured, held: Socket[], bytes: Buffer): void {
  const socket = connect(path)
  socket.on('error', () => {})
  socket.write(bytes)
  held.push(socket)
  if (held.length > LEFT_OPEN) held.shift()!.destroy()
}

/** Half a request, and its sender is gone. */
function cut(daemon: Measured, door: 'socket' | 'loopback', bytes: Buffer, random: Random): void {
  const socket = connect(door === 'socket' ? { path: daemon.socket } : { host: '127.0.0.1', port: daemon.port })
  socket.on('error', () => {})
  socket.write(bytes.subarray(0, random.between(0, bytes.length - 1)), () => socket.destroy())
}
