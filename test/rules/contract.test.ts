import { describe, expect, test } from 'vitest'
import { RehoboamError } from '../../src/contract/errors.ts'
import { commandPattern, parseRule, Rule, RulesFile, ruleText, ruleWord } from '../../src/contract/rule.ts'
import { ruleOf } from './rules.ts'

describe('a rule as a person types it [rules-typed]', () => {
  test.for([
    ['Bash', 'Bash', null],
    ['  Bash(git status *) ', 'Bash', 'git status *'],
    ['Bash(*)', 'Bash', null],
    ['Bash([ *)', 'Bash', '[ *'],
    ["Bash(git commit -m 'a; b (c)')", 'Bash', "git commit -m 'a; b (c)'"],
    ['Edit', 'Edit', null],
    ['Write(src/**)', 'Write', 'src/**'],
    ['Read(~/notes/*.md)', 'Read', '~/notes/*.md'],
    ['WebFetch(domain:example.com)', 'WebFetch', 'domain:example.com'],
    ['WebFetch(domain:*.example.com)', 'WebFetch', 'domain:*.example.com'],
    ['mcp__server__tool', 'mcp__server__tool', null],
    ['mcp__server__*', 'mcp__server__*', null],
    ['SomeNewTool', 'SomeNewTool', null],
  ] as const)('%s is read, and written again as it was meant', ([typed, tool, pattern]) => {
    expect(parseRule(typed)).toEqual({ tool, pattern })
    expect(parseRule(ruleText({ tool, pattern }))).toEqual({ tool, pattern })
  })

  test.for([
    ['', 'a rule is a tool'],
    ['Bash(git status', 'not closed'],
    ['git status', 'a rule is a tool'],
    ['Bash()', 'without parentheses'],
    ['Bash(npm test:*)', 'Bash(npm test *)'],
    ['Bash(npm*)', 'stands alone and last'],
    ['Bash(* status)', 'stands alone and last'],
    ['Bash(git status && ls)', 'one simple command'],
    ['Bash(echo $HOME)', 'one simple command'],
    ['Bash(echo "$HOME")', 'single quotes'],
    ["Bash(echo 'a)", 'quote is not closed'],
    ['Bash(A=1 git)', 'begins with the name of a program'],
    ['Bash(-x)', 'begins with the name of a program'],
    ['Bash(git\u0000)', 'control characters'],
    ['Bash(git \u202estatus)', 'none that cannot be seen'],
    ['bash(git status)', 'write Bash'],
    ['Edit(src/{a,b})', 'only *, ** and ?'],
    ['Edit(../x)', 'no ..'],
    ['Edit(~root/x)', 'your own home'],
    ['Edit(src/a**)', 'stands alone between slashes'],
    ['WebFetch(example.com)', 'WebFetch(domain:example.com)'],
    ['WebFetch(domain:Example.com)', 'lower case'],
    ['mcp__server__tool(x)', 'no pattern'],
    ['Grep(src)', 'write Grep'],
    ['AskUserQuestion', 'a question to a person'],
    ['*', 'a tool is a name'],
    ['Bash*', 'a tool is a name'],
    [`Bash(${'x'.repeat(2000)})`, 'at most 1000'],
  ] as const)('%s is refused, and the sentence says what to type', ([typed, sentence]) => {
    expect(() => parseRule(typed)).toThrow(RehoboamError)
    expect(() => parseRule(typed)).toThrow(sentence)
  })

  test('a pattern is read word by word, with quotes taken off and a last star set aside', () => {
    expect(commandPattern('git commit -m "a b" *')).toEqual({ words: ['git', 'commit', '-m', 'a b'], rest: true })
    expect(commandPattern("echo 'it is *' x")).toEqual({ words: ['echo', 'it is *', 'x'], rest: false })
    expect(commandPattern('a\'b\'"c"d')).toEqual({ words: ['abcd'], rest: false })
  })

  test.for(['plain', 'a b', "it's", '*', '$x', '"', ''])('a word %j that a rule can write is read back', word => {
    const written = ruleWord(word)
    expect(written === null ? null : commandPattern(`x ${written}`).words[1]).toBe(written === null ? null : word)
  })

  test.for(['\n', `'"$`, '\u202e'])('a word %j that a rule cannot write is null', word => {
    expect(ruleWord(word)).toBeNull()
  })
})

describe('the file of rules [rules-file]', () => {
  const file = { version: 1, next: 3, rules: [ruleOf('Bash(ls *)', 'r1'), ruleOf('deny Edit', 'r2')] }

  test('it survives JSON', () => {
    expect(RulesFile.parse(JSON.parse(JSON.stringify(file)))).toEqual(file)
  })

  test.for([
    ['another version', { ...file, version: 2 }],
    ['a key too many', { ...file, more: 1 }],
    ['the same id twice', { ...file, rules: [file.rules[0], file.rules[0]] }],
    ['a rule that could not be typed', { ...file, rules: [{ ...file.rules[0], pattern: 'ls; rm x' }] }],
    ['a rule for a question', { ...file, rules: [{ ...file.rules[0], tool: 'AskUserQuestion', pattern: null }] }],
    [
      'more rules than anybody has',
      { ...file, rules: Array.from({ length: 301 }, (_, i) => ruleOf('Bash', `r${i + 1}`)) },
    ],
  ])('%s is refused whole', ([, wrong]) => {
    expect(RulesFile.safeParse(wrong).success).toBe(false)
  })

  test.for(['/', '/home/ann/shop', '/home/ann/.x/..y'])('a project %s is a scope', project => {
    expect(Rule.safeParse(ruleOf('Bash', 'r1', { kind: 'project', project })).success).toBe(true)
  })

  test.for(['', 'shop', '/home/', '/home//ann', '/home/../ann', '/home/.', '/..'])('a project %j is not', project => {
    expect(Rule.safeParse(ruleOf('Bash', 'r1', { kind: 'project', project })).success).toBe(false)
  })
})
