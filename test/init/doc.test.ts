import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ANY_PROGRAM, INIT_VERSION, userHooks } from '../../src/contract/hook-settings.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/hooks.md'), 'utf8')

test('the page lists every hook that init writes, with who waits and for how long [hooks-doc]', () => {
  const rows = userHooks('x').map(({ event, group: { hooks } }) => {
    const { timeout, async } = hooks[0]!
    const isHeld = timeout === 3600
    const waits = isHeld ? 'for your answer' : async ? 'no' : 'until it is told'
    return `| ${event} | ${waits} | ${isHeld ? '1 h' : `${timeout} s`} |`
  })
  const table = page.split('\n').filter(line => /^\| [A-Z]\w+ \| .* \| [0-9]+ (s|h) \|$/.test(line))
  expect(table).toEqual(rows)
})

test('the page shows the mark and the commands as they are written [hooks-doc]', () => {
  expect(page).toContain(`hook --from init-${INIT_VERSION}\``)
  const shared = userHooks(ANY_PROGRAM)[0]!.group.hooks[0]!.command
  expect(page).toContain(`${shared}      (--shared)`)
})
