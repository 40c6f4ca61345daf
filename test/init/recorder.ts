import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Heard = { args: string; event: string; tool: string | undefined; payload: Record<string, unknown> }

/** Stands where our program would stand, and writes down what the client gives it: one file a call, whole or absent. */
export type Recorder = {
  /** As `{ node, script }`, or by its name on a PATH that begins with `directory`. */
  program: { node: string; script: string }
  directory: string
  heard(): Heard[]
  events(): string[]
  /** What a held call prints. */
  answer(value: unknown): void
  [Symbol.dispose](): void
}

export function recorder(): Recorder {
  const root = mkdtempSync(join(tmpdir(), 'rehoboam-recorder-'))
  const [calls, directory] = [join(root, 'calls'), join(root, 'bin with a blank')]
  for (const path of [calls, directory]) mkdirSync(path)
  const script = join(directory, 'rehoboam')
  const answer = join(root, 'answer')
  writeFileSync(
    script,
    `#!/bin/sh
{ printf '%s\\n' "$*"; cat; } > "${calls}/$$.part"
mv "${calls}/$$.part" "${calls}/$$.call"
case "$*" in *--hold*) if [ -f "${answer}" ]; then cat "${answer}"; fi ;; esac
exit 0
`,
  )
  chmodSync(script, 0o755)
  const heard = () =>
    readdirSync(calls)
      .filter(name => name.endsWith('.call'))
      .map(name => heardIn(readFileSync(join(calls, name), 'utf8')))
  return {
    program: { node: '/bin/sh', script },
    directory,
    heard,
    events: () => [...new Set(heard().map(({ event }) => event))].toSorted(),
    answer: value => writeFileSync(answer, JSON.stringify(value)),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

function heardIn(call: string): Heard {
  const [args = '', ...rest] = call.split('\n')
  const payload = JSON.parse(rest.join('\n'))
  return { args, event: payload.hook_event_name, tool: payload.tool_name, payload }
}

export function writeSettings(cwd: string, name: string, text: string): void {
  const directory = join(cwd, '.claude')
  if (!existsSync(directory)) mkdirSync(directory)
  writeFileSync(join(directory, name), text)
}
