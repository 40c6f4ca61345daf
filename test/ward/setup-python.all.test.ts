import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkout, write } from './checkout.ts'
import { playFirstWard } from './python-project.ts'

test('the first ward of a Python project (flat) with an editable install runs the worktree’s own code, and not one byte of the checkout changes [setup-python] [setup-checkout-untouched]', () =>
  playFirstWard('flat'))

test('an active environment outside the checkout is seen, but not its editable install of the checkout [setup-python]', async () => {
  const { root, from, to, environment, worktree, prepare, ward } = checkout({
    'setup.cfg': '',
    'app.py': "WORD = 'old'\n",
  })
  execFileSync('python3', ['-m', 'venv', '--without-pip', join(root, 'active')])
  const active = join(root, 'active')
  const site = execFileSync(join(active, 'bin/python'), ['-c', 'import site; print(site.getsitepackages()[0])'])
  write(`${site}`.trim(), { 'app.pth': `${from}\n`, 'dependency.py': "print('dependency')\n" })
  worktree()
  write(to, { 'app.py': "WORD = 'new'\n" })
  const { more } = await prepare({
    environment: { ...environment, VIRTUAL_ENV: active, PATH: `${active}/bin:${environment.PATH}` },
  })
  const { output } = await ward('cd / && python3 -c "import dependency, app; print(app.__file__)"', more)
  expect(output).toBe(`dependency\n${to}/app.py\n`)
})

test('with a lock file of uv its cache is asked first, offline, and what it cannot do is done without it [setup-python]', async () => {
  const { root, to, environment, worktree, prepare, ward } = checkout({
    'pyproject.toml': '[tool.x]\n',
    'uv.lock': '',
    'app.py': '',
  })
  worktree()
  const bin = join(root, 'bin')
  mkdirSync(bin)
  // A stand-in: it notes what it was asked, and makes the environment where it was told to, or fails.
  const uv = (end: string) => {
    const note = `printf '%s\\n' "$PWD" "$*" "$UV_PROJECT_ENVIRONMENT" "$UV_LINK_MODE" > '${root}/asked'`
    writeFileSync(join(bin, 'uv'), `#!/bin/sh\n${note}\n${end}\n`)
    chmodSync(join(bin, 'uv'), 0o755)
  }
  const mine = { ...environment, PATH: `${bin}:${environment.PATH}` }
  uv('exec python3 -m venv --without-pip "$UV_PROJECT_ENVIRONMENT"')
  const prepared = await prepare({ environment: mine })
  expect(prepared.notes).toEqual([])
  const venv = join(root, 'state/venv')
  expect(readFileSync(join(root, 'asked'), 'utf8').split('\n').slice(0, 4)).toEqual([
    realpathSync(to),
    'sync --offline --frozen',
    venv,
    'copy',
  ])
  expect((await ward('python3 -c "import sys; print(sys.prefix)"', prepared.more)).output).toBe(`${venv}\n`)
  uv('exit 2')
  write(to, { 'uv.lock': 'changed' })
  const again = await prepare({ environment: mine })
  expect(again.notes).toEqual([expect.stringContaining('uv sync --offline failed')])
  expect((await ward('cd / && python3 -c "import app"', again.more)).how).toBe('green')
})
