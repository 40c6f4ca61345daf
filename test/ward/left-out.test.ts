import { expect, test } from 'vitest'
import { tamperedSince } from '../../src/core/ward/tampering.ts'

type Case = [what: string, path: string, before: string | null, after: string | null, command?: string]

function kinds([, path, before, after, command = 'npm run test']: Case): string[] {
  const found = tamperedSince({ changed: [{ path, before, after }], commands: [command], texts: {}, project: '' })
  return found.map(({ what }) => what)
}

const JS = "test('x', () => { expect(1).toBe(1) })\n"
const PY = 'def test_a():\n    assert f()\n'
const GO = 'package a\nfunc TestA(t *testing.T) { f() }\n'
const RS = '#[test]\nfn a() {}\n'
const MAIN = 'func TestMain(m *testing.M)'
const FIXTURE = 'import pytest\n@pytest.fixture\ndef db():\n    return 1\n\n'
const HOOK = '@pytest.hookimpl(\n  tryfirst=True\n)\ndef pytest_itemcollected(item):\n'

test.each<Case>([
  [
    'test.skip under the name test',
    'a.test.ts',
    JS,
    `import { test as t2 } from 'vitest'\nconst test = t2.skip\n${JS}`,
  ],
  ['xit under the name it', 'a.test.ts', "it('a', f)", "import { xit as it } from '@jest/globals'\nit('a', f)"],
  ['skip taken out of test', 'a.test.ts', JS, `const { skip } = test\nskip('x', f)`],
  ['an option that is computed', 'a.test.ts', JS, JS.replace(', () =>', ', { skip: isSlow }, () =>')],
  ['the context’s skip', 'a.test.ts', JS, JS.replace('() => {', '({ skip }) => { skip();')],
  ['pending', 'a.spec.js', "it('a', () => { g() })", "it('a', () => { pending() })"],
  ['a condition that never holds', 'a.test.ts', JS, `if (false) {\n${JS}}`],
  ['not being run in CI', 'a.test.ts', JS, `if (!process.env.CI) {\n${JS}}`],
  ['an end before it', 'a.test.ts', JS, `process.exit(0)\n${JS}`],
  ['pytest’s skip by its bare name', 'test_a.py', PY, `from pytest import fixture, skip\n${PY}    skip("x")\n`],
  ['an exit in Python', 'test_a.py', PY, `import sys\nsys.exit(0)\n${PY}`],
  ['a build tag of Go', 'a_test.go', GO, `//go:build never\n${GO}`, 'go test ./...'],
  ['an old build tag of Go', 'a_test.go', GO, `// +build ignore\n\n${GO}`, 'go test ./...'],
  ['a TestMain that runs none', 'a_test.go', GO, `${GO}${MAIN} {}\n`, 'go test ./...'],
  ['a new TestMain that runs none', 'main_test.go', null, `package a\n${MAIN} { os.Exit(0) }\n`, 'go test ./...'],
  ['a feature that nobody asks for', 'src/a.rs', RS, `#[cfg(feature = "never")]\n${RS}`, 'cargo test'],
  [
    'a feature around all tests',
    'src/a.rs',
    `#[cfg(test)]\nmod t {\n${RS}}`,
    `#[cfg(all(test, feature = "x"))]\nmod t {\n${RS}}`,
    'cargo test',
  ],
])('tests are not run any more by %s [ward-tampered]', (...given) => {
  expect(kinds(given)).toContain('skipped')
})

test.each<Case>([
  [
    'what conftest.py ignores',
    'conftest.py',
    'collect_ignore = ["a"]',
    'collect_ignore = [\n  "a",\n  "test_b.py",\n]',
  ],
  ['a hook that ends the run', 'conftest.py', null, 'def pytest_cmdline_main(config):\n    return 0\n'],
  [
    'another body of a hook',
    'conftest.py',
    'def pytest_itemcollected(item):\n  a()',
    'def pytest_itemcollected(item):\n  b()',
  ],
  ['a hook below a fixture', 'conftest.py', FIXTURE, `${FIXTURE}def pytest_itemcollected(item):\n  b()\n`],
  ['a hook with a long decorator', 'conftest.py', `${HOOK}  a()\n`, `${HOOK}  b()\n`],
  ['options set in a hook', 'conftest.py', null, 'def pytest_configure(config):\n  config.option.keyword = "x"\n'],
  ['plugins', 'conftest.py', 'x = 1', 'x = 1\npytest_plugins = ["no_tests"]'],
  ['pytest.toml', 'pytest.toml', null, '[pytest]\naddopts = "-k x"'],
  [
    'autotests of cargo',
    'Cargo.toml',
    '[package]\nname = "a"',
    '[package]\nname = "a"\nautotests = false',
    'cargo test',
  ],
  ['a justfile', 'justfile', 'test:\n  a', 'test:\n  b', 'just test'],
  ['turbo.json', 'turbo.json', '{}', '{"tasks":{}}', 'npx turbo run test'],
  ['deno’s tasks', 'deno.json', '{"tasks":{"test":"deno test"}}', '{"tasks":{"test":"true"}}', 'deno task test'],
  ['maven’s switch', 'pom.xml', '<a/>', '<a/>\n<skipTests>true</skipTests>', './mvnw test'],
  ['gradle’s filter', 'build.gradle', 'a', 'a\ntest { exclude "**/A*" }', './gradlew test'],
])('the ward’s definition has changed with %s [ward-tampered]', (...given) => {
  expect(kinds(given)).toEqual(['definition'])
})

test.each<Case>([
  [
    'a fixture in conftest.py',
    'conftest.py',
    'import pytest',
    'import pytest\n@pytest.fixture\ndef db():\n    return 1\n',
  ],
  ['a fixture below a hook', 'conftest.py', `${HOOK}  a()\n`, `${HOOK}  a()\n\n${FIXTURE}`],
  [
    'a marker that is registered',
    'conftest.py',
    null,
    'def pytest_configure(config):\n  config.addinivalue_line("markers", "slow")\n',
  ],
  ['a TestMain that runs them', 'main_test.go', null, `package a\n${MAIN} { os.Exit(m.Run()) }\n`, 'go test ./...'],
  ['code behind a feature', 'src/a.rs', RS, `#[cfg(feature = "x")]\nfn b() {}\n${RS}`, 'cargo test'],
  ['an operator of that name', 'a.test.ts', JS, JS.replace('expect(1)', 'expect(all.pipe(skip(1)))')],
  ['a page of data', 'a.test.ts', JS, JS.replace('expect(1)', 'expect(page({ skip: offset, take: 5 }))')],
  ['a dependency of maven', 'pom.xml', '<a/>', '<a/>\n<dependency>x</dependency>', 'mvn test'],
  ['imports of deno', 'deno.json', '{"imports":{}}', '{"imports":{"a":"b"}}', 'deno task test'],
  ['a justfile that no check uses', 'justfile', 'a', 'b'],
])('%s is no tampering [ward-tampered-not]', (...given) => {
  expect(kinds(given)).toEqual([])
})
