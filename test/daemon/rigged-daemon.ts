// The daemon with real files and real sessions, of which one port is rigged. Arguments: its version, the rig, what for.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { claudeHeadless } from '../../src/adapters/claude/headless.ts'
import { systemClock } from '../../src/adapters/clock.ts'
import { realDisk } from '../../src/adapters/disk.ts'
import { type Outside, runDaemon } from '../../src/daemon/main.ts'
import type { AppendFile } from '../../src/ports.ts'
import { PROGRAM } from '../support/programs.ts'

const real = { clock: systemClock, disk: realDisk, driver: claudeHeadless, script: PROGRAM }
type Rigged = Partial<Outside> & typeof real
const die = () => process.kill(process.pid, 'SIGKILL')

const RIGS: Record<string, (argument: string) => Rigged> = {
  /** Dies with -9 `before` or `after` an event of that type is written down. */
  'die-before': type => ({
    ...real,
    disk: { ...realDisk, openAppend: async path => dying(await realDisk.openAppend(path), type, true) },
  }),
  'die-after': type => ({
    ...real,
    disk: { ...realDisk, openAppend: async path => dying(await realDisk.openAppend(path), type, false) },
  }),

  /** Dies with -9 around the start of a session. */
  'die-starting': moment => ({
    ...real,
    driver: {
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
    driver: {
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
    driver: {
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
    driver: {
      ...claudeHeadless,
      async look(place) {
        if (existsSync(join(place.directory, 'claim'))) await delay(Number(ms))
        return claudeHeadless.look(place)
      },
    },
  }),
}

function dying(file: AppendFile, type: string, before: boolean): AppendFile {
  return {
    get size() {
      return file.size
    },
    async append(content) {
      const isIt = content.includes(`"type":"${type}"`)
      if (isIt && before) die()
      await file.append(content)
      if (isIt) die()
    },
    truncate: size => file.truncate(size),
    close: () => file.close(),
  }
}

async function appeared(file: string): Promise<void> {
  while (!existsSync(file)) await delay(1)
}

const [version = '', rig = '', argument = ''] = process.argv.slice(2)
process.exit(await runDaemon(version, process.env, RIGS[rig]!(argument)))
