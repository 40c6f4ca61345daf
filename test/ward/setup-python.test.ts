import { execFileSync } from 'node:child_process'
import { existsSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkout, fingerprint, write } from './checkout.ts'
import { manifest, playFirstWard } from './python-project.ts'

test('the first ward of a Python project (src) with an editable install runs the worktree’s own code, and not one byte of the checkout changes [setup-python] [setup-checkout-untouched]', () =>
  playFirstWard('src'))

test('without pip the worktree’s own code is found all the same, and that is said [setup-python]', async () => {
  const { from, to, worktree, prepare, ward } = checkout({
    'pyproject.toml': manifest('greeter'),
    'src/greeter.py': "WORD = 'old'\n",
    'check.py': 'import greeter; print(greeter.WORD, greeter.__file__)\n',
  })
  // An environment without pip, in which somebody named the checkout by hand.
  execFileSync('python3', ['-m', 'venv', '--without-pip', '.venv'], { cwd: from })
  const site = execFileSync('.venv/bin/python', ['-c', 'import site; print(site.getsitepackages()[0])'], { cwd: from })
  writeFileSync(join(`${site}`.trim(), 'greeter.pth'), `${from}/src\n`)
  worktree()
  write(to, { 'src/greeter.py': "WORD = 'new'\n" })
  const before = fingerprint(from)
  const prepared = await prepare()
  expect(prepared.notes).toEqual([expect.stringContaining('pip could not install')])
  expect((await ward('python3 check.py', prepared.more)).output).toBe(`new ${to}/src/greeter.py\n`)
  expect(fingerprint(from)).toEqual(before)
})

test('a project that has no Python gets none, and a Python project without an interpreter says so [setup-python]', async () => {
  const { root, to, worktree, prepare } = checkout({ 'README.md': '' })
  worktree()
  expect((await prepare()).more.VIRTUAL_ENV).toBeUndefined()
  expect(existsSync(join(root, 'state/venv'))).toBe(false)
  write(to, { 'setup.py': '' })
  const prepared = await prepare({ environment: { PATH: '/nowhere' } })
  expect(prepared).toMatchObject({ problem: null, notes: ['no Python was found for this project'] })
})

test('an environment that a tree brings as a link is replaced by the worktree’s own [setup-hostile-tree]', async () => {
  const { root, from, to, worktree, prepare } = checkout({ 'setup.cfg': '' })
  execFileSync('python3', ['-m', 'venv', '--without-pip', '.venv'], { cwd: from })
  worktree()
  symlinkSync(join(from, '.venv'), join(to, '.venv'))
  await prepare()
  expect(realpathSync(join(to, '.venv'))).toBe(realpathSync(join(root, 'state/venv')))
  rmSync(join(to, '.venv'))
  expect(existsSync(join(from, '.venv/pyvenv.cfg'))).toBe(true)
})
