import type { QuestDetail, StepState, StepView } from '../../contract/quest.ts'
import type { RunDetail } from '../../contract/run.ts'
import { cellText } from '../../view/cell-text.ts'
import { costWords, numberOf } from '../../view/words.ts'
import { doingOf } from '../agent-cells.ts'
import { cellsOf, cutRow, type Row, rule, span, spread, type Tone } from '../row.ts'
import { type Context, type KeyHint, windowOf } from '../screen.ts'
import { stepGraph } from '../step-graph.ts'
import type { Part } from './run-screen.ts'

const SIGNS: Record<StepState, [string, Tone]> = {
  pending: ['·', 'dim'],
  ready: ['○', 'text'],
  working: ['●', 'working'],
  warding: ['◐', 'working'],
  queued: ['◌', 'working'],
  merging: ['◒', 'working'],
  asking: ['?', 'attention'],
  resplit: ['↻', 'attention'],
  complete: ['✓', 'done'],
  skipped: ['−', 'dim'],
  dropped: ['−', 'dim'],
}

/** The steps as a graph with the roles in charge, what runs in each slot, and what waits for whom. */
export function questPart(context: Context, run: RunDetail, quest: QuestDetail): Part {
  const steps = [...quest.errands, ...quest.steps]
  return {
    ids: steps.map(({ id }) => id),
    rows(chosen, height) {
      const below = [...slotRows(context, quest), ...questionRows(context, quest), ...waitRows(context, quest)]
      const room = Math.max(3, height - Math.min(below.length + 1, Math.ceil(height / 2)))
      const chosenStep = steps.find(({ id }) => id === chosen)
      const about = chosenStep ? [aboutRow(context, chosenStep)] : []
      return [...graphRows(context, quest, chosen, room - about.length), ...about, rule(context.columns), ...below]
    },
    target(chosen) {
      const session = quest.sessions.findLast(({ step, endedAt }) => step === chosen && endedAt === null)
      const latest = session ?? quest.sessions.findLast(({ step }) => step === chosen)
      const step = steps.find(({ id }) => id === chosen)
      const canRetry = step?.status === 'asking' || step?.status === 'skipped'
      return { ...(step && { step: { run: run.id, id: step.id, canRetry } }), ...(latest && { agent: latest.id }) }
    },
    keys: keysOf(quest),
  }
}

function keysOf({ questions }: QuestDetail): KeyHint[] {
  const open = questions.filter(({ answer }) => answer === null)
  const answers: KeyHint[] = open.some(({ kind }) => kind === 'plan')
    ? [
        ['y', 'approve the plan'],
        ['a', 'send it back'],
      ]
    : open.length > 0
      ? [['a', 'answer']]
      : []
  return [...answers, ['enter', 'its session'], ['R', 'retry'], ['S', 'skip'], ['E', 'edit the plan'], ['M', 'merge']]
}

function graphRows(context: Context, quest: QuestDetail, chosen: string | null, room: number): Row[] {
  const { columns } = context
  const errands: Row = quest.errands.flatMap(errand => [...labelOf(errand, quest, context, chosen), { text: '   ' }])
  const head = errands.length > 0 ? [cutRow([{ text: '  ' }, ...errands], columns), []] : []
  if (quest.steps.length === 0) return [...head, [span('  no plan yet', 'dim')]]
  const nodes = quest.steps.map(step => ({
    id: step.id,
    dependsOn: step.dependsOn,
    label: labelOf(step, quest, context, chosen),
  }))
  const graph = stepGraph(nodes, columns - 3)
  const at = quest.steps.findIndex(({ id }) => id === chosen)
  const left = Math.max(2, room - head.length)
  if (!graph) {
    const { from, to } = windowOf(quest.steps.length, Math.max(0, at), left)
    return [...head, ...quest.steps.slice(from, to).map(step => listRow(step, quest, context, chosen))]
  }
  const { from, to } = windowOf(graph.rows.length, graph.rowOf.get(chosen ?? '') ?? 0, left)
  return [...head, ...graph.rows.slice(from, to).map(row => cutRow([{ text: '  ' }, ...row], columns))]
}

function labelOf(step: StepView, quest: QuestDetail, { clock }: Context, chosen: string | null): Row {
  const [sign, tone] = SIGNS[step.status]
  const session = quest.sessions.findLast(({ step: of, endedAt }) => of === step.id && endedAt === null)
  const about = [step.role ? cellText(step.role, 20) : '', session ? clock.age(session.startedAt) : '']
  return [
    span(`${sign} `, tone),
    span(cellText(step.id, 24), 'text', { bold: step.id === chosen, inverse: step.id === chosen }),
    span(about.some(Boolean) ? ` ${about.filter(Boolean).join(' ')}` : '', 'dim'),
  ]
}

function listRow(step: StepView, quest: QuestDetail, context: Context, chosen: string | null): Row {
  const after = step.dependsOn.length ? `after ${step.dependsOn.map(id => cellText(id, 64)).join(', ')}` : ''
  const left = [{ text: step.id === chosen ? '▶ ' : '  ' }, ...labelOf(step, quest, context, chosen)]
  return spread(left, [span(after, 'dim')], context.columns)
}

function aboutRow({ columns }: Context, step: StepView): Row {
  const facts = [
    step.phase,
    step.slot === null ? '' : `slot ${step.slot}`,
    step.attempts ? numberOf(step.attempts, 'session') : '',
    step.reds ? `ward red ${step.reds} times` : '',
    step.waitsOn.length ? `waits for ${step.waitsOn.map(name => cellText(name, 64)).join(', ')}` : '',
    step.costUsd ? costWords(step.costUsd) : '',
  ]
  return cutRow([span(` ${cellText(step.title, 120)}  `), span(facts.filter(Boolean).join('  '), 'dim')], columns)
}

function slotRows({ board, columns, clock }: Context, quest: QuestDetail): Row[] {
  return quest.slots.map((step, n) => {
    const session = quest.sessions.findLast(({ step: of, endedAt }) => of === step && endedAt === null)
    const agent = session ? board.agents.get(session.id) : undefined
    const left = cellsOf(
      [
        [span(` slot ${n + 1}`, 'dim')],
        [span(step ? cellText(step, 64) : 'free', step ? 'text' : 'dim')],
        [span(session ? cellText(session.role, 40) : '', 'working')],
        [span(agent ? doingOf(agent) : '')],
      ],
      [8, 18, 15],
    )
    const right = session ? `${clock.age(session.startedAt)}  ${costWords(session.costUsd)} ` : ''
    return spread(left, [span(right, 'dim')], columns)
  })
}

function questionRows({ columns, clock }: Context, quest: QuestDetail): Row[] {
  const open = quest.questions.filter(({ answer }) => answer === null)
  return open.slice(0, 3).map(({ step, text, askedAt }) => {
    const words = ` asks  ${cellText(step, 64)}  ${cellText(text, 300)}  ${clock.age(askedAt)} ago`
    return cutRow([span(words, 'attention')], columns)
  })
}

function waitRows({ columns }: Context, { waits, wards }: QuestDetail): Row[] {
  const ward = wards.at(-1)
  const tone = ward?.result === 'green' ? 'done' : 'failed'
  const said = ward
    ? [cutRow([span(` ward  ${cellText(ward.step ?? ward.on, 64)}  ${ward.result}`, tone)], columns)]
    : []
  return [...said, ...waits.slice(0, 3).map(words => cutRow([span(` ${cellText(words, 300)}`, 'attention')], columns))]
}
