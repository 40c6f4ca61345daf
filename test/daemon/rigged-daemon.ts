// The daemon with real files and real sessions, of which one port is rigged. Arguments: its version, the program whose hooks it
// installs, the rig, what for.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { claudeHeadless } from '../../src/adapters/claude/headless.ts'
import { realDisk } from '../../src/adapters/disk.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import type { Outside } from '../../src/daemon/build.ts'
import { runDaemon } from '../../src/daemon/main.ts'
import type { AppendFile, Clock } from '../../src/ports.ts'

const [version = '', script = '', rig = '', argument = ''] = process.argv.slice(2)
const real = { clock: systemClock, disk: realDisk, headless: claudeHeadless, script }
type Rigged = Partial<Outside> & typeof real
type Watcher = { before?: () => void; after?: () => void }
const die = () => process.kill(process.pid, 'SIGKILL')

const RIGS: Record<string, (argument: string) => Rigged> = {
  /** Dies with -9 `before` or `after` an event of that type is written down. */
  'die-before': type => ({
    ...real,
    disk: { ...realDisk, openAppend: async path => watched(await realDisk.openAppend(path), type, { before: die }) },
  }),
  'die-after': type => ({
    ...real,
    disk: { ...realDisk, openAppend: async path => watched(await realDisk.openAppend(path), type, { after: die }) },
  }),

  /** Dies with -9 around the start of a session. */
  'die-starting': moment => ({
    ...real,
    headless: {
      ...claudeHeadless,
      async start(start) {
        if (moment === 'before') die()
        await claudeHeadless.start(start)
        if (moment === 'claimed') await appeared(join(start.place.directory, 'claim'))
        die()
      },
    },
  }),

  /** Does not start a session before a file is there. */
  'start-held': file => ({
    ...real,
    headless: {
      ...claudeHeadless,
      async start(start) {
        await appeared(file)
        await claudeHeadless.start(start)
      },
    },
  }),

  /** Fails to start a session before a file is there. */
  'start-failing': file => ({
    ...real,
    headless: {
      ...claudeHeadless,
      async start(start) {
        if (!existsSync(file)) throw new Error('ENOSPC: no space left on device')
        await claudeHeadless.start(start)
      },
    },
  }),

  /** Takes its time to see that a session runs, and none to see that one does not. */
  'look-slow': ms => ({
    ...real,
    headless: {
      ...claudeHeadless,
      async look(place) {
        if (existsSync(join(place.directory, 'claim'))) await delay(Number(ms))
        return claudeHeadless.look(place)
      },
    },
  }),

  /** Its clock hurries while a file is there, which is removed when an event of this type is written down. */
  'hurry-to': type => {
    const file = join(process.env.REHOBOAM_HOME!, 'hurry')
    const before = () => rmSync(file, { force: true })
    const openAppend = async (path: string) => watched(await realDisk.openAppend(path), type, { before })
    return { ...real, clock: hurryingClock(file), disk: { ...realDisk, openAppend } }
  },
}

/** Goes a second ahead every few milliseconds while the file is there, and as all clocks otherwise. */
function hurryingClock(file: string): Clock {
  const timers = new Set<{ ms: number; fire: () => void }>()
  let aheadMs = 0
  const now = () => Date.now() + aheadMs
  setInterval(() => {
    if (existsSync(file)) aheadMs += 1000
    const due = [...timers].filter(({ ms }) => ms <= now())
    for (const timer of due) if (timers.delete(timer)) timer.fire()
  }, 2)
  return {
    now,
    at(ms, fire) {
      const timer = { ms, fire }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  }
}

function watched(file: AppendFile, type: string, { before = () => {}, after = () => {} }: Watcher): AppendFile {
  return {
    get size() {
      return file.size
    },
    async append(content) {
      const isIt = content.includes(`"type":"${type}"`)
      if (isIt) before()
      await file.append(content)
      if (isIt) after()
    },
    truncate: size => file.truncate(size),
    close: () => file.close(),
  }
}

async function appeared(file: string): Promise<void> {
  while (!existsSync(file)) await delay(1)
}

process.exit(await runDaemon(version, process.env, RIGS[rig]!(argument)))
