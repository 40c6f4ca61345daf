import { expect, test } from 'vitest'
import { filesStarted } from '../../src/core/ward/files-started.ts'
import { tamperedSince } from '../../src/core/ward/tampering.ts'

/** Does the work that changes this file change what the checks are? */
function isDefinition(path: string, command: string): boolean {
  const changed = [{ path, before: null, after: 'made by the work' }]
  return tamperedSince({ changed, commands: [command], texts: {}, project: '' }).length > 0
}

test.each([
  'test -s notes.txt',
  'test ! -e old && test -f ./notes.txt',
  '[ -f notes.txt ]',
  '[ "$(cat notes.txt)" = done ]',
  '[[ -s notes.txt && -r notes.txt ]]',
  'grep -q x notes.txt',
  'grep -qE "a|notes.txt (b)" notes.txt',
  '! grep -q TODO ./notes.txt',
  'diff -u expected.txt notes.txt',
  'diff <(sort notes.txt) expected.txt',
  'cmp -s notes.txt b',
  'ls -l notes.txt',
  'cat notes.txt | wc -l',
  'test "$(wc -l < notes.txt)" -gt 3',
  'stat -c %s notes.txt',
  'sed -n 1p notes.txt',
  "awk '{ print $1 }' notes.txt",
  'jq -e .a notes.txt',
  'env A=1 test -s notes.txt',
  'env -i grep -q x notes.txt',
  'A=1 test -s notes.txt',
  'time test -s notes.txt',
  'command grep -q x notes.txt',
  'timeout 5 test -s notes.txt',
  'timeout -k 5 30 grep -q x notes.txt',
  'if [ -s notes.txt ]; then true; else exit 1; fi',
  'for f in notes.txt; do test -s "$f"; done',
  "bash -c 'test -s notes.txt && grep -q x notes.txt'",
  'find . -name notes.txt -exec grep -q x notes.txt ;',
  'npx prettier --check notes.txt',
  'eslint --fix ./notes.txt',
  'bash check.sh notes.txt',
  'bash -x check.sh notes.txt',
  'node t.mjs ./notes.txt < notes.txt > notes.txt',
  'python3 -m pytest notes.txt',
  'cp notes.txt /tmp/x; rm -f notes.txt',
])('the file that `%s` only looks at is no part of the checks [ward-only-looked-at]', command => {
  expect(isDefinition('notes.txt', command)).toBe(false)
})

test.each([
  ['bash check.sh', 'check.sh'],
  ['sh -eu check.sh --all', 'check.sh'],
  ['bash -o pipefail check.sh', 'check.sh'],
  ['. ./check.sh', 'check.sh'],
  ['node t.mjs', 't.mjs'],
  ['node --import ./hook.mjs --test-reporter tap t.mjs', 'hook.mjs'],
  ['node --import ./hook.mjs --test-reporter tap t.mjs', 't.mjs'],
  ['node --require=./hook.cjs t.mjs', 'hook.cjs'],
  ['node --test a.mjs b.mjs', 'b.mjs'],
  ['./run-tests', 'run-tests'],
  ['python3 tools/check.py data.txt', 'tools/check.py'],
  ['python -m checks.run', 'checks/run.py'],
  ['! ./check.sh', 'check.sh'],
  ['env A=1 ./check.sh', 'check.sh'],
  ['env -i PATH=/bin bash check.sh', 'check.sh'],
  ['A=1 B="2 3" node t.mjs', 't.mjs'],
  ['time bash check.sh', 'check.sh'],
  ['command ./check.sh', 'check.sh'],
  ['timeout -k 5 30 bash check.sh', 'check.sh'],
  ['timeout 30 ./check.sh', 'check.sh'],
  ['xvfb-run ./run-tests', 'run-tests'],
  ['npx tsx t.mts', 't.mts'],
  ['c8 --reporter text node t.mjs', 't.mjs'],
  ['pnpm tsx t.mts', 't.mts'],
  ['uv run check.py', 'check.py'],
  ['bun run t.ts', 't.ts'],
  ['test -s a && bash check.sh', 'check.sh'],
  ['test "$(node count.mjs)" = 3', 'count.mjs'],
  ['[ "`sh count.sh`" = 3 ]', 'count.sh'],
  ["bash -c 'cd x; node t.mjs'", 't.mjs'],
  ['cd sub && ./check.sh', 'sub/check.sh'],
  ['cd .. && ./check.sh', 'check.sh'],
  ['if ./check.sh; then exit 0; fi', 'check.sh'],
  ['cat check.sh | bash', 'check.sh'],
  ['sh < check.sh', 'check.sh'],
  ['find . -name "*.x" -exec sh check.sh {} +', 'check.sh'],
  ['ls | xargs -n 1 bash check.sh', 'check.sh'],
  ['jest --config conf/mine.json', 'conf/mine.json'],
  ['mocha -r ./hook.js', 'hook.js'],
  ['awk -f check.awk notes.txt', 'check.awk'],
  ['concurrently "node a.mjs" "eslint ."', 'a.mjs'],
  ['$NODE t.mjs', 't.mjs'],
  ['@$(PYTHON) check.py', 'check.py'],
  ['"./my check.sh"', 'my check.sh'],
])('`%s` starts %s [ward-tampered]', (command, path) => {
  expect(isDefinition(path, command)).toBe(true)
})

test('in a line that nobody wrote by hand every file counts, and none is looked through for long [ward-tampered]', () => {
  expect(filesStarted([`${'echo x; '.repeat(20_000)} test -s notes.txt`]).has('notes.txt')).toBe(true)
  expect(filesStarted([`${'env '.repeat(900)}./check.sh`]).size).toBeLessThan(10)
})
