import { expect, test } from 'vitest'
import type { ChangedFile } from '../../src/contract/ward.ts'
import { tamperedSince } from '../../src/core/ward/tampering.ts'

type Change = [path: string, before: string | null, after: string | null]

const NPM = ['npm run lint', 'npm run test']

function found(changes: Change[], commands = NPM, texts: Record<string, string> = {}, project = '') {
  const changed: ChangedFile[] = changes.map(([path, before, after]) => ({ path, before, after }))
  return tamperedSince({ changed, commands, texts, project })
}
const kinds = (...given: Parameters<typeof found>) => found(...given).map(({ what, path }) => `${what} ${path}`)
const pkg = (scripts: Record<string, string>, more = {}) => JSON.stringify({ name: 'a', scripts, ...more })

test.each<[string, Change[], string[]?]>([
  ['the test script is another', [['package.json', pkg({ test: 'vitest run' }), pkg({ test: 'true' })]]],
  ['the test script is gone', [['package.json', pkg({ test: 'vitest run' }), pkg({})]]],
  ['package.json is gone', [['package.json', pkg({ test: 'x' }), null]]],
  ['a script before it is new', [['package.json', pkg({ test: 'x' }), pkg({ test: 'x', pretest: 'rm -r test' })]]],
  [
    'a script that it runs is another',
    [
      [
        'package.json',
        pkg({ test: 'npm run unit -- --all', unit: 'vitest' }),
        pkg({ test: 'npm run unit -- --all', unit: 'x' }),
      ],
    ],
  ],
  [
    'one of several that it runs is another',
    [['package.json', pkg({ test: 'run-s a b:c', 'b:c': 'x' }), pkg({ test: 'run-s a b:c', 'b:c': 'y' })]],
  ],
  [
    'a script that nothing visible leads to is another',
    [['package.json', pkg({ test: 'x' }), pkg({ test: 'y' })]],
    ['./ci.sh'],
  ],
  ['jest is configured in package.json', [['package.json', pkg({}), pkg({}, { jest: { testMatch: [] } })]]],
  ['a workspace is gone', [['package.json', pkg({}, { workspaces: ['a', 'b'] }), pkg({}, { workspaces: ['a'] })]]],
  ['the script was made by the agent', [['package.json', null, pkg({ test: 'true' })]]],
  ['vitest is configured in another way', [['vitest.config.ts', 'export default {}', 'export default { test: {} }']]],
  ['vite’s file has tests in it', [['vite.config.ts', 'test: { include: [] }', 'test: { include: ["x"] }']]],
  ['a configuration is new', [['packages/a/jest.config.js', null, 'module.exports = {}']]],
  ['a configuration is gone', [['biome.json', '{}', null]]],
  ['tsconfig', [['tsconfig.json', '{"strict":true}', '{"strict":false}']]],
  ['eslint', [['eslint.config.mjs', 'a', 'b']]],
  ['what eslint ignores', [['.eslintignore', null, 'src']]],
  ['pytest.ini', [['pytest.ini', '[pytest]', '[pytest]\naddopts = --ignore=tests']]],
  [
    'pytest in pyproject.toml',
    [['pyproject.toml', '[project]\nname="a"\n', '[project]\nname="a"\n[tool.pytest.ini_options]\naddopts="-k x"\n']],
  ],
  ['ruff in pyproject.toml', [['pyproject.toml', '[tool.ruff.lint]\nselect=["E"]', '[tool.ruff.lint]\nselect=[]']]],
  ['setup.cfg', [['setup.cfg', '[tool:pytest]\na=1', '[tool:pytest]\na=2']]],
  ['tox.ini', [['tox.ini', '[testenv]\ncommands=pytest', '[testenv]\ncommands=true']]],
  ['Cargo.toml', [['Cargo.toml', '[[test]]\nname="a"', '[[test]]\nname="a"\ntest=false']], ['cargo test']],
  ['what npm runs scripts with', [['.npmrc', null, 'script-shell=/bin/true']]],
  ['the recipe', [['Makefile', 'test:\n\tpytest\n', 'test:\n\ttrue\n']], ['make test']],
  ['a rule that it needs', [['Makefile', 'test: unit\nunit:\n\ta\n', 'test: unit\nunit:\n\tb\n']], ['make test']],
  ['a variable in it', [['Makefile', 'T=a\ntest:\n\t$(T)\n', 'T=b\ntest:\n\t$(T)\n']], ['make test']],
  ['make’s shell', [['Makefile', 'test:\n\ta\n', 'SHELL=/bin/true\ntest:\n\ta\n']], ['make test']],
  ['a program that a command starts', [['scripts/check.sh', 'a', 'b']], ['sh scripts/check.sh --all']],
  ['a program by its path', [['ci.sh', 'a', 'b']], ['cd .. && ./ci.sh']],
  ['a test runner in the tree', [['node_modules/vitest/index.js', 'a', 'b']]],
])('the ward’s definition has changed when %s [ward-tampered]', (_, changes, commands) => {
  expect(kinds(changes, commands)).toEqual([`definition ${changes[0]![0]}`])
})

