import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { checkout, fingerprint, write } from './checkout.ts'

const BACKEND = readFileSync(new URL('../fixtures/ward/build_backend.py', import.meta.url), 'utf8')
export const manifest = (name: string, scripts = '') => `[build-system]
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

/** The first ward of a worktree: it runs the worktree's own code, and the checkout stays as it is. */
export async function playFirstWard(layout: 'src' | 'flat'): Promise<void> {
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
}
