import { expect, test } from 'vitest'
import type { RunDetail } from '../../src/contract/run.ts'
import { say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import { tempHome } from '../support/temp-home.ts'
import { gitProject, iterations } from './projects.ts'

const judged = (iteration: number, mark: string, verdict: string) =>
  turns(
    { role: 'judge', iteration },
    use(
      tool('StructuredOutput', {
        criteria: [{ id: 'C1', mark, evidence: 'a.txt holds it' }],
        verdict,
        because: 'seen',
      }),
    ),
    say('judged'),
  )

test('the model judge sees how the checks were changed, refuses one claim with its evidence and agrees to the next, read-only and unseen among the agents [loop-judge-model]', async () => {
  await using home = await tempHome({
    client: 'either',
    scenario: [
      ...judged(1, 'FAIL', 'continue'),
      ...judged(2, 'PASS', 'complete'),
      ...iterations(
        { runs: 'echo 1 > a.txt; echo exit 0 > check.sh', says: 'Done.\n\nDONE' },
        { runs: 'echo 2 > a.txt; echo grep 2 a.txt > check.sh', says: 'Done.\n\nDONE' },
      ),
    ],
  })
  gitProject(home.project, { 'check.sh': 'grep 2 a.txt\n' })
  const { code, out } = await home.rehoboam([
    ...['spawn', '--loop', '--prompt', 'Fill the file\n- [ ] a.txt holds 2', '--allowed-tools', 'Bash'],
    ...['--judge', 'model', '--judge-prompt', 'Look at a.txt', '--ward', 'sh check.sh', '--wait'],
  ])
  expect([code, out]).toEqual([0, expect.stringMatching(/the judge says: continue[\s\S]*the judge says: complete[\s\S]*\ncomplete, proven: /)]) // biome-ignore format: one claim
  const [run = ''] = home.runs()
  const shown = JSON.parse((await home.rehoboam(['show', run, '--json'])).out) as RunDetail
  expect(shown.loop).toMatchObject({ criteria: ['PASS'], refusedClaims: 1 })
  const [asked] = home.model.asked.filter(({ line }) => line.role === 'judge')
  expect(asked?.prompt).toContain('C1: a.txt holds 2')
  expect(asked?.prompt).toContain('Look at a.txt')
  expect(asked?.prompt).toContain('+1')
  const checks = /## What the checks said\n[\s\S]*?\n## /.exec(asked!.prompt)![0]
  expect(checks).toContain('they prove nothing')
  expect(checks).toContain('-grep 2 a.txt\n+exit 0')
  const second = await home.model.waitFor(({ line }) => line.role === 'auto' && line.iteration === '2')
  expect(second.prompt).toContain('C1 FAIL: a.txt holds it')
  const agents = JSON.parse((await home.rehoboam(['agents', '--json'])).out) as { role: string }[]
  expect(agents.map(({ role }) => role)).toEqual(['auto', 'auto'])
})
