import { describe, expect, test } from 'vitest'
import { decide } from '../../src/core/inbox/rules/decide.ts'
import { globMatches } from '../../src/core/inbox/rules/glob.ts'
import { asked, PROJECT, rules } from './rules.ts'

type Row = [effect: 'allow' | 'deny' | 'ask', tool: string, path: unknown, rules: string[]]

const rows: Row[] = [
  ['allow', 'Write', `${PROJECT}/src/a.ts`, ['Write(src/**)']],
  ['allow', 'Write', `${PROJECT}/src/b/../a.ts`, ['Write(src/a.ts)']],
  ['allow', 'Write', 'src/a.ts', ['Write(src/**)']],
  ['allow', 'Write', `${PROJECT}/src/deep/er/a.ts`, ['Write(src/**)']],
  ['allow', 'Write', `${PROJECT}/x.ts`, ['Write']],
  ['allow', 'Edit', `${PROJECT}/src/a.ts`, ['Edit(src/*.ts)']],
  ['allow', 'Edit', `${PROJECT}/src/a.ts`, ['Write(src/**)']],
  ['allow', 'MultiEdit', `${PROJECT}/src/a.ts`, ['Edit']],
  ['allow', 'Read', `${PROJECT}/src/a.ts`, ['Read(src/)']],
  ['allow', 'Read', `${PROJECT}/.git/config`, ['Read(.git/config)']],
  ['ask', 'Write', `${PROJECT}/src/a.ts`, ['Edit']],
  ['ask', 'Write', `${PROJECT}/src/a.ts`, ['Read']],
  ['ask', 'Read', `${PROJECT}/src/a.ts`, ['Write']],
  ['ask', 'Write', `${PROJECT}/srcx/a.ts`, ['Write(src/**)']],
  ['ask', 'Write', `${PROJECT}/lib/src/a.ts`, ['Write(src/**)']],
  ['ask', 'Write', `${PROJECT}/src/../a.ts`, ['Write(src/**)']],
  ['ask', 'Write', `${PROJECT}/SRC/a.ts`, ['Write(src/**)']],
  ['ask', 'Write', `${PROJECT}/src/.env`, ['Write(src/**)']],
  ['ask', 'Write', `${PROJECT}/src/a/b.ts`, ['Write(src/*)']],
  ['ask', 'Write', `${PROJECT}/../other/a.ts`, ['Write']],
  ['ask', 'Write', `${PROJECT}x/a.ts`, ['Write']],
  ['ask', 'Write', '/etc/motd', ['Write', 'Write(/etc/motd)']],
  ['ask', 'Read', '/etc/passwd', ['Read']],
  ['ask', 'Write', `${PROJECT}/src/a\u0000.ts`, ['Write']],
  ['ask', 'Write', '~/x', ['Write']],
  ['ask', 'Write', '', ['Write']],
  ['ask', 'Write', 7, ['Write']],
  ['ask', 'Write', undefined, ['Write']],
  ['ask', 'Write', `${PROJECT}/.git/hooks/pre-commit`, ['Write', 'Write(.git/**)']],
  ['ask', 'Write', `${PROJECT}/sub/.Git/config`, ['Write']],
  ['ask', 'Write', `${PROJECT}/.g\u200cit/config`, ['Write', 'Write(**/config)', 'Write(.g?it/*)']],
  ['ask', 'Write', `${PROJECT}/git~1/config`, ['Write']],
  ['ask', 'Write', `${PROJECT}/.git./config`, ['Write', 'Write(.git./*)']],
  ['ask', 'Edit', `${PROJECT}/.claude/settings.json`, ['Edit']],
  ['ask', 'Edit', `${PROJECT}/.rehoboam-x/state.json`, ['Edit', 'Edit(.rehoboam-x/*)']],
  ['ask', 'Edit', `${PROJECT}/rehoboam.config.json`, ['Edit']],
  ['ask', 'Edit', `${PROJECT}/.mcp.json`, ['Edit(.mcp.json)']],
  ['ask', 'Edit', `${PROJECT}/.bashrc`, ['Edit']],
  ['ask', 'Write', `${PROJECT}/bare/HEAD`, ['Write']],
  ['deny', 'Write', `${PROJECT}/src/a.ts`, ['Write', 'deny Write(src/**)']],
  ['deny', 'Edit', `${PROJECT}/src/a.ts`, ['Edit', 'deny Write(src/**)']],
  ['deny', 'Write', `${PROJECT}/src/a.ts`, ['Write', 'deny Edit(src/**)']],
  ['deny', 'Read', `${PROJECT}/deep/.env`, ['Read', 'deny Read(.env)']],
  ['deny', 'Read', `${PROJECT}/secrets/a/b`, ['Read', 'deny Read(secrets)']],
  ['deny', 'Read', '/home/ann/.ssh/id_rsa', ['deny Read(~/.ssh/**)']],
  ['deny', 'Read', '/etc/passwd', ['deny Read(/etc/*)']],
  ['deny', 'Write', undefined, ['Write', 'deny Write']],
  ['ask', 'Read', `${PROJECT}/.ENV`, ['Read', 'deny Read(.env)']],
  ['allow', 'Read', `${PROJECT}/env`, ['Read', 'deny Read(.env)']],
]

