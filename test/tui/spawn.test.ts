import { describe, expect, test } from 'vitest'
import { desk } from './desk.ts'

/** The request that was sent at last, without what differs each time. */
const sent = async (at: ReturnType<typeof desk>) => {
  const all: { path: string; body: unknown }[] = []
  while (!all.some(({ path }) => path === '/v1/runs')) all.push(...(await at.asks()))
  const { request, ...body } = all.find(({ path }) => path === '/v1/runs')!.body as Record<string, unknown>
  expect(request).toMatch(/^[0-9a-f-]{36}$/)
  return body
}

describe('the spawn dialog', () => {
  test('a loop: what is wrong is said as it is typed, and it cannot be sent before it is right [tui-spawn-checked]', async () => {
    const at = desk()
    at.keys('s')
    at.paste('Make the cart keep\nwhat is in it')
    // Down to how many iterations there may be.
    at.keys('<tab><tab><tab>many')
    expect(at.screen()).toMatch(/▶ iterations +many.*(number|whole)/)
    await at.sees('check: npm test (package.json)')
    expect(at.screen()).toContain('iterations, agreed: not yet')
    at.keys('<^s>')
    expect(at.screen()).toContain('iterations: not yet')
    at.keys('<^u>12<tab><^u>FERTIG<tab>')
    expect(at.screen()).not.toContain('iterations, agreed')
    at.keys('<right>')
    // The commands that were found are agreed to where they stand; from the task upwards it is the last field but one.
    at.keys('<backTab><backTab><backTab><backTab><backTab><backTab><backTab><backTab><backTab>y')
    expect(at.screen()).toMatch(/▶ agreed/)
    at.keys('<^s>')
    expect(await sent(at)).toEqual({
      prompt: 'Make the cart keep\nwhat is in it',
      directory: '/',
      environment: { LANG: 'C' },
      flags: { driver: 'headless', judge: 'model', maxIterations: '12', stopWord: 'FERTIG' },
      arguments: [],
      loop: {
        ...{ role: 'auto', autoSpawn: false, ward: null, judgePrompt: null, acceptRedBase: false, worktree: false },
        ...{ agreed: 'h1', agreedDirty: false },
      },
      quest: null,
    })
    await at.sees('run n3wrun01 is started')
  })

  test('a quest: it has the fields of one, wants a task, and asks for the plan first where that is wished [tui-spawn-checked]', async () => {
    const at = desk()
    at.keys('s<backTab><backTab>q')
    expect(at.screen()).toMatch(/slots[\s\S]*plan/)
    expect(at.screen()).not.toMatch(/stop word|workers|judge/)
    await at.sees(/task, agreed: not yet/)
    at.keys('<^s>')
    expect(at.screen()).toMatch(/task: not yet/)
    at.keys('Two currencies<tab><tab>-<tab>2<tab>a')
    expect(at.store.ui.dialog).toMatchObject({
      form: { focus: 'approve', values: { approve: { text: 'asks you first' } } },
    })
    at.keys('<backTab><^u>none')
    expect(at.screen()).toMatch(/▶ slots +none/)
    expect(at.screen()).toContain('slots, agreed: not yet')
    at.keys('<^u>2')
    at.keys('<tab><tab><tab><tab><tab>y<^s>')
    const { flags, quest, loop, prompt } = await sent(at)
    expect({ flags, quest, loop, prompt }).toEqual({
      prompt: 'Two currencies',
      flags: { driver: 'headless', slots: '2' },
      loop: null,
      quest: { approvePlan: true, ward: [], acceptRedBase: false, agreed: 'h1', agreedDirty: false },
    })
  })

  test('a directory that is none is said while it is typed [tui-spawn-checked]', () => {
    const at = desk()
    at.keys('s<backTab>nowhere')
    expect(at.screen()).toContain('there is no such directory')
    at.keys('<^u>here')
    expect(at.screen()).toContain('it must be absolute')
    at.keys('<escape>')
    expect(at.store.ui.dialog).toBeNull()
  })
})

test('text is edited by what a reader calls characters, over lines, with the keys of a shell [tui-spawn-checked]', () => {
  const at = desk()
  const text = () => (at.store.ui.dialog?.kind === 'spawn' ? at.store.ui.dialog.form.values.prompt.text : '')
  at.keys('s')
  at.paste('one\r\ntwo 👨‍👩‍👧\rthree')
  expect(text()).toBe('one\ntwo 👨‍👩‍👧\nthree')
  at.keys('<up><end>')
  expect(at.screen()).toMatch(/one[\s\S]*two[\s\S]*three/)
  at.keys('<^a><right><right><right><enter>!')
  expect(text()).toBe('one\n!\ntwo 👨‍👩‍👧\nthree')
  at.keys('<^e><^w><backspace><backspace>')
  expect(text()).toBe('one\n!\ntwo ')
  at.keys('é<left><backspace>')
  expect(text()).toBe('one\n!\ntwoé')
  at.keys('<^u>')
  expect(text()).toBe('')
})

test('what is pasted is text and never keys; in a list it is nothing [tui-spawn-checked]', () => {
  const at = desk()
  at.paste('qXy')
  expect(at.hasQuit()).toBe(false)
  at.keys('/')
  at.paste('shop\nweb')
  expect(at.store.ui.search.text).toBe('shop\nweb')
  expect(at.screen()).toMatch(/search {2}\d+ found/)
})
