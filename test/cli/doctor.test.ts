import { chmodSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Finding } from '../../src/contract/doctor.ts'
import { tempHome } from '../support/temp-home.ts'

test('doctor says of everything how it stands, and ends with 0 when nothing is bad [doctor-well]', async () => {
  await using home = await tempHome()
  const { code, out } = await home.rehoboam(['doctor', '--json'])
  const findings = Finding.array().parse(JSON.parse(out))
  expect(code).toBe(0)
  const looked = ['daemon', 'port', 'socket', 'node', 'client', 'git', 'tmux', 'state', 'disk', 'clock', 'machine']
  expect(findings.map(({ what }) => what)).toEqual(expect.arrayContaining(looked))
})

test('what is bad is said with how to mend it, and doctor ends with 1 [doctor-mend]', async () => {
  await using home = await tempHome()
  const missing = await home.rehoboam(['doctor'], { REHOBOAM_CLAUDE: '/nowhere/claude' })
  expect(missing.code).toBe(1)
  expect(missing.out).toMatch(/BAD {3}client .*\n.*npm install -g @anthropic-ai\/claude-code/)
  chmodSync(home.home, 0o755)
  expect((await home.rehoboam(['doctor'])).out).toMatch(/warn {2}state .*\n.*chmod 700/)
  expect((await home.rehoboam(['doctor'], { CLAUDECODE: '1' })).out).toContain('unset CLAUDECODE')
})
