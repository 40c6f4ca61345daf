import { execFileSync } from 'node:child_process'
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type ConfigFile,
  projectConfigFile,
  readConfigFile,
  readConfigFiles,
  setValue,
  unset,
  userConfigFile,
} from '../../src/adapters/config-files.ts'
import { resolveConfig } from '../../src/config/resolve.ts'

async function tempDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'rehoboam-config-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
const userFile = (directory: string): ConfigFile => ({ source: 'user', path: join(directory, 'config.json') })
const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

test("the user's file is below XDG_CONFIG_HOME, else below ~/.config; the project's stands in its directory [config-file-places]", () => {
  expect(userConfigFile({ XDG_CONFIG_HOME: '/x' })).toEqual({ source: 'user', path: '/x/rehoboam/config.json' })
  expect(userConfigFile({ HOME: '/home/u' }).path).toBe('/home/u/.config/rehoboam/config.json')
  expect(userConfigFile({ HOME: '/home/u', XDG_CONFIG_HOME: './x' }).path).toBe('/home/u/.config/rehoboam/config.json')
  expect(userConfigFile({}).path).toBe(join(homedir(), '.config/rehoboam/config.json'))
  expect(projectConfigFile('/p')).toEqual({ source: 'project', path: '/p/rehoboam.config.json' })
})

test('files that do not exist are null, and those that do reach resolveConfig as they are [config-file-places]', async () => {
  await using home = await tempDirectory()
  const env = { XDG_CONFIG_HOME: home.path }
  expect(await readConfigFiles(home.path, env)).toEqual({ project: null, user: null })
  await mkdir(join(home.path, 'rehoboam'))
  await writeFile(join(home.path, 'rehoboam/config.json'), '{"model": "user"}')
  await writeFile(join(home.path, 'rehoboam.config.json'), '\ufeff{"driver": "pane"}\r\n')
  const files = await readConfigFiles(home.path, env)
  expect(files.project?.text).toBe('\ufeff{"driver": "pane"}\r\n')
  expect(resolveConfig(files)).toMatchObject({ values: { model: 'user', driver: 'pane' }, problems: [] })
  expect((await readConfigFiles(null, env)).project).toBeNull()
})

test('what cannot be read as a config file is an error that says why, never a missing file [config-wrong-value]', async () => {
  await using home = await tempDirectory()
  const at = (name: string) => join(home.path, name)
  await mkdir(at('directory'))
  await symlink('nowhere', at('dangling'))
  await symlink('loop', at('loop'))
  await symlink('/dev/zero', at('device'))
  execFileSync('mkfifo', [at('pipe')])
  await writeFile(at('large'), ' '.repeat(1024 * 1024 + 1))
  await writeFile(at('latin1'), Buffer.from('{"model": "caf\xe9"}', 'latin1'))
  await writeFile(at('file'), '{}')
  const reasons = {
    directory: 'it is not a regular file',
    dangling: 'a link that points nowhere',
    loop: 'a link that leads back to itself',
    device: 'it is not a regular file',
    pipe: 'it is not a regular file',
    large: 'larger than 1 MB',
    latin1: 'not UTF-8',
    'file/config.json': 'not a directory',
  }
  for (const [name, reason] of Object.entries(reasons)) {
    await expect(readConfigFile(at(name)), name).rejects.toMatchObject({
      code: 'config-unreadable',
      message: expect.stringContaining(reason),
    })
    await expect(setValue({ source: 'user', path: at(name) }, 'model', 'x'), name).rejects.toMatchObject({
      code: 'config-unreadable',
    })
  }
})

test("a new user's file is 0600 in a 0700 directory; a new project's file follows the umask [config-file-kept]", async () => {
  await using home = await tempDirectory()
  const user = userConfigFile({ XDG_CONFIG_HOME: join(home.path, 'new') })
  await setValue(user, 'sessions.max', 4)
  expect(await readFile(user.path, 'utf8')).toBe('{\n  "sessions.max": 4\n}\n')
  expect([await mode(user.path), await mode(join(home.path, 'new/rehoboam'))]).toEqual(['600', '700'])
  const project = projectConfigFile(home.path)
  const umask = process.umask()
  await setValue(project, 'driver', 'pane')
  expect(await mode(project.path)).toBe((0o666 & ~umask).toString(8))
})

