import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { withHooks } from '../../src/config/hook-settings/install.ts'
import { withoutHooks } from '../../src/config/hook-settings/remove.ts'
import { ANY_PROGRAM, HOOK_ROWS, markIn, thisProgram } from '../../src/contract/hook-settings.ts'
import { PROGRAM, project } from './project.ts'

const program = thisProgram(PROGRAM)
const theirs = { type: 'command', command: 'mine' }

test('what a person adds in between stays, wherever they put it [init-roundtrip] [init-mark]', async () => {
  await using home = await project()
  await home.install()
  const settings = JSON.parse(await readFile(home.local, 'utf8'))
  settings.permissions = { allow: ['Bash(ls)'] }
  settings.hooks.Stop[0].hooks.push(theirs)
  settings.hooks.PreToolUse.unshift({ matcher: 'Bash', hooks: [theirs] })
  settings.hooks.Setup = [{ hooks: [theirs] }]
  await writeFile(home.local, `${JSON.stringify(settings, null, 2)}\n`)
  // All of ours are there: init has nothing to do, and moves nothing.
  expect(await home.install()).toMatchObject({ did: 'nothing' })
  await home.remove()
  const left = {
    hooks: {
      PreToolUse: [{ matcher: 'Bash', hooks: [theirs] }],
      Stop: [{ hooks: [theirs] }],
      Setup: [{ hooks: [theirs] }],
    },
    permissions: { allow: ['Bash(ls)'] },
  }
  expect(await readFile(home.local, 'utf8')).toBe(`${JSON.stringify(left, null, 2)}\n`)
})

test('what a person takes out in between stays out after --remove, and comes back with init [init-roundtrip]', async () => {
  await using home = await project()
  const before = await home.everything()
  await home.install()
  const settings = JSON.parse(await readFile(home.local, 'utf8'))
  delete settings.hooks.Stop
  delete settings.hooks.PreToolUse
  await writeFile(home.local, JSON.stringify(settings))
  expect((await home.list()).files[0]).toMatchObject({ state: 'outdated', sentence: '16 hooks, 2 are missing' })
  expect(await home.install()).toMatchObject({ did: 'updated', hooks: HOOK_ROWS.length })
  await writeFile(home.local, JSON.stringify(settings))
  expect(await home.remove()).toMatchObject({ did: 'removed', hooks: 16 })
  expect(await home.everything()).toEqual(before)
})

test('a file that was there is never deleted, even when only ours is left in it [init-roundtrip]', async () => {
  await using home = await project()
  await home.write(home.local, '{\n  "model": "opus"\n}\n')
  await home.install()
  const settings = JSON.parse(await readFile(home.local, 'utf8'))
  delete settings.model
  await writeFile(home.local, `${JSON.stringify(settings, null, 2)}\n`)
  await home.remove()
  expect(await readFile(home.local, 'utf8')).toBe('{}\n')
})

test('new lines look like their neighbours: indentation, line ends, colons, one line or many [init-style]', () => {
  const lines = (text: string, count: number) => withHooks({ text }, 'x').split('\n').slice(0, count)
  expect(lines('{\n   "a": 1\n}\n', 5)).toEqual(['{', '   "a": 1,', '   "hooks": {', '      "SessionStart": [', '         {']) // biome-ignore format: one line
  expect(lines('{\r\n\t"a" : 1\r\n}', 5)).toEqual(['{\r', '\t"a" : 1,\r', '\t"hooks" : {\r', '\t\t"SessionStart": [\r', '\t\t\t{\r']) // biome-ignore format: one line
  expect(withHooks({ text: '{"a":1}' }, 'x')).toMatch(/^\{"a":1,"hooks":\{"SessionStart":\[\{"hooks":\[\{"type":"/)
  expect(withHooks({ text: '{ "a": 1, "b": 2 }' }, 'x')).toMatch(/^\{ "a": 1, "b": 2, "hooks": \{"SessionStart": \[/)
  const oneLine = '{\n  "hooks": {\n    "Stop": [{ "hooks": [] }]\n  }\n}\n'
  expect(withHooks({ text: oneLine }, 'x').split('\n')[2]).toMatch(
    /^ {4}"Stop": \[\{ "hooks": \[\] \}, ?\{"hooks": \[\{"type": "command", .*\}\]\}\],$/,
  )
  expect(lines('{\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": []\n      }\n    ]\n  }\n}', 8)).toEqual([
    ...['{', '  "hooks": {', '    "Stop": [', '      {', '        "hooks": []', '      },'],
    ...['      {', '        "hooks": ['],
  ])
})

test('an entry is ours by the mark in its command, and by nothing else [init-mark]', () => {
  const ours = [
    `${program} hook --from init-1 2>/dev/null || exit 0`,
    `${ANY_PROGRAM} hook --hold --from init-1.n1.h 2>/dev/null || exit 0`,
    'rehoboam hook --from init-0',
    'rehoboam hook --loud --from init-99.x1 || true',
  ]
  const theirs = [
    ...['rehoboam hook', 'rehoboam hook --from', 'rehoboam hook --from init-', 'echo init-1', 'echo --from init-1'],
    ...['myhook --from init-1', 'rehoboam hook --from init-1x', 'rehoboam hook --from=init-1', '', 7, null, undefined],
  ]
  for (const command of ours) expect(markIn(command), command).not.toBeNull()
  for (const command of theirs) expect(markIn(command), String(command)).toBeNull()
  const text = JSON.stringify({ hooks: { Stop: [{ hooks: theirs.map(command => ({ type: 'command', command })) }] } })
  expect(withoutHooks(text)).toEqual({ text, hooks: 0, made: null })
})

test('ours are found under names that this version does not know, and in duplicates [init-mark]', () => {
  const old = { type: 'command', command: 'rehoboam hook --from init-0 || exit 0' }
  const text = JSON.stringify({ hooks: { Bygone: [{ hooks: [old, theirs, old] }, { matcher: 'x', hooks: [old] }] }, a: 1 }) // biome-ignore format: one line
  const left = JSON.stringify({ hooks: { Bygone: [{ hooks: [theirs] }] }, a: 1 })
  expect(withoutHooks(text)).toEqual({ text: left, hooks: 3, made: null })
  const twice = `{"hooks": ${JSON.stringify({ Stop: [{ hooks: [old] }] })}, "a": 1, "hooks": ${JSON.stringify({ Stop: [{ hooks: [old] }] })}}`
  expect(withoutHooks(twice).text).toBe('{"a": 1}')
})

test('a megabyte of hooks that look like ours is handled in one go [init-refused]', () => {
  const old = { type: 'command', command: 'rehoboam hook --from init-0' }
  const text = JSON.stringify({ hooks: { Stop: Array(15_000).fill({ hooks: [old] }) } })
  expect(withoutHooks(text)).toEqual({ text: '{}', hooks: 15_000, made: null })
})
