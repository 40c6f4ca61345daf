import { describe, expect, test } from 'vitest'
import { decide } from '../../src/core/inbox/rules/decide.ts'
import fc from '../support/laws.ts'
import { asked, bash, PROJECT, ruleOf, rules } from './rules.ts'
import { scripts } from './shell-grammar.ts'

describe('tools by name [rules-tools]', () => {
  test.for([
    ['allow', 'WebSearch', 'WebSearch'],
    ['ask', 'WebSearch', 'WebFetch'],
    ['allow', 'mcp__db__query', 'mcp__db__query'],
    ['allow', 'mcp__db__query', 'mcp__db'],
    ['allow', 'mcp__db__query', 'mcp__db__*'],
    ['ask', 'mcp__db__query', 'mcp__d'],
    ['ask', 'mcp__db__query', 'mcp__db__que'],
    ['ask', 'mcp__db__x__query', 'mcp__db'],
    ['deny', 'mcp__db__x__query', 'deny mcp__db'],
    ['ask', 'NewTool', 'Bash'],
    ['ask', 'WebSearch', 'ask WebSearch'],
  ] as const)('%s: %s under %s', ([effect, tool, text]) => {
    expect(decide(asked(tool, {}), rules(text)).effect).toBe(effect)
  })

  test('no rule answers a question to a person, not even one written by hand', () => {
    const forged = { ...ruleOf('Bash', 'r1'), tool: 'AskUserQuestion' }
    expect(decide(asked('AskUserQuestion', {}), [forged]).effect).toBe('ask')
  })

  test('a command of another tool that runs commands needs a rule of its own, and meets the denials of Bash', () => {
    const monitor = (command: string, ...texts: string[]) =>
      decide(asked('Monitor', { command }), rules(...texts)).effect
    expect(monitor('npm test', 'Bash(npm test *)')).toBe('ask')
    expect(monitor('npm test', 'Monitor(npm test *)')).toBe('allow')
    expect(monitor('npm test; rm x', 'Monitor', 'deny Bash(rm *)')).toBe('deny')
  })

  test('a command that comes with a field that rules do not know is asked', () => {
    const input = { command: 'ls', description: 'List', timeout: 5, run_in_background: true }
    expect(decide(asked('Bash', input), rules('Bash(ls *)')).effect).toBe('allow')
    expect(decide(asked('Bash', { ...input, dangerouslyDisableSandbox: false }), rules('Bash(ls *)')).effect).toBe(
      'allow',
    )
    const loose = decide(asked('Bash', { ...input, dangerouslyDisableSandbox: true }), rules('Bash(ls *)'))
    expect(loose).toMatchObject({ effect: 'ask', why: expect.stringContaining('dangerouslyDisableSandbox') })
  })
})

describe('addresses [rules-fetch]', () => {
  test.for([
    ['allow', 'https://example.com/a?b#c', ['WebFetch(domain:example.com)']],
    ['allow', 'https://EXAMPLE.com', ['WebFetch(domain:example.com)']],
    ['allow', 'https://docs.example.com/', ['WebFetch(domain:*.example.com)']],
    ['ask', 'https://docs.example.com/', ['WebFetch(domain:example.com)']],
    ['ask', 'https://example.com/', ['WebFetch(domain:*.example.com)']],
    ['ask', 'https://notexample.com/', ['WebFetch(domain:*.example.com)']],
    ['ask', 'https://example.com.evil.org/', ['WebFetch(domain:example.com)']],
    ['ask', 'https://example.com@evil.org/', ['WebFetch(domain:example.com)']],
    ['ask', 'https://evil.org/@example.com', ['WebFetch(domain:example.com)']],
    ['ask', 'https://example.com:8443/', ['WebFetch(domain:example.com)']],
    ['ask', 'https://example.com\\@evil.org/', ['WebFetch(domain:example.com)']],
    ['ask', 'https://exаmple.com/', ['WebFetch(domain:example.com)']],
    ['ask', 'https:example.com', ['WebFetch(domain:example.com)']],
    ['ask', 'file:///etc/passwd', ['WebFetch']],
    ['ask', ' https://example.com', ['WebFetch']],
    ['ask', 'nonsense', ['WebFetch']],
    ['ask', 7, ['WebFetch']],
    ['deny', 'https://a.example.com./x', ['WebFetch', 'deny WebFetch(domain:example.com)']],
    ['deny', 'https://u:p@example.com:1/', ['WebFetch', 'deny WebFetch(domain:example.com)']],
  ] as const)('%s: %s under %j', ([effect, url, texts]) => {
    expect(decide(asked('WebFetch', { url, prompt: 'x' }), rules(...texts)).effect).toBe(effect)
  })
})

