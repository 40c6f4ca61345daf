import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { QUEST_ROLES, SIGNAL_KINDS } from '../../src/contract/quest-tools.ts'
import { RoleBook } from '../../src/daemon/roles/role-book.ts'
import { PROGRAM } from '../support/programs.ts'

const BUILT_IN = join(PROGRAM, '../roles')

test('the six roles are built in, and may signal and change what the specification says [roles-built-in]', async () => {
  const roles = await book().of(project({}))
  expect(roles.map(({ name }) => name).sort()).toEqual([...QUEST_ROLES].sort())
  const table = Object.fromEntries(roles.map(role => [role.name, [role.mayChange, ...role.maySignal]]))
  expect(table).toEqual({
    chaoswhisperer: ['nothing', 'complete', 'needs-user-input'],
    pathseeker: ['nothing', ...SIGNAL_KINDS],
    codeweaver: ['everything', ...SIGNAL_KINDS],
    siegemaster: ['tests', 'complete', 'partially-complete', 'needs-role-followup'],
    lawbringer: ['nothing', 'complete', 'needs-role-followup'],
    spiritmender: ['everything', ...SIGNAL_KINDS],
  })
  for (const role of roles) {
    expect(role).toMatchObject({ from: 'built-in', description: expect.stringMatching(/\w{4}/) })
    // Who may change nothing has no tool that is only there to change files.
    expect(role.tools?.includes('Edit') ?? true).toBe(role.mayChange !== 'nothing')
  }
})

test('a role is shown examples of every signal that it may send and of no other, and how a session ends [roles-prompts]', async () => {
  for (const { name, prompt, maySignal } of await book().of(project({}))) {
    const shown = [...prompt.matchAll(/"signal": "([\w-]+)"/g)].map(([, signal]) => signal)
    for (const signal of shown) expect(maySignal).toContain(signal)
    for (const signal of maySignal)
      expect([name, signal, prompt.includes(`\`${signal}\``)]).toEqual([name, signal, true])
    for (const [, json] of prompt.matchAll(/^ {4}(\{"signal"[\s\S]*?\})$/gm))
      expect(() => JSON.parse(json!)).not.toThrow()
    expect(prompt).toMatch(/## Never\n[\s\S]*## How a session ends\n[\s\S]*without the signal counts as a crash/)
  }
})

test('a file of the project overrides a role key by key, or adds one that may do the least [roles-override]', async () => {
  const directory = project({
    'codeweaver.md': '---\nmodel: haiku\n---\n',
    'lawbringer.md': 'Judge by our own law.',
    'scout.md': 'Look around.',
    'notes.txt': 'not a role',
    '.hidden.md': '---\nbad',
  })
  const roles = new Map((await book().of(directory)).map(role => [role.name, role]))
  const ours = new Map((await book().of(project({}))).map(role => [role.name, role]))
  expect(roles.get('codeweaver')).toEqual({ ...ours.get('codeweaver'), model: 'haiku' })
  const law = roles.get('lawbringer')!
  expect(law).toMatchObject({ from: 'project', effort: 'high', maySignal: ['complete', 'needs-role-followup'] })
  expect(law.prompt).toMatch(/^Judge by our own law\.\n\n## How a session ends/)
  expect(roles.get('scout')).toMatchObject({
    from: 'project',
    mayChange: 'nothing',
    maySignal: ['complete'],
    tools: null,
  })
  expect(roles.size).toBe(7)
})

test('a file that is no role is refused with its name, the line and what to write [role-file-read]', async () => {
  const refusal = async (files: Record<string, string>) => {
    return book().of(project(files)).then(() => null, error => `${error.code} ${error.message}`) // biome-ignore format: one line
  }
  expect(await refusal({ 'codeweaver.md': '---\nmodel: a\n\nmodle: b\n---\nBuild.' })).toBe(
    'role-file .rehoboam/roles/codeweaver.md:4: there is no key "modle"; did you mean model?',
  )
  expect(await refusal({ 'Scout.md': 'x' })).toMatch(/roles\/Scout\.md:1: "Scout" is no name of a role/)
  expect(await refusal({ 'scout.md': '---\nmodel: a\n---\n' })).toMatch(/scout\.md: it has no prompt; write below/)
  expect(await refusal({ 'scout.md': 'x'.repeat(300_000) })).toMatch(/scout\.md: it is longer than 64000/)
  expect(await refusal(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`r${n}.md`, 'x'])))).toMatch(
    /more than 50/,
  )
  const linked = project({})
  symlinkSync('/etc/passwd', join(linked, '.rehoboam/roles/scout.md'))
  await expect(book().of(linked)).rejects.toThrow(/scout\.md: it is not a file of its own/)
})

test('what the build ships are the role files as they are written [roles-built-in]', () => {
  for (const role of QUEST_ROLES) {
    const source = join(import.meta.dirname, `../../src/daemon/roles/built-in/${role}.md`)
    expect(readFileSync(join(BUILT_IN, `${role}.md`), 'utf8')).toBe(readFileSync(source, 'utf8'))
  }
})

function book(): RoleBook {
  return new RoleBook(BUILT_IN)
}

function project(files: Record<string, string>): string {
  const directory = mkdtempSync(join(tmpdir(), 'rehoboam-roles-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  mkdirSync(join(directory, '.rehoboam/roles'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, '.rehoboam/roles', name), text)
  return directory
}
