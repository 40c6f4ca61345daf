import { describe, expect, test } from 'vitest'
import { decide } from '../../src/core/inbox/rules/decide.ts'
import { suggestRules } from '../../src/core/inbox/rules/suggest.ts'
import fc from '../support/laws.ts'
import { asked, bash, PROJECT, rules } from './rules.ts'
import { disturbed, scripts } from './shell-grammar.ts'

describe('what "always" would write [rules-suggest]', () => {
  test.for([
    ['npm test -- --watch=false', ['Bash(npm test *)']],
    ['npm run build', ['Bash(npm run build *)']],
    ['git -C src status -s', ['Bash(git status *)']],
    ['git push origin main', ['Bash(git push origin main)']],
    ['git commit -m "it works"', ['Bash(git commit *)']],
    ['git stash pop', ['Bash(git stash pop)']],
    ['docker compose up -d', ['Bash(docker compose up *)']],
    ['ls -la src', ['Bash(ls *)']],
    ['rm -rf build', ['Bash(rm -rf build)']],
    ["mytool 'a b' c", ["Bash(mytool 'a b' c)"]],
    ['npx vitest run', ['Bash(npx vitest *)']],
    ['bash scripts/ok.sh a', ['Bash(bash scripts/ok.sh *)']],
    ['./check.sh', ['Bash(./check.sh)']],
    ['git status && npm test', ['Bash(git status *)', 'Bash(npm test *)']],
    ['git log | grep x > src/log', ['Bash(git log *)', 'Write(src/log)', 'Bash(grep *)']],
    ['cd src && ls', ['Bash(cd *)', 'Bash(ls *)']],
    ['git status > /dev/null', ['Bash(git status *)']],
    ['mytool "$X"', null],
    ['sudo ls', null],
    ["sh -c 'ls'", null],
    ['FOO=1 ls', null],
    ['ls > /etc/motd', null],
    ['rehoboam allow q1', null],
    ['f() { ls; }; f', null],
    ['ls "unclosed', null],
    ['', null],
  ] as const)('%s', ([command, texts]) => {
    expect(suggestRules(bash(command))).toEqual(texts)
  })

  test.for([
    ['Edit', { file_path: `${PROJECT}/src/a.ts` }, ['Edit(src/a.ts)']],
    ['Write', { file_path: `${PROJECT}/app/[id]/page.tsx` }, ['Write(app/?id?/page.tsx)']],
    ['NotebookEdit', { notebook_path: `${PROJECT}/a.ipynb` }, ['NotebookEdit(a.ipynb)']],
    ['Read', { file_path: '/etc/passwd' }, null],
    ['Write', { file_path: `${PROJECT}/.git/config` }, null],
    ['WebFetch', { url: 'https://example.com/x' }, ['WebFetch(domain:example.com)']],
    ['WebFetch', { url: 'https://example.com:99/x' }, null],
    ['mcp__db__query', {}, ['mcp__db__query']],
    ['WebSearch', {}, ['WebSearch']],
    ['AskUserQuestion', {}, null],
    ['Bad Tool', {}, null],
  ] as const)('%s %j', ([tool, input, texts]) => {
    expect(suggestRules(asked(tool, input))).toEqual(texts)
  })

  test('for a denial: one command, never each part of a compound one', () => {
    expect(suggestRules(bash('npm publish --tag x'), 'deny')).toEqual(['Bash(npm publish --tag x)'])
    expect(suggestRules(bash('sudo ls'), 'deny')).toEqual(['Bash(sudo ls)'])
    expect(suggestRules(bash('cd src && rm -rf x'), 'deny')).toBeNull()
  })

  test('what is suggested allows what was asked, always', () => {
    fc.assert(
      fc.property(disturbed(scripts), command => {
        const texts = suggestRules(bash(command))
        if (texts !== null) expect(decide(bash(command), rules(...texts)).effect).toBe('allow')
      }),
      { numRuns: 500 },
    )
  })
})
