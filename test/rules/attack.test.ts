import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decide } from '../../src/core/inbox/rules/decide.ts'
import fc from '../support/laws.ts'
import { bash, rules } from './rules.ts'
import { ShellBox } from './shell-box.ts'
import { disturbed, scripts, unlisted, wrapped } from './shell-grammar.ts'

const held = rules('Bash(aa *)', 'Bash(bb *)', 'Bash(cc x)', 'Bash(cd *)', 'Write(out/**)')

describe('whatever form a command is given', () => {
  test('a program that no rule names is never allowed [rules-attack]', () => {
    fc.assert(
      fc.property(wrapped(unlisted), command => {
        expect(decide(bash(command), held).effect).not.toBe('allow')
      }),
      { numRuns: 2000 },
    )
  })

  test('a program that a rule denies is never allowed, not even by a rule that allows everything [rules-attack]', () => {
    const all = rules('Bash', 'Write', 'Read', 'deny Bash(evil *)')
    const plain = wrapped(fc.constantFrom('evil', 'evil x', 'ev\\il', '"evil"', "'evil' x", 'ev""il', '/usr/bin/evil'))
    fc.assert(
      fc.property(plain, command => {
        expect(decide(bash(command), all).effect).not.toBe('allow')
      }),
      { numRuns: 2000 },
    )
  })

  test('a program that a rule denies is denied wherever it plainly stands [rules-attack]', () => {
    const all = rules('Bash', 'deny Bash(evil *)')
    for (const command of ['(evil)', '{ evil; }', 'aa "$(evil)"', 'aa <(evil)', 'if evil; then aa; fi', 'time evil']) {
      expect(decide(bash(command), all), command).toMatchObject({ effect: 'deny', rule: 'r2' })
    }
  })
})

describe('what a real shell does with a command that the rules allow', () => {
  // Text that a shell reads otherwise than our parser shows here: the stubs write down what really ran.
  const check = (box: ShellBox, shell: string, command: string) => {
    const { ran, files } = box.run(shell, command)
    const names = ran.map(({ name }) => name)
    expect(
      names.filter(name => !['aa', 'bb', 'cc'].includes(name)),
      `${shell}: ${command}`,
    ).toEqual([])
    for (const { name, words } of ran) if (name === 'cc') expect(words, `${shell}: ${command}`).toEqual(['x'])
    expect(
      files.filter(file => !file.startsWith('out/')),
      `${shell}: ${command}`,
    ).toEqual([])
  }

  // zsh is what the client uses where it is the user's shell; where it is missing, bash and sh have to do.
  const shells = ['/bin/bash', '/bin/sh', '/bin/zsh'].filter(shell => existsSync(shell))

  test('every program that runs was allowed, every file that appears too [rules-attack-real]', {
    timeout: 120_000,
  }, () => {
    using box = new ShellBox(['aa', 'bb', 'cc', 'evil'])
    let allowed = 0
    fc.assert(
      fc.property(disturbed(scripts), fc.constantFrom(...shells), (command, shell) => {
        if (decide(bash(command), held).effect !== 'allow') return
        allowed++
        check(box, shell, command)
      }),
      { numRuns: 2000 },
    )
    // Were everything asked, nothing would have been tried.
    expect(allowed).toBeGreaterThan(30)
  })

  test('the box sees what runs: it is shown failing [rules-attack-real]', () => {
    using box = new ShellBox(['aa', 'bb', 'cc', 'evil'])
    expect(() => check(box, '/bin/bash', 'aa "$(evil)"')).toThrow('evil')
    expect(() => check(box, '/bin/bash', 'cc x y')).toThrow()
    expect(() => check(box, '/bin/bash', 'aa > src/f')).toThrow('src/f')
    expect(() => check(box, '/bin/bash', 'aa; cc "x" > out/f')).not.toThrow()
  })
})
