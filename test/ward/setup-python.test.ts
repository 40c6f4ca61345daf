import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkout, fingerprint, write } from './checkout.ts'

const BACKEND = readFileSync(new URL('../fixtures/ward/build_backend.py', import.meta.url), 'utf8')
const manifest = (name: string, scripts = '') => `[build-system]
requires = []
build-backend = "build_backend"
backend-path = ["."]
[project]
name = "${name}"
version = "1.0"
${scripts && `[project.scripts]\n${scripts}\n`}`

/** A project with its own environment, installed as editable, and a dependency in it. Nothing is fetched. */
function pythonProject(layout: 'src' | 'flat' = 'src') {
  const code = layout === 'src' ? 'src/greeter' : 'greeter'
  const made = checkout({
    '.gitignore': '.venv/\n*.egg-info/\n__pycache__/\n',
    'build_backend.py': BACKEND,
    'pyproject.toml': manifest('greeter', 'greet = "greeter:main"'),
    [`${code}/__init__.py`]: "WORD = 'old'\ndef main():\n    print('greets', WORD, __file__)\n",
    'tests/test_greeter.py': `import sys, unittest, greeter, shouter
class Greets(unittest.TestCase):
    def test_word(self):
        print(greeter.WORD, greeter.__file__, shouter.__file__, sys.prefix)
        self.assertEqual(greeter.WORD, 'new')
`,
    Makefile: 'test:\n\t.venv/bin/python -m unittest discover -s tests\n',
  })
  write(made.root, {
    'shouter/build_backend.py': BACKEND,
    'shouter/pyproject.toml': manifest('shouter', 'shout = "shouter:main"'),
    'shouter/shouter.py': "def main():\n    import greeter\n    print('shouts', greeter.WORD)\n",
  })
  const run = (program: string, ...words: string[]) =>
    execFileSync(program, words, { cwd: made.from, env: made.environment, stdio: 'pipe' })
  run('python3', '-m', 'venv', '--without-pip', '--system-site-packages', '.venv')
  const pip = ['-m', 'pip', 'install', '-q', '--no-index', '--no-deps', '--no-build-isolation']
  run('.venv/bin/python', ...pip, join(made.root, 'shouter'))
  run('.venv/bin/python', ...pip, '-e', '.')
  return { ...made, code }
}

const TESTS = 'python3 -m unittest discover -s tests'

test.each(['src', 'flat'] as const)(
  'the first ward of a Python project (%s) with an editable install runs the worktree’s own code, and not one byte of the checkout changes [setup-python] [setup-checkout-untouched]',
  async layout => {
    const { root, from, to, worktree, prepare, ward, code } = pythonProject(layout)
    worktree()
    const path = join(to, code, '__init__.py')
    writeFileSync(path, readFileSync(path, 'utf8').replace('old', 'new'))
    const before = fingerprint(from)
    const prepared = await prepare()
    expect(prepared).toMatchObject({ reused: false, notes: [], problem: null })
    const { how, output } = await ward(TESTS, prepared.more)
    expect(output).toContain(`new ${path} ${from}/.venv/lib/`)
    expect(output).toContain(` ${join(root, 'state/venv')}\n`)
    expect(how).toBe('green')
    // Also by the names that people use for it: the programs of the project and of its packages, and the path in a Makefile.
    expect((await ward('greet', prepared.more)).output).toBe(`greets new ${path}\n`)
    expect((await ward('shout', prepared.more)).output).toBe('shouts new\n')
    expect(await ward('make test', prepared.more)).toMatchObject({ how: 'green' })
    expect(fingerprint(from)).toEqual(before)
    expect(await prepare()).toMatchObject({ reused: true, more: prepared.more })
  },
)

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
