import type { QuestDetail, StepView } from '../contract/quest.ts'
import type { RunDetail } from '../contract/run.ts'
import { plainBlock, plainLine } from './plain.ts'
import { table } from './run-words.ts'
import { costWords, durationWords, numberOf } from './words.ts'

/** What a quest adds to its page. */
export function questFacts({ quest, steps }: RunDetail, now: number): [string, string][] {
  if (!quest) return []
  const busy = quest.slots.filter(step => step !== null).length
  const facts: [string, string][] = [
    ['steps', steps ? `${steps.complete} of ${steps.total} in, ${steps.running} under way` : ''],
    ['slots', `${busy} of ${quest.slots.length} busy`],
    ['result', `branch ${quest.branch}`],
  ]
  const costs = Object.entries(quest.costByRole).filter(([, usd]) => usd > 0)
  if (costs.length) facts.push(['by role', costs.map(([role, usd]) => `${role} ${costWords(usd)}`).join(', ')])
  if (quest.maxCostUsd !== null) facts.push(['at most', costWords(quest.maxCostUsd)])
  if (quest.baseRed) facts.push(['base', `${numberOf(quest.baseRed, 'check')} failed before it began`])
  if (quest.waitsUntil) {
    facts.push(['limit', `the account’s limit is over in ${durationWords(Date.parse(quest.waitsUntil) - now)}`])
  }
  return facts
}

/** Its steps and sessions, what it asked, and who waits on what. */
export function questLines(quest: QuestDetail): string[] {
  return [
    ...stepLines(quest),
    ...part(
      'waits',
      quest.waits.map(sentence => plainLine(sentence, 400)),
    ),
    ...part('sessions', sessionLines(quest)),
    ...part('questions', questionLines(quest)),
  ]
}

/** Each step, and before and behind them what is no step: requirements, plan, review. */
function stepLines({ errands, steps }: QuestDetail): string[] {
  const review = errands.filter(({ id }) => id === 'review')
  const all = [...errands.filter(({ id }) => id !== 'review'), ...steps, ...review]
  if (all.length === 0) return []
  const rows = all.map(step => [
    step.id,
    standingOf(step),
    step.slot === null ? '' : String(step.slot),
    step.attempts ? String(step.attempts) : '',
    step.costUsd ? costWords(step.costUsd) : '',
    step.title === step.id ? '' : plainLine(step.title, 60),
  ])
  return table([['step', 'status', 'slot', 'sessions', 'cost', 'what'], ...rows], [2, 3, 4])
}

/** Where a step stands, in a few words: who is at it, or what it waits for. */
export function standingOf({ status, phase, role, waitsOn, chain, dependsOn }: StepView): string {
  switch (status) {
    case 'working': {
      const callers = chain.map(caller => caller.role).join(', ')
      return `${role ?? phase} at work${callers ? `, asked by ${callers}` : ''}`
    }
    case 'warding':
      return 'the checks run'
    case 'queued':
      return 'waits to be merged'
    case 'merging':
      return 'is being merged'
    case 'asking':
      return 'asks a person'
    case 'resplit':
      return 'waits for a new plan'
    case 'pending':
    case 'ready':
      return `waits for ${(waitsOn.length ? waitsOn : dependsOn.length ? dependsOn : ['a slot']).join(', ')}`
    default:
      return status
  }
}

function sessionLines({ sessions }: QuestDetail): string[] {
  if (sessions.length === 0) return []
  const rows = sessions.map(({ run, role, step, startedAt, endedAt, costUsd, how }) => [
    run,
    role,
    step,
    plainLine(how, 40),
    endedAt ? durationWords(Date.parse(endedAt) - Date.parse(startedAt)) : '',
    costWords(costUsd),
  ])
  return table([['run', 'role', 'step', 'how', 'took', 'cost'], ...rows], [4, 5])
}

function questionLines({ questions }: QuestDetail): string[] {
  return questions.map(({ id, step, text, answer }) => {
    const end = answer === null ? `(rehoboam answer ${id.slice(0, 8)})` : `-> ${plainLine(answer, 200)}`
    return `${step}: ${plainLine(text, 400)}  ${end}`
  })
}

/** The last lines of a quest that has ended. */
export function questSummaryLines({ quest }: RunDetail): string[] {
  if (!quest) return []
  const costs = Object.entries(quest.costByRole).filter(([, usd]) => usd > 0)
  const byRole = costs.length ? [`cost: ${costs.map(([role, usd]) => `${role} ${costWords(usd)}`).join(', ')}`] : []
  return [...stepLines(quest), ...quest.waits.map(sentence => plainLine(sentence, 400)), ...byRole]
}

/** What was agreed and what is planned, for a person who has to say yes or no to it. */
export function planLines({ requirements, steps }: QuestDetail): string[] {
  const wanted = requirements.flatMap(({ id, given, when, then: observed }) => [
    `${id}`,
    `  given ${plainLine(given, 1000)}`,
    `  when  ${plainLine(when, 1000)}`,
    `  then  ${plainLine(observed, 1000)}`,
  ])
  const planned = steps
    .filter(({ status }) => status !== 'dropped')
    .flatMap(step => [
      `${step.id}: ${plainLine(step.title, 200)}  [${standingOf(step)}]`,
      ...(step.dependsOn.length ? [`  after  ${step.dependsOn.join(', ')}`] : []),
      ...(step.files.length ? [`  files  ${step.files.map(file => plainLine(file, 200)).join(', ')}`] : []),
      ...(step.requirements.length ? [`  meets  ${step.requirements.join(', ')}`] : []),
      ...plainBlock(step.text)
        .trim()
        .split('\n')
        .map(line => `  ${line}`.trimEnd()),
    ])
  return [...part('requirements', wanted), ...part('steps', planned)].slice(1)
}

function part(title: string, lines: string[]): string[] {
  return lines.length ? ['', title, ...lines.map(line => `  ${line}`)] : []
}