test('a change keeps mode, owner and a link to the file, and leaves nothing else behind [config-file-kept]', async () => {
  await using home = await tempDirectory()
  await mkdir(join(home.path, 'dotfiles'))
  const target = join(home.path, 'dotfiles', 'rehoboam.json')
  await writeFile(target, '{\r\n    "model": "a"\r\n}')
  await chmod(target, 0o640)
  const asRoot = process.getuid?.() === 0
  if (asRoot) await chown(target, 1234, 2345)
  const file = userFile(home.path)
  await symlink('dotfiles/rehoboam.json', file.path)
  await setValue(file, 'driver', 'pane')
  expect((await lstat(file.path)).isSymbolicLink()).toBe(true)
  expect(await readFile(target, 'utf8')).toBe('{\r\n    "model": "a",\r\n    "driver": "pane"\r\n}')
  expect(await mode(target)).toBe('640')
  if (asRoot) expect(await stat(target)).toMatchObject({ uid: 1234, gid: 2345 })
  expect(await readdir(join(home.path, 'dotfiles'))).toEqual(['rehoboam.json'])
  expect(await readdir(home.path)).toEqual(['config.json', 'dotfiles'])
})

test('a refused change touches nothing: unknown key, wrong value, forbidden key, broken or read-only file [config-edit-broken]', async () => {
  await using home = await tempDirectory()
  const user = userFile(home.path)
  const project = projectConfigFile(home.path)
  await expect(setValue(user, 'modle', 'x')).rejects.toMatchObject({ code: 'config-unknown-key' })
  await expect(setValue(user, '__proto__', 'x')).rejects.toMatchObject({ code: 'config-unknown-key' })
  await expect(setValue(user, 'sessions.max', 'x')).rejects.toMatchObject({ code: 'config-wrong-value' })
  await expect(setValue(project, 'claude', '/bin/x')).rejects.toMatchObject({ code: 'config-not-for-projects' })
  expect(await readdir(home.path)).toEqual([])
  await writeFile(user.path, '{ // mine\n}')
  await expect(setValue(user, 'model', 'x')).rejects.toMatchObject({
    code: 'config-wrong',
    message: expect.stringMatching(/config\.json: line 1: comments are not possible.*fix the file first/),
  })
  await expect(unset(user, 'model')).rejects.toMatchObject({ code: 'config-wrong' })
  expect(await readFile(user.path, 'utf8')).toBe('{ // mine\n}')
  await writeFile(user.path, '{}')
  await chmod(user.path, 0o444)
  await expect(setValue(user, 'model', 'x')).rejects.toMatchObject({ code: 'config-unwritable' })
  await expect(setValue(projectConfigFile(join(home.path, 'gone')), 'model', 'x')).rejects.toMatchObject({
    code: 'config-unwritable',
    message: expect.stringContaining('does not exist'),
  })
  expect(await readdir(home.path)).toEqual(['config.json'])
})

test('unset takes a key out and says whether it was there [config-file-places]', async () => {
  await using home = await tempDirectory()
  const file = userFile(home.path)
  expect(await unset(file, 'model')).toBe(false)
  expect(await readdir(home.path)).toEqual([])
  await writeFile(file.path, '{"modle": 1, "model": "a"}\n')
  expect(await unset(file, 'modle')).toBe(true)
  expect(await unset(file, 'modle')).toBe(false)
  expect(await readFile(file.path, 'utf8')).toBe('{"model": "a"}\n')
})

test('changes at the same time are all kept [config-file-kept]', async () => {
  await using home = await tempDirectory()
  const file = userFile(home.path)
  await Promise.all([
    setValue(file, 'model', 'a'),
    setValue(file, 'driver', 'pane'),
    setValue(file, 'sessions.max', 3).then(() => setValue(file, 'sessions.max', 5)),
    setValue(file, 'modle', 'x').catch(() => {}),
    unset(file, 'claude'),
    setValue(file, 'maxTime', '2h'),
  ])
  const { values, problems } = resolveConfig({ user: await readConfigFile(file.path) })
  expect(problems).toEqual([])
  expect(values).toMatchObject({ model: 'a', driver: 'pane', 'sessions.max': 5, maxTime: '2h' })
})

test('whoever reads during a change sees the old file or the new one, never a part [config-file-kept]', async () => {
  await using home = await tempDirectory()
  const file = userFile(home.path)
  await setValue(file, 'env.keep', ['A'])
  let writing = true
  const seen = new Set<number>()
  const reader = (async () => {
    while (writing) {
      const { values, problems } = resolveConfig({ user: await readConfigFile(file.path) })
      expect(problems).toEqual([])
      seen.add(values['env.keep'].length)
    }
  })()
  for (let turn = 0; turn < 40; turn++)
    await setValue(file, 'env.keep', Array(turn % 2 ? 200 : 1).fill('A'.repeat(150)))
  writing = false
  await reader
  expect([...seen].every(length => length === 1 || length === 200)).toBe(true)
})
