import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { endSupervisor } from '../../client/supervisor.ts'
import type { DaemonStatus } from '../../contract/api.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { DAEMON_EXIT } from '../../contract/registration.ts'
import { plainBlock, plainLine } from '../../view/plain.ts'
import { table } from '../../view/run-words.ts'
import { agoWords } from '../../view/words.ts'
import type { Face } from '../face.ts'
import { followFile } from '../follow-file.ts'

export function daemonCommand(face: Face): Command {
  const daemon = new Command('daemon').description('the background process that owns all state')
  daemon
    .command('start')
    .description('start it, when none runs (any other command does that too)')
    .option('--json', 'for scripts')
    .action(async ({ json }: { json?: boolean }) => {
      face.mayChange('daemon start')
      await face.daemon.ready()
      await status(face, json)
    })
  daemon
    .command('stop')
    .description('stop it and its supervisor; sessions go on and are taken back at the next start')
    .option('--json', 'for scripts')
    .action(({ json }: { json?: boolean }) => stop(face, json))
  daemon
    .command('status')
    .description('whether it runs, since when, where')
    .option('--json', 'for scripts')
    .action(({ json }: { json?: boolean }) => status(face, json))
  daemon
    .command('logs')
    .description('what it wrote down about itself')
    .option('-f, --follow', 'go on as it comes')
    .option('-n, --lines <count>', 'how many of the last lines', '50')
    .action((options: { follow?: boolean; lines: string }) => logs(face, options))
  daemon.addCommand(
    new Command('run').description('be the daemon, in the foreground').action(async () => {
      const { runDaemon } = await import('../../daemon/main.ts')
      process.exit(
        await runDaemon(face.version, face.env, { script: face.script }).catch(error => cannotStart(face, error)),
      )
    }),
    { hidden: true },
  )
  return daemon
}

/** Starting again would not mend it, so it is no death. The sentence goes to the log, which is where a supervisor writes. */
function cannotStart(face: Face, error: unknown): number {
  if (!(error instanceof RehoboamError)) throw error
  face.out.error(error.message)
  return DAEMON_EXIT.cannotStart
}

async function status(face: Face, json: boolean | undefined): Promise<void> {
  const found = await face.daemon
    .askRunning<DaemonStatus>({ path: '/v1/status' })
    .catch((error: RehoboamError) => error)
  if (found instanceof RehoboamError) {
    if (found.code !== 'daemon-down' && found.code !== 'daemon-lost') throw found
    if (json) face.out.json({ running: false })
    else face.out.line('no daemon is running; rehoboam daemon start starts it')
    sayNotice(face)
    process.exitCode = 1
    return
  }
  if (json) return face.out.json({ running: true, ...found })
  const facts = [
    [
      'daemon',
      `version ${found.version}, process ${found.pid}, started ${agoWords(Date.now() - Date.parse(found.startedAt))}`,
    ],
    ['state', plainLine(found.home, 4096)],
    ['socket', plainLine(found.socket, 4096)],
    ['port', String(found.port)],
    ['sessions', String(found.sessions)],
    ['runs', `${found.runs.active} active, ${found.runs.all} in all`],
  ]
  for (const line of table(facts)) face.out.line(line)
  sayNotice(face)
}

async function stop(face: Face, json: boolean | undefined): Promise<void> {
  face.mayChange('daemon stop')
  const wasRunning = await face.daemon.stop(null).then(
    () => true,
    (error: RehoboamError) => {
      if (error.code === 'daemon-down') return false
      throw error
    },
  )
  // One that waits to start it again would otherwise do so.
  await endSupervisor(face.daemon.home)
  if (json) face.out.json({ wasRunning })
  else face.out.line(wasRunning ? 'the daemon has stopped; its sessions go on' : 'no daemon was running')
}

async function logs(face: Face, { follow, lines }: { follow?: boolean; lines: string }): Promise<void> {
  const count = Number(lines)
  if (!Number.isInteger(count) || count < 0)
    throw new RehoboamError('usage', `--lines takes a whole number, not "${lines}"`)
  const path = join(face.daemon.home, 'daemon.log')
  if (!existsSync(path)) throw new RehoboamError('no-log', 'the daemon has not run here yet, so there is no log')
  const bytes = readFileSync(path)
  const text = bytes.toString('utf8').trimEnd().split('\n')
  for (const line of text.slice(Math.max(0, text.length - count))) face.out.line(plainBlock(line))
  if (!follow) return
  const leaving = new AbortController()
  process.once('SIGINT', () => leaving.abort())
  await followFile(path, bytes.length, leaving.signal, line => face.out.line(plainBlock(line)))
}

function sayNotice(face: Face): void {
  const path = join(face.daemon.home, 'notice')
  if (existsSync(path)) face.out.note(`notice: ${plainLine(readFileSync(path, 'utf8'), 500)}`)
}
