import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RehoboamError } from '../contract/errors.ts'

const HINT =
  '# What shall be done? Lines like "- [ ] the tests pass" are its criteria. Lines with # at the top are left out.\n'

/** A text written in the user's own editor; null where there is no terminal or no editor, empty when nothing was written. */
export function fromEditor(env: Record<string, string | undefined>): string | null {
  const text = inEditor(env, 'task.md', HINT)
  return text === null ? null : text.replace(/^(?:#.*\n?)+/, '').trim()
}

/** What became of a text in the user's own editor; null where there is no terminal or no editor. */
export function inEditor(env: Record<string, string | undefined>, name: string, text: string): string | null {
  const editor = env.VISUAL || env.EDITOR
  if (!editor || !process.stdin.isTTY || !process.stdout.isTTY) return null
  const directory = mkdtempSync(join(tmpdir(), 'rehoboam-task-'))
  try {
    const file = join(directory, name)
    writeFileSync(file, text, { mode: 0o600 })
    // As git does it: the variable may hold arguments too.
    const { status } = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' })
    if (status !== 0) throw new RehoboamError('usage', `the editor ended with ${status ?? 'a signal'}; nothing is done`)
    return readFileSync(file, 'utf8')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