test('what an unchanged script or recipe starts belongs to the definition [ward-tampered]', () => {
  const change: Change[] = [['app/scripts/test.mjs', 'a', 'b']]
  expect(
    kinds(change, ['npm run test'], { 'package.json': pkg({ test: 'node scripts/test.mjs' }) }, 'app'),
  ).toHaveLength(1)
  expect(kinds(change, ['make test'], { Makefile: 'test:\n\t@node scripts/test.mjs\n' }, 'app')).toHaveLength(1)
  expect(kinds(change, ['npm run test'], { 'package.json': pkg({ test: 'vitest' }) }, 'app')).toEqual([])
})

const js = (...names: string[]) => names.map(name => `test('${name}', () => { expect(1).toBe(1) })\n`).join('')

test.each<[string, Change[]]>([
  ['a file is gone', [['src/a.test.ts', js('x'), null]]],
  ['a file in a folder of tests is gone', [['tests/deep/a.js', js('x'), null]]],
  ['a file whose tests we cannot count is gone', [['a.test.ts', 'runAll()', null]]],
  ['one of two is gone', [['a.test.ts', js('x', 'y'), js('x')]]],
  ['one is commented out', [['a.test.ts', js('x', 'y'), js('x') + js('y').replace(/^/gm, '// ')]]],
  ['one is inside a comment', [['a.test.ts', js('x', 'y'), `${js('x')}; /* ${js('y')} */`]]],
  ['one is inside a string', [['a.test.ts', js('x', 'y'), `${js('x')}; \`${js('y')}\``]]],
  ['an it is gone', [['a.spec.js', "it('a', f); it.each([1])('b %s', f)", "it('a', f)"]]],
  [
    'a file moved and lost one',
    [
      ['a.test.ts', js('x', 'y', 'z'), null],
      ['b.test.ts', null, js('x', 'y')],
    ],
  ],
  [
    'others took their place elsewhere',
    [
      ['a.test.ts', js('x', 'y'), null],
      ['b.test.ts', null, js('p', 'q', 'r')],
    ],
  ],
  [
    'Python’s is gone',
    [['tests/test_a.py', 'def test_a():\n  pass\nasync def test_b():\n  pass\n', 'def test_a():\n  pass\n']],
  ],
  ['Python’s is no test by its name any more', [['test_a.py', 'def test_a(): pass', 'def xtest_a(): pass']]],
  [
    'Rust’s beside the code is gone',
    [['src/lib.rs', '#[test]\nfn a() {}\n#[tokio::test]\nasync fn b() {}', '#[test]\nfn a() {}']],
  ],
  [
    'Go’s is gone',
    [['a_test.go', 'func TestA(t *testing.T) {}\nfunc TestB(t *testing.T) {}', 'func TestA(t *testing.T) {}']],
  ],
  ['Java’s is gone', [['ATest.java', '@Test void a() {} @Test void b() {}', '@Test void a() {}']]],
])('tests were deleted when %s [ward-tampered]', (_, changes) => {
  expect(found(changes).map(({ what }) => what)).toEqual(['deleted'])
})