describe('files [rules-files]', () => {
  test.for(rows)('%s: %s %j under %j', ([effect, tool, path, texts]) => {
    expect(decide(asked(tool, { file_path: path }), rules(...texts)).effect).toBe(effect)
  })

  test('an allow names the files that it rests on, for whoever can see where links lead', () => {
    const decision = decide(asked('Write', { file_path: `${PROJECT}/src/./a.ts` }), rules('Write(src/**)'))
    expect(decision.paths).toEqual([`${PROJECT}/src/a.ts`])
    const command = { command: 'cd lib && git -C sub status > ../src/log' }
    const shell = decide(asked('Bash', command), rules('Bash(cd *)', 'Bash(git status *)', 'Write(src/**)'))
    expect(shell.effect).toBe('allow')
    expect(shell.paths.sort()).toEqual([PROJECT, `${PROJECT}/lib`, `${PROJECT}/lib/sub`, `${PROJECT}/src/log`])
  })

  test('a notebook is edited under rules for editing, or under its own', () => {
    const request = asked('NotebookEdit', { notebook_path: `${PROJECT}/a.ipynb` })
    expect(decide(request, rules('Edit')).effect).toBe('allow')
    expect(decide(request, rules('NotebookEdit(*.ipynb)')).effect).toBe('allow')
    expect(decide(request, rules('MultiEdit')).effect).toBe('ask')
  })

  test('a search is judged by its own rule, and never looks outside the project or into what may not be read', () => {
    const held = rules('Grep', 'deny Read(secrets)')
    const grep = (path?: string) => decide(asked('Grep', { pattern: 'x', path }), held).effect
    expect([grep(), grep('src'), grep('/etc'), grep(`${PROJECT}/secrets`)]).toEqual(['allow', 'allow', 'ask', 'deny'])
    expect(decide(asked('Grep', { pattern: 'x' }), rules('Read')).effect).toBe('ask')
  })

  test('in a worktree "inside the project" means the worktree, and the scope still means the project', () => {
    const root = '/home/ann/.rehoboam/worktrees/w1'
    const held = rules('Write(src/**)').map(rule => ({
      ...rule,
      scope: { kind: 'project', project: PROJECT } as const,
    }))
    const write = (path: string) => decide(asked('Write', { file_path: path }, { root, cwd: root }), held).effect
    expect([write(`${root}/src/a.ts`), write(`${PROJECT}/src/a.ts`)]).toEqual(['allow', 'ask'])
  })

  test('in a home directory that is the project, its dot files and our own state stay asked', () => {
    const home = { project: '/home/ann', cwd: '/home/ann' }
    const write = (path: string) => decide(asked('Write', { file_path: path }, home), rules('Write')).effect
    expect(write('/home/ann/notes.md')).toBe('allow')
    expect(write('/home/ann/.config/x')).toBe('ask')
    expect(write('/home/ann/.local/state/rehoboam/rules.json')).toBe('ask')
  })

  test('nothing is inside a project at the root of the disk', () => {
    const root = { project: '/', cwd: '/' }
    expect(decide(asked('Write', { file_path: '/etc/motd' }, root), rules('Write')).effect).toBe('ask')
    expect(decide(asked('Bash', { command: 'ls' }, root), rules('Bash(ls *)')).effect).toBe('ask')
  })
})

describe('wildcards [rules-files]', () => {
  test.for([
    [true, 'a/*.ts', 'a/b.ts'],
    [true, '**', 'a/b/c'],
    [true, 'a/**', 'a'],
    [true, 'a/**/c', 'a/c'],
    [true, 'a/**/c', 'a/b/b/c'],
    [true, '**/c', 'a/c'],
    [true, 'a?c', 'abc'],
    [true, 'a*b*c', 'aXbYbZc'],
    [false, 'a/*.ts', 'a/b/c.ts'],
    [false, 'a?c', 'a/c'],
    [false, 'a*', 'A'],
    [false, 'a', 'a/b'],
    [false, 'a/**/c', 'a/b'],
    [false, '*', '.env'],
    [false, '**', 'a/.git/b'],
    [true, '.*', '.env'],
  ] as const)('%s: %s on %s', ([matches, pattern, path]) => {
    expect(globMatches(pattern, path, false)).toBe(matches)
  })

  test('where it denies, a wildcard matches dot files too', () => {
    expect([globMatches('*', '.env', true), globMatches('**', 'a/.git/b', true)]).toEqual([true, true])
  })

  test('a pattern made to be slow is not', () => {
    globMatches(`${'*a'.repeat(300)}b`, 'a'.repeat(2000), true)
    globMatches(`${'**/'.repeat(300)}x`, 'a/'.repeat(1500), true)
  })
})
