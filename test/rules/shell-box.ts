import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Ran = { name: string; words: string[] }

/** A directory in which every program is a stub that writes down that it ran, and with what. */
export class ShellBox implements Disposable {
  readonly #home = mkdtempSync(join(tmpdir(), 'rehoboam-rules-'))
  readonly #programs = join(this.#home, 'bin')
  #runs = 0

  constructor(programs: string[]) {
    mkdirSync(this.#programs)
    for (const name of programs) {
      writeFileSync(join(this.#programs, name), `#!/bin/sh\n${STUB.replace('NAME', name)}`)
      chmodSync(join(this.#programs, name), 0o755)
    }
  }

  /** What ran, and the files that are there afterwards. The shell finds no other program than the stubs. */
  run(shell: string, command: string): { ran: Ran[]; files: string[] } {
    const place = join(this.#home, String(++this.#runs))
    const [log, work] = [join(place, 'log'), join(place, 'work')]
    mkdirSync(join(work, 'out'), { recursive: true })
    mkdirSync(join(work, 'src/out'), { recursive: true })
    writeFileSync(log, '')
    const { pid } = spawnSync(shell, ['-c', 'eval "$1"; wait', shell, command], {
      cwd: work,
      env: { PATH: this.#programs, HOME: join(place, 'elsewhere'), LOG: log },
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: 5000,
      killSignal: 'SIGKILL',
      detached: true,
    } as SpawnSyncOptions)
    endGroup(pid)
    const files = readdirSync(work, { recursive: true, encoding: 'utf8' }).filter(
      name => !/^(?:out|src|src\/out)$/.test(name),
    )
    const ran = readLog(readFileSync(log, 'utf8'))
    return { ran, files }
  }

  [Symbol.dispose](): void {
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** What it left behind, a loop in a subshell for example. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing was left.
  }
}

// One write each, so that two at once do not mix. A loop around stubs must end, so that the fiftieth ends its shell.
const STUB = `
printf '%s\\0' NAME "$#" "$@" >> "$LOG"
lines=0
while read -r _; do lines=$((lines + 1)); done < "$LOG"
printf '\\n' >> "$LOG"
[ $lines -lt 50 ] || kill -9 $PPID
`

function readLog(text: string): Ran[] {
  const fields = text.split('\0').map(field => field.replace(/^\n+/, ''))
  const ran: Ran[] = []
  for (let at = 0; at + 1 < fields.length; ) {
    const count = Number(fields[at + 1])
    ran.push({ name: fields[at]!, words: fields.slice(at + 2, at + 2 + count) })
    at += 2 + count
  }
  return ran
}