describe('scope [rules-scope]', () => {
  const run = ruleOf('Bash(ls *)', 'r1', { kind: 'run', run: 'abcd1234' })
  const project = ruleOf('Bash(ls *)', 'r1', { kind: 'project', project: PROJECT })

  test('a rule for a run holds for it and its children, and for nobody else', () => {
    const effect = (id: string | null) => decide(bash('ls', { run: id }), [run]).effect
    expect(['abcd1234', 'abcd1234.task-1', 'abcd12345', 'zzzz9999', null].map(effect)).toEqual(
      ['allow', 'allow', 'ask', 'ask', 'ask'], // biome-ignore format: one line each way
    )
  })

  test('a rule for a project holds there and nowhere else', () => {
    const effect = (where: string) => decide(bash('ls', { project: where, cwd: where }), [project]).effect
    expect([PROJECT, `${PROJECT}/`, `${PROJECT}/sub`, '/home/ann', `${PROJECT}2`].map(effect)).toEqual(
      ['allow', 'allow', 'ask', 'ask', 'ask'], // biome-ignore format: one line each way
    )
  })

  test('a command that would run outside the project is asked', () => {
    expect(decide(bash('ls', { cwd: '/tmp' }), rules('Bash(ls *)')).effect).toBe('ask')
    expect(decide(bash('rm x', { cwd: '/tmp' }), rules('deny Bash(rm *)')).effect).toBe('deny')
  })
})

describe('the reason [rules-why]', () => {
  test.for([
    ['npm publish', 'no rule matches npm publish', null],
    ['rm x', 'rule r2 denies rm', 'r2'],
    ["sh -c 'ls'", 'what sh runs cannot be seen: it asks', null],
    ['env ls', 'env is a wrapper: it always asks', null],
    ['ls -la', 'rule r1 allows ls', 'r1'],
    ['make', 'rule r3 asks before make', 'r3'],
    ['ls; npm publish', 'no rule matches npm publish', null],
    ['echo hi > a.txt', 'no rule matches writing a.txt', null],
  ] as const)('%s: %s', ([command, why, rule]) => {
    const held = rules('Bash(ls *)', 'deny Bash(rm *)', 'ask Bash(make *)')
    expect(decide(bash(command), held)).toMatchObject({ why, rule })
  })

  const hostile = fc.constantFrom(
    ...[
      '\u001b[31m',
      '\u202e',
      '\n',
      '\u0007',
      '\r',
      '\ud800',
      '\u0000',
      'a',
      ' ',
      ';',
      '$',
      '"',
      'é',
      '🎉',
      'ls',
      'rm',
      '>',
    ],
  )

  test('whatever the command holds, the reason is one short line that is harmless to print', () => {
    fc.assert(
      fc.property(fc.string({ unit: hostile, maxLength: 200 }), text => {
        const { why } = decide(bash(text), rules('Bash(ls *)', 'deny Bash(rm *)'))
        expect(why).toMatch(/^[^\p{Cc}\u202a-\u202e\u2066-\u2069]{1,400}$/u)
      }),
    )
  })
})

describe('laws [rules-laws]', () => {
  const held = ['Bash(aa *)', 'Bash(bb *)', 'Bash(cd *)', 'Write(out/**)', 'ask Bash(cc *)', 'deny Bash(evil x)']

  test('the order of rules does not change what is decided', () => {
    fc.assert(
      fc.property(scripts, fc.shuffledSubarray(held, { minLength: held.length }), (command, shuffled) => {
        expect(decide(bash(command), rules(...shuffled)).effect).toBe(decide(bash(command), rules(...held)).effect)
      }),
    )
  })

  test('a rule more that denies never loosens, one more that allows never undoes a denial', () => {
    const strict = { deny: 0, ask: 1, allow: 2 }
    const more = fc.constantFrom('Bash(aa *)', 'Bash(evil *)', 'Bash', 'Write', 'Bash(cc x)', 'Bash(cd src)')
    fc.assert(
      fc.property(scripts, more, (command, text) => {
        const before = decide(bash(command), rules(...held)).effect
        expect(strict[decide(bash(command), rules(...held, `deny ${text}`)).effect]).toBeLessThanOrEqual(strict[before])
        if (before === 'deny') expect(decide(bash(command), rules(...held, text)).effect).toBe('deny')
      }),
    )
  })

  test('no input makes it throw or allow', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('Bash', 'Write', 'Read', 'WebFetch', 'Grep', 'Monitor', 'x'),
        fc.anything(),
        (tool, input) => {
          const decision = decide(
            asked(tool, input),
            rules('Bash(aa *)', 'Write(src/**)', 'Read(src/**)', 'deny Bash(rm *)'),
          )
          expect(decision.effect).not.toBe('allow')
        },
      ),
    )
  })

  test('directories that are no plain absolute paths are asked about, and a denial of the tool still holds', () => {
    for (const wrong of [{ cwd: 'src' }, { project: '' }, { home: 'x' }, { cwd: '/a\nb' }]) {
      expect(decide(bash('ls', wrong), rules('Bash')).effect).toBe('ask')
      expect(decide(bash('ls', wrong), rules('Bash', 'deny Bash')).effect).toBe('deny')
    }
  })
})