test.each<[string, Change[]]>([
  ['test.skip', [['a.test.ts', js('x'), js('x').replace('test(', 'test.skip(')]]],
  ['it.only', [['a.test.ts', "it('a', f)\nit('b', f)", "it.only('a', f)\nit('b', f)"]]],
  ['describe.skip', [['a.test.ts', `describe('a', () => {${js('x')}})`, `describe.skip('a', () => {${js('x')}})`]]],
  ['xit', [['a.spec.js', "it('a', f)", "xit('a', f)"]]],
  ['xdescribe', [['a.spec.js', "describe('a', f); it('b', f)", "xdescribe('a', f); it('b', f)"]]],
  ['test.todo', [['a.test.ts', js('x', 'y'), `${js('x')}test.todo('y')`]]],
  ['test.fails', [['a.test.ts', js('x'), js('x').replace('test(', 'test.fails(')]]],
  ['another name for skip', [['a.test.ts', js('x'), `const maybe = test.skip\n${js('x')}`]]],
  ['node’s option', [['a.test.ts', js('x'), js('x').replace(', () =>', ', { skip: true }, () =>')]]],
  ['a call inside', [['a.test.ts', js('x'), js('x').replace('expect', 'ctx.skip(); expect')]]],
  ['an only in a new file', [['b.test.ts', null, "test.only('a', f)"]]],
  ['pytest.mark.skip', [['test_a.py', 'def test_a(): pass', '@pytest.mark.skip\ndef test_a(): pass']]],
  ['xfail', [['test_a.py', 'def test_a(): pass', '@pytest.mark.xfail(reason="x")\ndef test_a(): pass']]],
  ['skipTest', [['test_a.py', 'def test_a(): pass', 'def test_a(): self.skipTest("x")']]],
  ['a new conftest.py that picks', [['conftest.py', null, 'def pytest_collection_modifyitems(items): items.clear()']]],
  ['#[ignore]', [['src/a.rs', '#[test]\nfn a() {}', '#[test]\n#[ignore]\nfn a() {}']]],
  ['t.Skip', [['a_test.go', 'func TestA(t *testing.T) {}', 'func TestA(t *testing.T) { t.Skip("x") }']]],
  ['@Disabled', [['ATest.java', '@Test void a() {}', '@Disabled @Test void a() {}']]],
])('tests are not run any more by %s [ward-tampered]', (_, changes) => {
  expect(found(changes).map(({ what }) => what)).toContain('skipped')
})

