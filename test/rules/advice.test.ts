import { describe, expect, test } from 'vitest'
import { parseRule } from '../../src/contract/rule.ts'
import { vainBecause } from '../../src/core/inbox/rules/advice.ts'

describe('a rule that could never allow anything is told so when it is added [rules-typed]', () => {
  test.for([
    ['Bash(sudo *)', 'sudo is a wrapper'],
    ['Bash(env)', 'env is a wrapper'],
    ['Bash(npx *)', 'Bash(npx PROGRAM *)'],
    ['Bash(npm exec *)', 'Bash(npm exec PROGRAM *)'],
    ['Bash(bash *)', 'Bash(bash PROGRAM *)'],
    ['Bash(bash -c ls)', 'cannot be seen'],
    ['Bash(rehoboam *)', 'no rule allows rehoboam'],
    ['Bash(npx rehoboam *)', 'no rule allows rehoboam'],
    ['Bash(export *)', 'export always asks'],
    ['Bash(git -c a=b status)', 'can run other programs'],
    ['Bash(find . -delete)', 'can run other programs'],
  ] as const)('%s: %s', ([text, why]) => {
    expect(vainBecause(parseRule(text))).toContain(why)
  })

  test.for([
    'Bash',
    'Bash(git *)',
    'Bash(git status *)',
    'Bash(npx vitest *)',
    'Bash(node *)',
    'Bash(python3 *)',
    'Bash([ *)',
    'Bash(test *)',
    'Bash(sed *)',
    'Bash(awk *)',
    'Bash(printf *)',
    'Bash(bash x.sh)',
    'Edit',
    'mcp__a__b',
  ])('%s is not', text => {
    expect(vainBecause(parseRule(text))).toBeNull()
  })
})
