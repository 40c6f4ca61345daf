import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject, number, text } from '../../contract/stream-fields.ts'
import { isAlive } from '../process-table.ts'

/** What the client itself notes about each of its running sessions, in `<config>/sessions/<pid>.json`. */
export type RegisteredSession = {
  session: string
  pid: number
  cwd: string
  startedAt: number
  entrypoint: string
  status: 'busy' | 'idle' | 'waiting' | 'unknown'
  waitingFor: string
  statusAt: number
}

const MOST_FILES = 5_000

/** The running sessions of one configuration directory. Files of dead processes are left lying: those do not count. */
export async function registeredSessions(configDirectory: string): Promise<RegisteredSession[]> {
  const folder = join(configDirectory, 'sessions')
  const names = await readdir(folder).catch(() => [])
  const found: RegisteredSession[] = []
  for (const name of names.filter(file => /^\d+\.json$/.test(file)).slice(0, MOST_FILES)) {
    const session = parse(await readFile(join(folder, name), 'utf8').catch(() => ''))
    if (session && session.pid === Number.parseInt(name, 10) && isAlive(session.pid)) found.push(session)
  }
  return found
}

function parse(content: string): RegisteredSession | null {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    return null
  }
  if (!isObject(value)) return null
  const session = text(value.sessionId) ?? ''
  const pid = number(value.pid) ?? 0
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(session) || !Number.isInteger(pid) || pid < 2) return null
  const said = text(value.status)
  return {
    session,
    pid,
    cwd: text(value.cwd) ?? '',
    startedAt: number(value.startedAt) ?? 0,
    entrypoint: text(value.entrypoint) ?? '',
    status: said === 'busy' || said === 'idle' || said === 'waiting' ? said : 'unknown',
    waitingFor: (text(value.waitingFor) ?? '').slice(0, 200),
    statusAt: number(value.statusUpdatedAt) ?? 0,
  }
}
