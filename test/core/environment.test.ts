import { describe, expect, test } from 'vitest'
import { splitEnvironment } from '../../src/core/environment.ts'
import fc from '../support/laws.ts'

const plain = { keep: [], required: [] }
const split = (caller: Record<string, string>, config: { keep: string[]; required: string[] } = plain) =>
  splitEnvironment(caller, config)

// As product.md lists them, written out here a second time: a name that falls off the list in the code is noticed.
const ANOTHER_SESSION = [
  ...['CLAUDECODE', 'AI_AGENT', 'CLAUDE_PID', 'CLAUDE_EFFORT', 'CLAUDE_PROJECT_DIR', 'CLAUDE_CODE_SESSION_ID'],
  ...['CLAUDE_CODE_CHILD_SESSION', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_EXECPATH', 'CLAUDE_CODE_MESSAGING_SOCKET'],
  ...['CLAUDE_CODE_MESSAGING_TOKEN', 'CLAUDE_CODE_SESSION_ATTENDED', 'CLAUDE_CODE_TEAM_NAME', 'CLAUDE_CODE_AGENT_ID'],
  ...['CLAUDE_CODE_AGENT_NAME', 'CLAUDE_CODE_AGENT_TYPE', 'CLAUDE_CODE_SSE_PORT'],
  ...['TMUX', 'TMUX_PANE', 'TMUX_TMPDIR', 'REHOBOAM_HOME', 'REHOBOAM_RUN', 'REHOBOAM_CLAUDE', 'REHOBOAM_TOKEN'],
]
const KEPT = [
  ...['PATH', 'HOME', 'LANG', 'TERM', 'SHELL', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR', 'ANTHROPIC_BASE_URL'],
  ...['CLAUDE_CONFIG_DIR', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'],
]
const CREDENTIALS = [
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
  ...['AWS_ACCESS_KEY_ID', 'AWS_SESSION_TOKEN', 'AWS_PROFILE', 'GOOGLE_APPLICATION_CREDENTIALS', 'GOOGLE_API_KEY'],
]

describe('what a session is given', () => {
  test.for(ANOTHER_SESSION)('%s names another session or is ours, and is dropped [core-env-dropped]', name => {
    expect(split({ [name]: 'x', EDITOR: 'vi' })).toEqual({
      full: { EDITOR: 'vi' },
      kept: {},
      credentials: [],
      others: ['EDITOR'],
    })
  })

  test('everything else reaches it as it was, in memory [core-env-dropped]', () => {
    const caller = { EDITOR: 'vi', EMPTY: '', CLAUDE_CODE_MAX_RETRIES: '1', CLAUDECODE_LIKE: 'x', MY_TMUX: 'y' }
    expect(split(caller).full).toEqual(caller)
  })
})

describe('what may be written down', () => {
  test.for(KEPT)('%s is kept with its value [core-env-dropped]', name => {
    expect(split({ [name]: '/some/place' })).toMatchObject({ kept: { [name]: '/some/place' }, others: [] })
  })

  test.for(CREDENTIALS)('of %s only the name is kept, and nobody can ask for more [core-env-credentials]', name => {
    expect(split({ [name]: 'secret' }, { keep: [name], required: [] })).toEqual({
      full: { [name]: 'secret' },
      kept: {},
      credentials: [name],
      others: [],
    })
  })

  test('of what is on no list only the name is kept [core-env-dropped]', () => {
    const { kept, others } = split({ EDITOR: 'vi', DATABASE_PASSWORD: 'hunter2', PATH_TO: '/x' })
    expect({ kept, others }).toEqual({ kept: {}, others: ['EDITOR', 'DATABASE_PASSWORD', 'PATH_TO'] })
  })

  test('the user’s own names are kept, unless they are required: then they are credentials [core-env-dropped]', () => {
    const config = { keep: ['CORP_CA', 'CORP_TOKEN'], required: ['CORP_TOKEN'] }
    expect(split({ CORP_CA: '/ca', CORP_TOKEN: 't' }, config)).toMatchObject({
      kept: { CORP_CA: '/ca' },
      credentials: ['CORP_TOKEN'],
    })
  })

  test.for([
    ['HTTPS_PROXY', 'http://joe:secret@proxy:3128'],
    ['https_proxy', 'http://joe@proxy:3128'],
    ['HTTP_PROXY', 'joe:secret@proxy:3128'],
    ['ALL_PROXY', 'socks5h://joe:se/cret@proxy'],
    ['ANTHROPIC_BASE_URL', 'https://:token@gateway/v1'],
    ['CORP_URL', 'postgres://app:secret@db/app'],
  ] as const)('%s=%s carries a password and is not kept [core-env-credentials]', ([name, value]) => {
    const { full, kept, others } = split({ [name]: value }, { keep: ['CORP_URL'], required: [] })
    expect({ full, kept, others }).toEqual({ full: { [name]: value }, kept: {}, others: [name] })
  })

  test.for([
    ['PATH', '.:/opt/node@24/bin:/usr/bin'],
    ['HOME', '/home/joe:x@corp'],
    ['HTTPS_PROXY', 'http://proxy.corp:3128'],
    ['NO_PROXY', 'localhost,127.0.0.1,.corp'],
  ] as const)('%s=%s carries none and is kept [core-env-credentials]', ([name, value]) => {
    expect(split({ [name]: value }).kept).toEqual({ [name]: value })
  })

  test('whatever the environment, each name is in one place, and no credential’s value is kept [core-env-credentials]', () => {
    const names = fc.constantFrom(...ANOTHER_SESSION, ...KEPT, ...CREDENTIALS, 'A', 'B', '__proto__', 'constructor')
    const config = fc.record({ keep: fc.array(names), required: fc.array(names) })
    fc.assert(
      fc.property(fc.dictionary(names, fc.string()), config, (caller, config) => {
        const { full, kept, credentials, others } = splitEnvironment(caller, config)
        expect([...Object.keys(kept), ...credentials, ...others].sort()).toEqual(Object.keys(full).sort())
        for (const name of [...CREDENTIALS, ...config.required]) expect(Object.keys(kept)).not.toContain(name)
      }),
    )
  })
})
