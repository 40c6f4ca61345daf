import { describe, expect, test } from 'vitest'
import { expectNothingLeftAfter, leftBy, NOTHING, visitor } from './visitor.ts'

describe('the demo', () => {
  test('from inside an agent leaves nothing behind [demo-inside-agent]', async () => {
    await using home = await visitor('the real client')
    expect((await home.demo([], { CLAUDECODE: '1' }).ended).code).toBe(0)
    expect(await leftBy(home)).toEqual(NOTHING)
  })

  test.for([
    ['Ctrl-C at its beginning', 'A scratch repository', ['SIGINT']],
    ['two Ctrl-C', 'I look at the code', ['SIGINT', 'SIGINT']],
    ['a closed terminal', 'I look at the code', ['SIGHUP']],
    ['TERM', 'I look at the code', ['SIGTERM']],
  ] as const)('%s ends it with 130 and leaves nothing behind [demo-clean]', ([, words, signals]) =>
    expectNothingLeftAfter(words, signals),
  )
})
