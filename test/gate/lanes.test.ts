import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanEnvironment } from '../../scripts/lanes/environment.ts'
import { missingOn, type Need, needs, remedy } from '../../scripts/lanes/needs.ts'
import { countsLine, nothingRan, type Report, whyRed } from '../../scripts/lanes/report.ts'

const report = (more: Partial<Report> = {}): Report => ({ ...nothingRan, passed: 3, ...more })

test('the counts line has one form, and names skipped tests only when there are some [test-counts]', () => {
  expect(countsLine(report())).toBe('3 passed, 0 failed')
  expect(countsLine(report({ failed: 2, skipped: 1 }))).toBe('3 passed, 2 failed, 1 skipped')
})

test.each<[string, Report, number, string | undefined]>([
  ['all passed', report(), 0, undefined],
  ['one failed, whatever the runner says', report({ failed: 1 }), 0, '1 failed'],
  ['one was skipped', report({ skipped: 1 }), 0, '1 skipped'],
  ['promises and tests differ', report({ complaints: 1 }), 0, 'do not agree'],
  ['none ran', report({ passed: 0 }), 0, 'no test ran'],
  ['the runner says so', report(), 7, 'ended with 7'],
])('tests are judged when %s [test-counts]', (_, counts, exitCode, why) => {
  expect(whyRed(counts, exitCode) ?? 'green').toContain(why ?? 'green')
})

const tmux: Need = { programs: ['tmux'], apt: 'tmux', brew: 'tmux', lane: 'panes' }
const browser: Need = { programs: ['chromium', 'chrome'], apt: 'chromium', brew: 'chromium', lane: 'the web' }

test.each([
  [[], { root: true, apt: true, platform: 'linux' }, { do: 'nothing' }],
  [[tmux, browser], { root: true, apt: true, platform: 'linux' }, { do: 'install', packages: ['tmux', 'chromium'] }],
  [
    [tmux],
    { root: false, apt: true, platform: 'linux' },
    { do: 'tell', sentence: expect.stringContaining('Type: sudo apt-get install tmux') },
  ],
  [
    [tmux],
    { root: true, apt: false, platform: 'linux' },
    { do: 'tell', sentence: expect.stringContaining('tmux (for panes)') },
  ],
  [
    [browser],
    { root: false, apt: false, platform: 'darwin' },
    { do: 'tell', sentence: expect.stringContaining('brew install chromium') },
  ],
])('of %j on %j the remedy is %j [test-needs]', (missing, machine, expected) => {
  expect(remedy(missing, machine)).toEqual(expected)
})

test('a need is met by any one of its programs on the PATH, if that can be started [test-needs]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rehoboam-needs-'))
  const path = ['', join(folder, 'none'), folder].join(delimiter)
  writeFileSync(join(folder, 'chrome'), '', { mode: 0o755 })
  writeFileSync(join(folder, 'tmux'), '', { mode: 0o644 })
  expect(missingOn(path, [tmux, browser])).toEqual([tmux])
  chmodSync(join(folder, 'tmux'), 0o755)
  expect(missingOn(path, [tmux, browser])).toEqual([])
  rmSync(folder, { recursive: true })
})

test('on this machine every lane has its tool [test-needs]', () => {
  expect(missingOn(process.env.PATH ?? '', needs)).toEqual([])
})

test('tests keep the user their PATH, and see nothing of other sessions [test-environment]', () => {
  const kept = { PATH: 'p', HOME: 'h', LANG: 'l', CI: '1', GIT_SSH: 's', npm_config_cache: 'c' }
  const foreign = [
    'CLAUDECODE',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CONFIG_DIR',
    'AI_AGENT',
    'ANTHROPIC_API_KEY',
    'GIT_DIR',
  ]
  const ours = [
    'REHOBOAM_HOME',
    'REHOBOAM_RUN',
    'TMUX',
    'TMUX_PANE',
    'TMUX_TMPDIR',
    'GIT_INDEX_FILE',
    'GIT_AUTHOR_NAME',
  ]
  const unwanted = Object.fromEntries([...foreign, ...ours].map(name => [name, 'x']))
  expect(cleanEnvironment({ ...kept, ...unwanted })).toEqual(kept)
})

test('this very test sees none of it [test-environment]', () => {
  expect(cleanEnvironment(process.env)).toEqual({ ...process.env })
})
