import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { initCommand } from '../../src/cli/commands/init-command.ts'
import { type Face, fromInsideAnAgent } from '../../src/cli/face.ts'
import { Out } from '../../src/cli/out.ts'
import { HOOK_ROWS } from '../../src/contract/hook-settings.ts'
import { PROGRAM, project } from './project.ts'

type Project = Awaited<ReturnType<typeof project>>

/** The command as a person types it, with the daemon's routes behind it. */
async function rehoboam(home: Project, args: string[], env: Record<string, string> = {}) {
  const said = { out: '', err: '' }
  const stream = (name: 'out' | 'err') => ({
    write: (text: string) => {
      said[name] += text
      return true
    },
  })
  const whole = { HOME: home.home, ...env }
  const face = {
    out: new Out(stream('out'), stream('err'), {}, []),
    script: PROGRAM.script,
    env: whole,
    daemon: { ask: ({ path, body }: { path: string; body: unknown }) => home.ask(path, body) },
    mayChange: (command: string) => fromInsideAnAgent(whole, command),
  } as unknown as Face
  await initCommand(face).exitOverride().parseAsync(args, { from: 'user' })
  return said
}

const COUNT = HOOK_ROWS.length

describe('rehoboam init', () => {
  test("writes this very program into the project's own file, and says so [init-command]", async () => {
    await using home = await project()
    const first = await rehoboam(home, [home.directory])
    expect(first.out).toBe(
      `${COUNT} hooks are in ${home.local}: sessions of yours in this project report here from now on\n`,
    )
    const { hooks } = JSON.parse(await readFile(home.local, 'utf8'))
    expect(hooks.Stop[0].hooks[0].command).toBe(
      `"${process.execPath}" "${PROGRAM.script}" hook --from init-1 2>/dev/null || exit 0`,
    )
    expect((await rehoboam(home, [home.directory])).out).toContain('already, and current')
    expect((await rehoboam(home, ['--remove', home.directory])).out).toBe(
      `${COUNT} hooks of ours are out of ${home.local}; the rest of it is as it was\n`,
    )
    expect((await rehoboam(home, ['--remove', home.directory])).out).toContain(`none of our hooks is in ${home.local}`)
  })

  test('--shared writes the portable form, --user honours CLAUDE_CONFIG_DIR [init-command]', async () => {
    await using home = await project()
    expect((await rehoboam(home, ['--shared', home.directory])).out).toContain(`in ${home.shared}:`)
    expect(await readFile(home.shared, 'utf8')).not.toContain(PROGRAM.script)
    const user = join(home.home, '.claude', 'settings.json')
    expect((await rehoboam(home, ['--user'])).out).toContain(`in ${user}:`)
    const elsewhere = join(home.root, 'elsewhere')
    const env = { CLAUDE_CONFIG_DIR: elsewhere }
    expect((await rehoboam(home, ['--user'], env)).out).toContain(`in ${join(elsewhere, 'settings.json')}:`)
    expect(await readFile(join(elsewhere, 'settings.json'), 'utf8')).toContain(PROGRAM.script)
  })

  test('--list shows which of the three files hold ours, and whether they are current [init-command]', async () => {
    await using home = await project()
    const words = async () => (await rehoboam(home, ['--list', home.directory])).out.replace(/ {2,}/g, ' | ')
    expect(await words()).toContain(`local | none | none of ours | ${home.local}`)
    await rehoboam(home, ['--user'])
    await rehoboam(home, ['--shared', home.directory])
    await home.write(home.local, '{"hooks":')
    const old = (await readFile(home.shared, 'utf8')).replaceAll('init-1', 'init-0')
    await home.write(home.shared, old)
    const [head, local, shared, user] = (await words()).split('\n')
    expect(head).toBe('which | state | hooks | file')
    expect(local).toMatch(/^local \| unreadable \| line 1: the file ends too early/)
    expect(shared).toBe(`shared | outdated | ${COUNT} hooks, written by another version (init-0) | ${home.shared}`)
    expect(user).toBe(`user | current | ${COUNT} hooks, current | ${join(home.home, '.claude', 'settings.json')}`)
    const json = JSON.parse((await rehoboam(home, ['--list', '--json', home.directory])).out)
    expect(json.files.map(({ place, state, hooks }: Record<string, unknown>) => [place, state, hooks])).toEqual([
      ['local', 'unreadable', 0],
      ['shared', 'outdated', COUNT],
      ['user', 'current', COUNT],
    ])
  })

  test('hooks of another place of this program are not current [init-command]', async () => {
    await using home = await project()
    await home.install()
    await rehoboam(home, ['--list', home.directory])
    const { files } = JSON.parse((await rehoboam(home, ['--list', '--json', home.directory])).out)
    expect(files[0]).toMatchObject({ state: 'outdated', sentence: `${COUNT} hooks, of another program or place` })
  })

  test('it says when another file holds ours too, and when hooks are switched off [init-command]', async () => {
    await using home = await project()
    await rehoboam(home, ['--user'])
    await home.write(home.shared, '{"disableAllHooks": true}')
    const { err } = await rehoboam(home, [home.directory])
    expect(err).toContain(`${join(home.home, '.claude', 'settings.json')} holds ${COUNT} of our hooks too`)
    expect(err).toContain(`${home.shared} says disableAllHooks: the client runs no hooks`)
  })

  test('an agent may look and not change; flags that contradict each other are told apart [init-command]', async () => {
    await using home = await project()
    const before = await home.everything()
    const inside = { CLAUDECODE: '1' }
    expect((await rehoboam(home, ['--list', home.directory], inside)).out).toContain('none of ours')
    await expect(rehoboam(home, [home.directory], inside)).rejects.toMatchObject({ code: 'inside-agent' })
    await expect(rehoboam(home, ['--remove', '--user'], inside)).rejects.toMatchObject({ code: 'inside-agent' })
    for (const args of [
      ['--shared', '--user'],
      ['--list', '--user'],
      ['--list', '--remove'],
      ['--user', 'x'],
    ]) {
      await expect(rehoboam(home, args), args.join(' ')).rejects.toMatchObject({ code: 'usage' })
    }
    await expect(rehoboam(home, [join(home.root, 'gone')])).rejects.toMatchObject({ code: 'directory-missing' })
    expect(await home.everything()).toEqual(before)
  })

  test('--json gives the same facts [init-command]', async () => {
    await using home = await project()
    const did = async (args: string[]) => JSON.parse((await rehoboam(home, [...args, '--json', home.directory])).out)
    expect(await did([])).toEqual({ place: 'local', path: home.local, did: 'installed', hooks: COUNT, notes: [] })
    expect(await did([])).toMatchObject({ did: 'nothing', hooks: COUNT })
    await home.install()
    expect(await did([])).toMatchObject({ did: 'updated', hooks: COUNT })
    expect(await did(['--remove'])).toMatchObject({ did: 'removed', hooks: COUNT })
    expect(await did(['--remove'])).toMatchObject({ did: 'nothing', hooks: 0 })
  })
})
