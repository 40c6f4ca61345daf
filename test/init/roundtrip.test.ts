import { chmod, chown, lstat, mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HOOK_ROWS } from '../../src/contract/hook-settings.ts'
import { project } from './project.ts'

const THEIRS = { type: 'command', command: 'notify-send done' }
const OTHER_HOOKS = {
  $schema: 'https://json.schemastore.org/claude-code-settings.json',
  hooks: {
    PreToolUse: [{ matcher: 'AskUserQuestion', hooks: [THEIRS] }, { hooks: [{ ...THEIRS, async: true }] }],
    Stop: [{ hooks: [THEIRS, { type: 'http', url: 'http://127.0.0.1:9/x' }] }],
    Setup: [{ matcher: 'init', hooks: [THEIRS] }],
  },
  permissions: { allow: ['Bash(npm test)'] },
}
const UNKNOWN = { ...OTHER_HOOKS, tomorrow: { x: [1, 2.50, -0, 'é\u2028\\u00e9', null] }, 'hooks.Stop': [], env: {} } // biome-ignore format: one object

/** What a person may have in the place where our hooks shall go. */
const KINDS: Record<string, string> = {
  'empty file': '',
  'blank file': '\n\n  \n',
  'byte order mark alone': '\ufeff',
  'empty object': '{}',
  'empty object with a line break in it': '{\r\n\t}\r\n',
  'empty object behind a byte order mark': '\ufeff{ }\n',
  'other keys': '{\n  "model": "opus"\n}\n',
  'other hooks, for the same events and matchers': `${JSON.stringify(OTHER_HOOKS, null, 2)}\n`,
  'other hooks in one line each':
    '{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "x" }] }]\n  }\n}',
  'other hooks with the brackets together': `{\n  "hooks": {\n    "Stop": [{\n      "hooks": [${JSON.stringify(THEIRS)}]\n    }]\n  }\n}\n`,
  'empty hooks': '{\n  "hooks": {}\n}\n',
  'empty hooks with a blank inside': '{"hooks": { }, "model": "opus"}',
  'empty lists of our events': '{\n  "hooks": { "SessionStart": [], "PreToolUse": [ ], "Stop": [\n\n] }\n}\n',
  'empty groups': '{\n  "hooks": { "Stop": [{ "hooks": [] }, {"matcher": "", "hooks": [ ]}] }\n}\n',
  CRLF: JSON.stringify(OTHER_HOOKS, null, 4).replaceAll('\n', '\r\n'),
  'no final newline': JSON.stringify(OTHER_HOOKS, null, 2),
  'many final newlines': `${JSON.stringify({ model: 'opus' }, null, 2)}\n\n\n`,
  'unknown keys': JSON.stringify(UNKNOWN, null, 2),
  tabs: JSON.stringify(UNKNOWN, null, '\t'),
  'three spaces': JSON.stringify(UNKNOWN, null, '   '),
  'eleven spaces': JSON.stringify({ a: { b: 1 } }, null, 10).replaceAll('          ', ' '.repeat(11)),
  minified: JSON.stringify(UNKNOWN),
  'no indentation at all': JSON.stringify(UNKNOWN, null, 1).replace(/^ +/gm, ''),
  'an indented first line': `   ${JSON.stringify(OTHER_HOOKS, null, '   ').replaceAll('\n', '\n   ')}`,
  'commas first': '{ "model" : "opus"\n, "hooks" : { "Stop" : [ { "hooks" : [ ] }\n  , { "hooks" : [] } ]\n  }\n}\n',
  'old Macintosh line ends': JSON.stringify(OTHER_HOOKS, null, 2).replaceAll('\n', '\r'),
}

describe('init and then init --remove leave every byte as it was', () => {
  for (const [kind, text] of Object.entries(KINDS)) {
    test(`${kind} [init-roundtrip]`, async () => {
      await using home = await project()
      await home.write(home.local, text)
      const before = await home.everything()
      expect(await home.install()).toMatchObject({ did: 'installed', hooks: HOOK_ROWS.length })
      const installed = await readFile(home.local, 'utf8')
      expect(JSON.parse(installed.replace('\ufeff', '')).hooks.Stop.at(-1).hooks).toHaveLength(1)
      expect(await home.install()).toMatchObject({ did: 'nothing', hooks: HOOK_ROWS.length })
      expect(await readFile(home.local, 'utf8')).toBe(installed)
      expect(await home.remove()).toMatchObject({ did: 'removed', hooks: HOOK_ROWS.length })
      expect(await home.everything()).toEqual(before)
      expect(await home.remove()).toMatchObject({ did: 'nothing', hooks: 0 })
      expect(await home.everything()).toEqual(before)
    })
  }

  test('no file and no directory: both are gone again [init-roundtrip]', async () => {
    await using home = await project()
    home.environment.CLAUDE_CONFIG_DIR = join(home.home, 'a', 'b')
    const before = await home.everything()
    for (const place of ['local', 'shared', 'user'] as const) {
      expect(await home.install(place)).toMatchObject({ did: 'installed' })
      expect(await home.everything()).not.toEqual(before)
      await home.remove(place)
      expect(await home.everything(), place).toEqual(before)
    }
  })

  test('a directory that was there, or that something else came into, stays [init-roundtrip]', async () => {
    await using home = await project()
    await mkdir(dirname(home.local))
    const before = await home.everything()
    await home.install('local')
    await home.install('shared')
    await home.remove('local')
    await home.remove('shared')
    expect(await home.everything()).toEqual(before)
    home.environment.CLAUDE_CONFIG_DIR = join(home.home, 'mine')
    await home.install('user')
    await writeFile(join(home.home, 'mine', 'CLAUDE.md'), 'x')
    await home.remove('user')
    expect(await home.everything()).toEqual({
      ...before,
      '/home/mine': 'directory',
      '/home/mine/CLAUDE.md': 'x',
    })
  })

  test('a link to the file stays a link, and mode and owner of the file stay [init-roundtrip]', async () => {
    await using home = await project()
    const target = join(home.root, 'dotfiles', 'claude.json')
    await home.write(target, KINDS.CRLF!)
    await chmod(target, 0o640)
    if (process.getuid?.() === 0) await chown(target, 1234, 2345)
    await mkdir(dirname(home.local))
    await symlink('../../dotfiles/claude.json', home.local)
    const [before, old] = [await home.everything(), await stat(target)]
    await home.install()
    expect(await readFile(target, 'utf8')).toContain('--from init-1')
    expect(await stat(target)).toMatchObject({ mode: old.mode, uid: old.uid, gid: old.gid })
    await home.remove()
    expect((await lstat(home.local)).isSymbolicLink()).toBe(true)
    expect(await stat(target)).toMatchObject({ mode: old.mode, uid: old.uid, gid: old.gid })
    expect(await home.everything()).toEqual(before)
  })

  test('a file of ours that was moved behind a link is emptied, not deleted [init-roundtrip]', async () => {
    await using home = await project()
    await home.install()
    await rename(home.local, join(home.root, 'moved.json'))
    await symlink('../../moved.json', home.local)
    await home.remove()
    expect(await readFile(join(home.root, 'moved.json'), 'utf8')).toBe('{}\n')
    expect((await lstat(home.local)).isSymbolicLink()).toBe(true)
  })
})
