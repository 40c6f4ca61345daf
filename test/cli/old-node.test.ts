import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PROGRAM } from '../support/temp-home.ts'

/** Real ones, as on a machine whose own Node is older than ours. */
const others = (process.env.PATH ?? '')
  .split(delimiter)
  .filter(folder => folder && !folder.includes('node_modules'))
  .map(folder => join(folder, 'node'))
  .filter(existsSync)
  .map(node => ({ node, major: Number(/^v(\d+)/.exec(run(node, ['--version']).out)?.[1]) }))
  .filter(({ major }) => major < 24)
  .sort((a, b) => a.major - b.major)

function run(node: string, args: string[]) {
  const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8', env: { PATH: process.env.PATH } })
  return { code: status, out: stdout, err: stderr }
}

describe('started by a Node that is too old', () => {
  test.for(['0.10.48', '12.22.0', '20.19.0', '23.11.1'])(
    '%s: says what it needs, and code 2 [cli-old-node]',
    version => {
      const folder = mkdtempSync(join(tmpdir(), 'rehoboam-old-node-'))
      try {
        const before = join(folder, 'before.cjs')
        const claim = (name: string, value: string) =>
          `Object.defineProperty(process, '${name}', { value: ${value} })\n`
        writeFileSync(before, claim('versions', `{ node: '${version}' }`) + claim('version', `'v${version}'`))
        for (const args of [['--version'], ['runs'], []]) {
          expect(run(process.execPath, ['-r', before, PROGRAM, ...args])).toEqual(needs(version))
        }
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )

  test('the oldest Node of this machine gets as far as that sentence, or is new enough [cli-old-node]', () => {
    const { node, major } = others[0] ?? { node: process.execPath, major: 24 }
    const version = run(node, ['--version']).out.trim().slice(1)
    const said = run(node, [PROGRAM, '--version'])
    expect(said).toEqual(major < 24 ? needs(version) : { code: 0, out: expect.stringMatching(/^\d/), err: '' })
  })
})

function needs(version: string) {
  const err = `rehoboam needs Node 24 or newer; this is v${version}. Install it from your package manager or with: npm install -g node@24\n`
  return { code: 2, out: '', err }
}
