import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { RehoboamError } from '../contract/errors.ts'
import { SUPERVISOR } from './supervisor.ts'

/** The program that this command is: the daemon is the same one, started anew. */
export type Program = { node: string; script: string; version: string }

/** The daemon serves many callers: it must not inherit one caller's secrets, nor look like one session's child. */
const PASSED_ON =
  /^(PATH|HOME|USER|LOGNAME|LANG|LC_\w+|SHELL|TZ|TMPDIR|XDG_\w+|REHOBOAM_(?!RUN$|TURN$|TOKEN$|LOOP_DIR$|GIT_OF$|GIT_BY$)\w+|NODE_EXTRA_CA_CERTS)$/

// Left to itself the engine takes 250 MB of a large machine for garbage that it could as well collect; the daemon waits
// most of its life. It costs a part of the speed that nobody sees (bench/ holds both).
const SMALL = '--optimize-for-size'
// Node waits for the disk in four threads of its own: with several workers of a pool each would wait for the others' syncs.
const DISK_THREADS = '12'

/** Starts the supervisor, which starts the daemon. Two at once do no harm: one of the daemons steps down. */
export function startDaemon(home: string, env: Record<string, string | undefined>, program: Program): ChildProcess {
  const log = openLog(home)
  const child = spawn(
    '/bin/sh',
    ['-c', SUPERVISOR, 'rehoboam-supervisor', home, program.node, SMALL, program.script, 'daemon', 'run'],
    {
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
      env: {
        ...Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.test(name))),
        REHOBOAM_HOME: home,
        UV_THREADPOOL_SIZE: DISK_THREADS,
      },
    },
  )
  child.on('error', () => {})
  child.unref()
  closeSync(log)
  return child
}

function openLog(home: string): number {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    return openSync(join(home, 'daemon.log'), 'a', 0o600)
  } catch (error) {
    const sentence = `the state directory ${home} cannot be used (${(error as Error).message}); REHOBOAM_HOME names another`
    throw new RehoboamError('home-unusable', sentence)
  }
}
