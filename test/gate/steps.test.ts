import { expect, test } from 'vitest'
import { type Outcome, runSteps, type Step } from '../../scripts/lanes/steps.ts'

const well = async (): Promise<Outcome> => ({ ok: true, output: 'noise' })
const badly = async (): Promise<Outcome> => ({ ok: false, says: 'two errors', output: 'a.ts:1\na.ts:2\n\n' })

const step = (name: string, run: Step['run'], more: Partial<Step> = {}): Step => ({
  name,
  again: `retry ${name}`,
  run,
  ...more,
})

async function told(steps: Step[], signal?: AbortSignal): Promise<{ ok: boolean; text: string }> {
  let text = ''
  const ok = await runSteps(steps, part => (text += part), signal)
  return { ok, text: text.replaceAll(/ +\d+\.\d s/g, ' T') }
}

test('each step has its line, and the output of those that went well is not shown [test-counts]', async () => {
  expect(await told([step('build', well), step('tests', well, { loud: true })])).toEqual({
    ok: true,
    text: 'build   ok T\ntests\ntests   ok T\n',
  })
})

test('a failed step shows its output, the others go on, and the end says what to type [test-counts]', async () => {
  expect(await told([step('types', badly), step('lint', well)])).toEqual({
    ok: false,
    text: 'types   FAILED T  two errors\na.ts:1\na.ts:2\nlint    ok T\n\ntypes failed. Type: retry types\n',
  })
})

test('a failed step that the rest needs is the last one [test-counts]', async () => {
  const { text } = await told([step('build', badly, { needed: true }), step('tests', well)])
  expect(text).not.toContain('tests')
})

test('after an interruption no step starts [test-interrupted]', async () => {
  const stop = new AbortController()
  const interrupted = async (): Promise<Outcome> => {
    stop.abort()
    return { ok: false }
  }
  expect(await told([step('build', interrupted), step('tests', well)], stop.signal)).toEqual({
    ok: false,
    text: 'build   interrupted\n',
  })
})
