import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

test('what is bad is said with how to mend it, and doctor ends with 1 [doctor-well]', async () => {
  await using home = await tempHome()
  const missing = await home.rehoboam(['doctor'], { REHOBOAM_CLAUDE: '/nowhere/claude' })
  expect(missing.code).toBe(1)
  expect(missing.out).toMatch(/BAD {3}client .*\n.*npm install -g @anthropic-ai\/claude-code/)
  writeFileSync(join(home.root, 'git'), '#!/bin/sh\necho git version 2.30.2\n', { mode: 0o755 })
  const oldGit = await home.rehoboam(['doctor'], { PATH: `${home.root}:${home.env.PATH}` })
  expect(oldGit.out).toMatch(/warn {2}git .*2\.30\.2 is older than 2\.38/)
  chmodSync(home.home, 0o755)
  expect((await home.rehoboam(['doctor'])).out).toMatch(/warn {2}state .*\n.*chmod 700/)
  expect((await home.rehoboam(['doctor'], { CLAUDECODE: '1' })).out).toContain('unset CLAUDECODE')
})

test('doctor says whether own sessions report, and how to mend hooks whose program is gone [doctor-well]', async () => {
  await using home = await tempHome()
  const doctor = async () => (await home.rehoboam(['doctor'])).out
  expect(await doctor()).toMatch(/warn {2}hooks .*do not report\n.*rehoboam init/)
  await home.rehoboam(['init', '--user'])
  expect(await doctor()).toMatch(/ok {4}hooks .*settings\.json: \d+ hooks, current/)
  const path = join(home.user, '.claude', 'settings.json')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replaceAll('--from init-', '--from init-9'))
  expect(await doctor()).toMatch(/warn {2}hooks .*another version.*\n.*rehoboam init --user/)
  writeFileSync(path, text.replaceAll('rehoboam.cjs', 'gone.cjs'))
  expect(await doctor()).toMatch(/warn {2}hooks .*gone\.cjs is gone\n.*rehoboam init --user/)
})
