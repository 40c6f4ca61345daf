import { describe, expect, test } from 'vitest'
import { decide } from '../../src/core/inbox/rules/decide.ts'
import { bash, rules } from './rules.ts'

const openers = [
  '(',
  '$(',
  '`',
  '{ ',
  '"$(',
  '${x:-',
  '$((',
  '[[ ',
  'f(){ $(',
  'aa <<E\n',
  'case x in ',
  'if ',
  '{a,',
  '@(',
  '<(',
]
const repeated = [
  'aa;',
  'aa|',
  'x ',
  '-x ',
  'sudo ',
  'npx ',
  'A=b ',
  "'a b' ",
  '\\',
  '\n',
  '*',
  'cd a;',
  '~/',
  'a/.?/ ',
  '-C a ',
]
const before = ['', 'aa ', 'eval ', 'sudo ', 'git ', 'rm ', "sed 's/"]

describe('hostile input [rules-laws]', () => {
  // As many rules as a file may hold, most of them denials.
  const held = rules(
    'Bash',
    ...Array.from({ length: 150 }, (_, index) => `deny Bash(x${index} y *)`),
    ...Array.from({ length: 140 }, (_, index) => `deny Write(y${index}/**/z*)`),
    'deny Bash(rm -rf *)',
  )

  test.for([...openers, ...repeated])('%j by the thousand is judged in time and never brings it down', scrap => {
    for (const start of before) {
      for (const length of [1_200, 39_000]) {
        const command = (start + scrap.repeat(length / scrap.length)).slice(0, 39_900)
        const began = process.cpuUsage()
        decide(bash(command), held)
        // Of the processor, not of the clock: a busy machine must not turn this red. Usually it is below 100.
        expect(process.cpuUsage(began).user / 1000, `${start}${scrap}`).toBeLessThan(3000)
      }
    }
  })

  test('text in text in text is looked into for denials, and no deeper than anybody writes', () => {
    const quoted = (depth: number): string => (depth === 0 ? 'rm -rf x' : `sh -c ${JSON.stringify(quoted(depth - 1))}`)
    expect(decide(bash(quoted(3)), held).effect).toBe('deny')
    expect(decide(bash(quoted(12)), held).effect).not.toBe('allow')
  })
})
