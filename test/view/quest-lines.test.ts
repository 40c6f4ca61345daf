import { expect, test } from 'vitest'
import type { QuestDetail, StepView } from '../../src/contract/quest.ts'
import type { RunDetail } from '../../src/contract/run.ts'
import { changesIn, planText } from '../../src/view/plan-text.ts'
import { questPicture } from '../../src/view/quest-picture.ts'
import { widthOf } from '../../src/view/width.ts'
import fc from '../support/laws.ts'

const ESC = '\u001b'

test('the picture shows each step below what it depends on, who is at work, in which slot and for how much [cli-quest-wait]', () => {
  const steps = [
    step({ id: 'model', status: 'complete', costUsd: 0.1 }),
    step({
      id: 'parse',
      status: 'working',
      role: 'codeweaver',
      slot: 2,
      dependsOn: ['model'],
      title: `Dates${ESC}[2J`,
    }),
    step({ id: 'show', dependsOn: ['parse'], waitsOn: ['parse'] }),
    step({ id: 'old', status: 'dropped' }),
  ]
  const errands = [step({ id: 'plan', status: 'complete', title: 'plan' })]
  expect(questPicture(run(steps, errands), 65_000, 100, 20)).toEqual([
    'k3v9x0ab  steps are being done   slots 1/3   $0.42 of $2.00   1 m 05 s',
    '  ✓ plan      complete',
    '  ✓ model     complete                    $0.10  The part model',
    '    ● parse   codeweaver at work, slot 2         Dates',
    '      ○ show  waits for parse                    The part show',
  ])
})

test('a picture of a thousand steps fits, with what is at work first [cli-quest-wait]', () => {
  const steps = Array.from({ length: 1000 }, (_, n) => {
    const status = n < 600 ? 'complete' : n === 777 ? 'working' : 'pending'
    return step({ id: `s${n}`, status, role: 'codeweaver', dependsOn: n ? [`s${n - 1}`] : [], title: '寿'.repeat(90) })
  })
  const lines = questPicture(run(steps, []), 1000, 60, 10)
  expect(lines).toHaveLength(10)
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(60)
  expect(lines.join('\n')).toContain('● s777')
  expect(lines.at(-1)).toBe('  … 600 over, 392 more')
})

test('a plan as text is read back as it was, whatever stands in it [cli-quest-plan]', () => {
  const id = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
  const words = fc.string({ unit: fc.constantFrom(...'ab #:\\-\n', '## ', 'files: x') }).map(text => `x${text}y`)
  const line = fc.string({ unit: fc.constantFrom(...'ab :#') }).map(text => `t${text}t`)
  const one = fc.record({ id, title: line, text: words, files: fc.uniqueArray(id), dependsOn: fc.uniqueArray(id), requirements: fc.uniqueArray(id) }) // biome-ignore format: one record
  fc.assert(
    fc.property(fc.uniqueArray(one, { selector: ({ id }) => id, maxLength: 5 }), steps => {
      expect(changesIn(planText('k3v9x0ab', steps), steps)).toEqual({ change: { steps: [], drop: [] } })
      expect(changesIn(planText('k3v9x0ab', steps), [])).toEqual({ change: { steps, drop: [] } })
    }),
  )
})

test('what is changed, new and gone in the text is the change; what is wrong in it is said with its line [cli-quest-plan]', () => {
  const steps = ['a', 'b', 'c'].map(id => step({ id }))
  const text = planText('k3v9x0ab', steps)
  const edited = text
    .replace(/## a:[\s\S]*?(?=## b)/, '')
    .replace('Do b.', 'Do b well.')
    .concat('\n## d: New one\nafter: b, c\n\nDo d.\n')
  const change = changesIn(edited, steps)
  expect(change).toMatchObject({
    change: {
      steps: [
        { id: 'b', text: 'Do b well.' },
        { id: 'd', dependsOn: ['b', 'c'] },
      ],
      drop: ['a'],
    },
  })
  const wrong: [string, RegExp][] = [
    ['Hello', /"Hello" belongs to no step/],
    ['# x\n\n## a b: T\n\nx', /^line 3: "a b" is no id/],
    ['## a\n\nx', /^line 1: a has no title; write "## a: what it is"/],
    ['## a: T\nfiles: x\n\n', /^line 1: a has no words/],
  ]
  for (const [text, sentence] of wrong) {
    expect(changesIn(text, steps)).toEqual({ wrong: expect.stringMatching(sentence) })
  }
})

function step(more: Partial<StepView> & { id: string }): StepView {
  const none = { files: [], dependsOn: [], requirements: [], waitsOn: [], chain: [], branch: null, commit: null }
  const usual = {
    phase: 'code' as const,
    status: 'pending' as const,
    role: null,
    slot: null,
    attempts: 0,
    reds: 0,
    costUsd: 0,
  }
  return { title: `The part ${more.id}`, text: `Do ${more.id}.`, ...none, ...usual, ...more }
}

function run(steps: StepView[], errands: StepView[]): RunDetail {
  const quest = {
    slots: [null, 'parse', null],
    steps,
    errands,
    maxCostUsd: 2,
    waitsUntil: null,
  } as Partial<QuestDetail>
  const about = { id: 'k3v9x0ab', sentence: 'steps are being done', costUsd: 0.42, endedAt: null }
  return { ...about, startedAt: new Date(0).toISOString(), quest } as RunDetail
}
