import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Settings } from './settings.ts'
import { VERSION } from './version.ts'

/** The file by which a running client can be found: one for each process, gone after a clean end, left by a kill. */
export class SessionNote {
  private readonly path: string
  private readonly about: Record<string, unknown>

  constructor({ configDir, cwd, name }: Settings, session: string) {
    const folder = join(configDir, 'sessions')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.path = join(folder, `${process.pid}.json`)
    const startedAt = Date.now()
    this.about = {
      pid: process.pid,
      sessionId: session,
      cwd,
      startedAt,
      procStart: procStart(),
      version: VERSION,
      peerProtocol: 1,
      peerFeatures: ['notify_idle', 'reply_across_default_dirs', 'artifact_yield'],
      // Headless or not, so the client says; the entrypoint tells them apart.
      kind: 'interactive',
      entrypoint: 'sdk-cli',
      pidDomain: pidDomain(),
      asksForConvertedSkills: null,
      name: name ?? `${basename(cwd)}-${randomBytes(1).toString('hex')}`,
      nameSource: name === undefined ? 'derived' : 'user',
      nameSince: startedAt,
    }
    this.write(this.about)
  }

  /** A headless client is busy from its first prompt to its last result, also while it waits for a permission. */
  says(status: 'busy' | 'idle'): void {
    const now = Date.now()
    this.write({ ...this.about, status, updatedAt: now, statusUpdatedAt: now })
  }

  remove(): void {
    rmSync(this.path, { force: true })
  }

  private write(note: Record<string, unknown>): void {
    writeFileSync(this.path, JSON.stringify(note))
  }
}

/** When the kernel says that this process began: a pid alone may belong to another one by now. */
function procStart(): string {
  const stat = read('/proc/self/stat')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function pidDomain(): string {
  try {
    return `linux:${read('/etc/machine-id').trim()}:${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return process.platform
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
