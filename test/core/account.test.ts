import { expect, test } from 'vitest'
import { accountText, limitOver } from '../../src/core/account.ts'
import { splitEnvironment } from '../../src/core/environment.ts'

const DAY_MS = 24 * 3_600_000

function accountOf(environment: Record<string, string>): string {
  const { full, credentials } = splitEnvironment({ HOME: '/h', ...environment }, { keep: [], required: [] })
  return accountText(full, credentials)
}

test.for([
  ['two logins', { CLAUDE_CONFIG_DIR: '/work' }, { CLAUDE_CONFIG_DIR: '/private' }],
  [
    'two logins, beside a region',
    { CLAUDE_CONFIG_DIR: '/work', AWS_REGION: 'eu' },
    { CLAUDE_CONFIG_DIR: '/private', AWS_REGION: 'eu' },
  ],
  ['two keys', { ANTHROPIC_API_KEY: 'a' }, { ANTHROPIC_API_KEY: 'b' }],
  ['two addresses', { ANTHROPIC_BASE_URL: 'http://a' }, { ANTHROPIC_BASE_URL: 'http://b' }],
] as const)('%s are two accounts [account-limit]', ([, one, other]) => {
  expect(accountOf(one)).not.toBe(accountOf(other))
})

test('one key is one account, wherever its client keeps its things [account-limit]', () => {
  const key = { CLAUDE_CODE_OAUTH_TOKEN: 'a' }
  expect(accountOf({ ...key, CLAUDE_CONFIG_DIR: '/work' })).toBe(accountOf({ ...key, CLAUDE_CONFIG_DIR: '/private' }))
})

test('a limit is over soon after its reset, and after 8 days whatever a client says [account-limit]', () => {
  const at = 1_000_000
  expect(limitOver(at + 7 * DAY_MS, 0, at)).toBe(at + 7 * DAY_MS + 5_000)
  expect(limitOver(32_503_680_000_000, 0, at)).toBe(at + 8 * DAY_MS)
})