test.each<[string, Change[], string[]?]>([
  ['new tests in a file', [['a.test.ts', js('x'), js('x', 'y')]]],
  [
    'a new file of tests',
    [
      ['b.test.ts', null, js('x')],
      ['tests/test_b.py', null, 'def test_b(): pass'],
    ],
  ],
  ['a test with another body', [['a.test.ts', js('x'), js('x').replace('toBe(1)', 'toBe(2)')]]],
  ['a test with another name', [['a.test.ts', js('x'), js('z')]]],
  [
    'a file with another name',
    [
      ['a.test.ts', js('x', 'y'), null],
      ['b.test.ts', null, js('x', 'y')],
    ],
  ],
  [
    'a file with another name and more tests',
    [
      ['a.test.ts', js('x', 'y'), null],
      ['c/b.test.ts', null, js('x', 'q', 'r')],
    ],
  ],
  [
    'a file in another folder',
    [
      ['a/setup.test.ts', 'go()', null],
      ['b/setup.test.ts', null, 'go()'],
    ],
  ],
  [
    'tests that moved to a file that was there',
    [
      ['a.test.ts', js('x', 'y'), js('x')],
      ['b.test.ts', js('p'), js('p', 'y')],
    ],
  ],
  [
    'a file that was split',
    [
      ['a.test.ts', js('x', 'y'), null],
      ['b.test.ts', null, js('x')],
      ['c.test.ts', null, js('y')],
    ],
  ],
  ['a skip that is gone', [['a.test.ts', js('x').replace('test(', 'test.skip('), js('x')]]],
  ['a skip that stays', [['a.test.ts', `test.skip('a', f)\n${js('x')}`, `test.skip('a', f)\n${js('x', 'y')}`]]],
  [
    'words about skipping',
    [['a.test.ts', js('x'), `// it.skip( would be wrong\n${js('x')}const s = "it.skip('a')"\n`]],
  ],
  ['data that skips', [['a.test.ts', js('x'), js('x').replace('expect(1)', 'expect(list({ skip: 10, only: [1] }))')]]],
  ['patterns with quotes', [['a.test.ts', js('x'), `const q = /['"\`]/\n${js('x', 'y')}`]]],
  ['a helper that is gone', [['tests/support/make.ts', 'export const make = 1', null]]],
  ['a fixture that is gone', [['tests/fixtures/a.test.ts', js('x'), null]]],
  ['a snapshot', [['__snapshots__/a.test.ts.snap', 'a', 'b']]],
  [
    'other dependencies',
    [['package.json', pkg({ test: 'x' }, { dependencies: {} }), pkg({ test: 'x' }, { dependencies: { a: '1' } })]],
  ],
  ['a lock file', [['package-lock.json', '{}', '{"a":1}']]],
  ['a new script that no check uses', [['package.json', pkg({ test: 'x' }), pkg({ test: 'x', dev: 'y' })]]],
  ['a new workspace', [['package.json', pkg({}, { workspaces: ['a'] }), pkg({}, { workspaces: ['a', 'b'] })]]],
  [
    'a new package with its own checks',
    [
      ['packages/b/package.json', null, pkg({ test: 'x' })],
      ['packages/b/tsconfig.json', null, '{}'],
      ['packages/b/a.test.ts', null, js('x')],
    ],
  ],
  [
    'a dependency of a Python project',
    [['pyproject.toml', '[project]\ndependencies=[]', '[project]\ndependencies=["a"]']],
  ],
  ['a crate', [['Cargo.toml', '[dependencies]\n', '[dependencies]\nserde = "1"\n']], ['cargo test']],
  ['a module', [['go.mod', 'module a', 'module a\nrequire b v1']], ['go test ./...']],
  [
    'another rule',
    [['Makefile', '.PHONY: test\ntest:\n\ta\n', '.PHONY: test run\nX=1\ntest:\n\ta\nrun:\n\techo $(X)\n']],
    ['make test'],
  ],
  ['a Makefile that no check uses', [['Makefile', 'a:\n\tb\n', 'a:\n\tc\n']]],
  ['a configuration in other lines', [['tsconfig.json', '{"a":1}', '{"a":1}\n']]],
  ['vite’s file without tests', [['vite.config.ts', 'a', 'b']]],
  [
    'code',
    [
      ['src/index.ts', 'a', 'b'],
      ['src/testing.ts', 'a', null],
      ['src/latest.ts', 'a', null],
    ],
  ],
  ['the file that a linter is told to look at', [['src/main.ts', 'a', 'b']], ['eslint src/main.ts']],
])('%s is no tampering [ward-tampered-not]', (_, changes, commands) => {
  expect(found(changes, commands)).toEqual([])
})

test('what is found is said in a line that can be printed, and bounded [ward-tampered]', () => {
  const path = 'te\u001b[31mst/\na.test.ts'
  const [one] = found([[path, js('x'), null]])
  expect(one).toMatchObject({ what: 'deleted', path })
  expect(one!.sentence).toBe('te\\u{1b}[31mst/\\u{a}a.test.ts: this file is gone, and with it one test')
  const script = found([['package.json', pkg({ test: 'a' }), pkg({ test: `\u001b]0;x\u0007${'y'.repeat(10_000)}` })]])
  expect(script[0]!.sentence).toMatch(/^package\.json: script "test" was "a", is "\\u\{1b\}\]0;x\\u\{7\}y{10,200}…"$/)
  const many = Array.from({ length: 1000 }, (_, n): Change => [`t${n}.test.ts`, js(`x${n}`), null])
  expect(found(many)).toHaveLength(200)
})

test.each([
  ['a chain of names', '.t'.repeat(200_000)],
  ['attributes without a function', '#[test]\n'.repeat(60_000)],
  ['quotes', `'"\``.repeat(150_000)],
  ['brackets after commas', ',/['.repeat(100_000)],
  ['tests without a name', 'test('.repeat(100_000)],
  ['blanks', `[${' '.repeat(400_000)}`],
])('a file made of %s is looked through [ward-tampered]', (_, text) => {
  for (const path of ['a.test.ts', 'tests/lib.rs', 'test_a.py', 'a_test.go', 'setup.cfg', 'Makefile', 'ATest.java']) {
    expect(() => found([[path, text, `${text}x`]], ['make test'])).not.toThrow()
  }
})
