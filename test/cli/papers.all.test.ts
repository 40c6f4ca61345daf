import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempHome } from '../support/temp-home.ts'
import { dashboardIn } from '../tui/terminal.ts'
import { paper, root } from './papers.ts'

test('what is packed for npm runs without any other package, and has all that README names [papers-package]', async () => {
  await using home = await tempHome()
  const npm = ['pack', '--ignore-scripts', '--silent', '--pack-destination', home.root]
  const name = execFileSync('npm', npm, { cwd: root, encoding: 'utf8' }).trim()
  expect(paper('README.md')).toContain(`./${name}`)
  execFileSync('tar', ['-xzf', join(home.root, name), '-C', home.root])
  const packed = (path: string) => join(home.root, 'package', path)
  const { bin, version, ...manifest } = JSON.parse(readFileSync(packed('package.json'), 'utf8'))
  expect(manifest).not.toHaveProperty('dependencies')
  for (const [, linked] of readFileSync(packed('README.md'), 'utf8').matchAll(/\]\((docs\/[^)]+)\)/g)) {
    expect(readFileSync(packed(linked!), 'utf8').length).toBeGreaterThan(100)
  }

  const program = packed(bin.rehoboam)
  const run = (...args: string[]) => home.start(args, {}, program).ended
  expect(await run('--version')).toMatchObject({ code: 0, out: `${version}\n` })
  expect(await run('config', 'explain', 'model')).toMatchObject({ code: 0, out: expect.stringContaining('model: ') })
  expect(await run('spawn', '--prompt', 'go', '--wait')).toMatchObject({ code: 0 })
  await using terminal = await dashboardIn(home, { program })
  await terminal.open()
})
