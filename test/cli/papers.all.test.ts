import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { paper, root } from './papers.ts'

describe('README', () => {
  test('what is packed for npm runs by itself, and has all that it names [papers-package]', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rehoboam-package-'))
    try {
      const npm = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
      const name = execFileSync('npm', npm, { cwd: root, encoding: 'utf8' }).trim()
      expect(paper('README.md')).toContain(`./${name}`)
      execFileSync('tar', ['-xzf', join(folder, name), '-C', folder])
      const { bin, version } = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'))
      const program = join(folder, 'package', bin.rehoboam)
      const env = { PATH: process.env.PATH, HOME: folder, REHOBOAM_HOME: join(folder, 'state') }
      const run = (...args: string[]) => execFileSync(process.execPath, [program, ...args], { encoding: 'utf8', env })
      expect(run('--version')).toBe(`${version}\n`)
      expect(run('config', 'explain', 'model')).toContain('model: ')
      for (const [, linked] of readFileSync(join(folder, 'package/README.md'), 'utf8').matchAll(
        /\]\((docs\/[^)]+)\)/g,
      )) {
        expect(readFileSync(join(folder, 'package', linked!), 'utf8').length).toBeGreaterThan(100)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
