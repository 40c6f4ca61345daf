import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changeSettings } from '../../src/adapters/settings-file.ts'
import { project } from './project.ts'

const theirs = { type: 'command', command: 'x' }
const WRONG: Record<string, { text: string | Buffer; says: RegExp }> = {
  'invalid JSON': {
    text: '{\n  "model": oops\n}',
    says: /settings\.local\.json: line 2: "oops" is not valid JSON.*fix/,
  },
  'half a file': { text: '{"hooks": {', says: /line 1: the file ends too early/ },
  'a comment, which the client does not accept either': { text: '{\n  // mine\n}', says: /comments are not possible/ },
  'a comma too many': { text: '{"a": 1,}', says: /one too many/ },
  'a list': { text: '[]', says: /does not hold a JSON object/ },
  'a word': { text: '"x"', says: /does not hold a JSON object/ },
  'hooks that are a list': { text: '{"hooks": []}', says: /"hooks" is not an object/ },
  'hooks that are null': { text: '{"hooks": null}', says: /"hooks" is not an object/ },
  'hooks twice': { text: '{"hooks": {}, "hooks": {}}', says: /"hooks" stands in it 2 times/ },
  'an event that is an object': { text: '{"hooks": {"Stop": {}}}', says: /"Stop" in its hooks is not a list/ },
  'an event twice': { text: '{"hooks": {"Stop": [], "Stop": []}}', says: /"Stop" stands in it 2 times/ },
  'a group without hooks': { text: JSON.stringify({ hooks: { Stop: [theirs] } }), says: /"Stop".*no list of hooks/ },
  'a group that is a word': { text: '{"hooks": {"Stop": ["x"]}}', says: /"Stop".*no list of hooks/ },
  'not UTF-8': { text: Buffer.from('{"a": "caf\xe9"}', 'latin1'), says: /not UTF-8/ },
  'too large': { text: `{"a": "${'x'.repeat(1024 * 1024)}"}`, says: /larger than 1 MB/ },
}

describe('init refuses, says what to do, and touches nothing', () => {
  for (const [kind, { text, says }] of Object.entries(WRONG)) {
    test(`${kind} [init-refused]`, async () => {
      await using home = await project()
      await home.write(home.local, text)
      const before = await home.everything()
      await expect(home.install()).rejects.toThrow(says)
      await home.remove().catch(error => expect(error.message).toMatch(says))
      expect(await home.everything()).toEqual(before)
      expect((await home.list()).files[0]!.hooks).toBe(0)
    })
  }

  test('a read-only file, with the command that would allow it, also for root [init-refused]', async () => {
    await using home = await project()
    await home.install()
    const installed = await readFile(home.local, 'utf8')
    const changed = installed.replaceAll('init-1', 'init-0')
    await writeFile(home.local, changed)
    await chmod(home.local, 0o444)
    const says = { code: 'settings-unwritable', message: expect.stringContaining(`chmod u+w ${home.local}`) }
    await expect(home.install()).rejects.toMatchObject(says)
    await expect(home.remove()).rejects.toMatchObject(says)
    expect(await readFile(home.local, 'utf8')).toBe(changed)
    await writeFile(join(home.directory, 'other'), '')
    await home.write(home.shared, '{}')
    await chmod(home.shared, 0o400)
    await expect(home.install('shared')).rejects.toMatchObject({ code: 'settings-unwritable' })
  })

  test('a read-only file that is right already is no reason to complain [init-mark]', async () => {
    await using home = await project()
    await home.install()
    await chmod(home.local, 0o444)
    expect(await home.install()).toMatchObject({ did: 'nothing' })
  })

  test('links that lead nowhere, directories, pipes, and a project that does not exist [init-refused]', async () => {
    await using home = await project()
    await mkdir(dirname(home.local))
    await symlink('nowhere', home.local)
    await expect(home.install()).rejects.toMatchObject({
      code: 'settings-unreadable',
      message: expect.stringMatching(/points nowhere/),
    })
    await mkdir(home.shared)
    await expect(home.install('shared')).rejects.toMatchObject({ message: expect.stringMatching(/not a regular file/) })
    await mkdir(join(home.home, '.claude'))
    execFileSync('mkfifo', [join(home.home, '.claude', 'settings.json')])
    await expect(home.install('user')).rejects.toMatchObject({ message: expect.stringMatching(/not a regular file/) })
    expect((await home.list()).files.map(({ state }) => state)).toEqual(['unreadable', 'unreadable', 'unreadable'])
    const gone = join(home.root, 'gone')
    await expect(home.install('local', { directory: gone })).rejects.toMatchObject({ code: 'directory-missing' })
    await expect(home.install('local', { directory: 'relative' })).rejects.toMatchObject({ code: 'bad-request' })
  })
})

describe('a settings file is changed as a whole', () => {
  test('what the client writes while we think is not lost: we think again [init-refused]', async () => {
    await using home = await project()
    await home.write(home.local, '{"a": 1}')
    const { writeFileSync } = await import('node:fs')
    let calls = 0
    await changeSettings(home.local, file => {
      if (++calls === 1) writeFileSync(home.local, '{"a": 1, "allowed": true}')
      return { text: `${file.text} ` }
    })
    expect(calls).toBe(2)
    expect(await readFile(home.local, 'utf8')).toBe('{"a": 1, "allowed": true} ')
  })

  test('changes at the same time are all kept, and nothing else is left behind [init-refused]', async () => {
    await using home = await project()
    await home.write(home.local, '')
    const letters = [...'abcdefgh']
    await Promise.all(letters.map(letter => changeSettings(home.local, file => ({ text: `${file.text}${letter}` }))))
    expect([...(await readFile(home.local, 'utf8'))].toSorted()).toEqual(letters)
    expect(Object.keys(await home.everything())).toHaveLength(4)
  })
})
