import type { StepPhase } from '../contract/quest.ts'
import { type Edge, FLOW, FLOW_PARTS, type FlowPart, type FlowTarget, IN_CHARGE } from '../contract/quest-flow.ts'
import type { QUEST_ROLES } from '../contract/quest-tools.ts'

/** The flow of a quest, drawn from its data: for documents as a diagram, for a terminal as lines. */

const PARTS: Record<FlowPart, string> = { plan: 'the plan', step: 'each step', whole: 'the whole' }
const PLACES: Partial<Record<FlowTarget, string>> = {
  approval: 'your yes',
  ward: 'checks',
  merge: 'merge, and checks on what comes out',
  resplit: 'PathSeeker plans it anew',
  prove: 'checks on the whole',
  done: 'done',
  caller: 'who asked for it looks again',
  steps: 'the steps begin',
  inbox: 'you are asked',
}
const NAMES: Record<(typeof QUEST_ROLES)[number], string> = {
  chaoswhisperer: 'ChaosWhisperer',
  pathseeker: 'PathSeeker',
  codeweaver: 'Codeweaver',
  siegemaster: 'Siegemaster',
  lawbringer: 'Lawbringer',
  spiritmender: 'Spiritmender',
}

function placeName(place: FlowTarget): string {
  const role = IN_CHARGE[place as StepPhase]
  return role ? NAMES[role] : (PLACES[place] ?? place)
}

/** As Mermaid reads it. Arrows that say the same from the same place to the same place are one. */
export function flowDiagram(): string {
  const lines = FLOW_PARTS.flatMap(part => {
    const own = FLOW.filter(edge => edge.part === part)
    const places = [...new Set(own.flatMap(({ from, to }) => [from, to]))]
    return [
      `  subgraph ${part}-part [${PARTS[part]}]`,
      ...places.map(place => `    ${part}-${place}["${placeName(place)}"]`),
      ...arrowsOf(own).map(({ from, to, on }) => `    ${part}-${from} -->|${on.join('; ')}| ${part}-${to}`),
      '  end',
    ]
  })
  return ['flowchart TD', ...lines, '  plan-steps --> step-code', '  step-done -->|all are in| whole-review'].join('\n')
}

/** A line for each place: what leads where. */
export function flowLines(): string[] {
  return FLOW_PARTS.flatMap(part => {
    const own = FLOW.filter(edge => edge.part === part)
    const places = [...new Set(own.map(({ from }) => from))]
    const width = Math.max(...places.map(place => placeName(place).length))
    const lines = places.flatMap(place => {
      const arrows = arrowsOf(own.filter(({ from }) => from === place))
      return arrows.map(
        ({ on, to }, n) => `    ${(n ? '' : placeName(place)).padEnd(width)}  ${on.join('; ')} -> ${placeName(to)}`,
      )
    })
    return [`  ${PARTS[part]}`, ...lines]
  })
}

function arrowsOf(edges: Edge[]): { from: StepPhase; to: FlowTarget; on: string[] }[] {
  const arrows = new Map<string, { from: StepPhase; to: FlowTarget; on: string[] }>()
  for (const { from, on, to } of edges) {
    const arrow = arrows.get(`${from} ${to}`)
    if (arrow) arrow.on.push(on)
    else arrows.set(`${from} ${to}`, { from, to, on: [on] })
  }
  return [...arrows.values()]
}
