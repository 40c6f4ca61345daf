import type { QuestRequest, StepState } from '../../src/contract/quest.ts'
import type { SignalInput } from '../../src/contract/quest-tools.ts'
import type { Question } from '../../src/contract/question.ts'
import type { RunDetail, RunStanding } from '../../src/contract/run.ts'
import { bash, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { postRun } from '../session/runs.ts'
import type { TempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

type Reply = RuleSource['reply']
type When = NonNullable<RuleSource['when']>

/** What a role does in one session, and how it signals. */
export function plays(role: string, step: string, attempt: number | null, ...replies: Reply[]): RuleSource[] {
  const when: When = { role, step, ...(attempt !== null && { attempt }) }
  return turns(when, ...replies, say('That is all.'))
}

export function signals(input: Omit<SignalInput, 'stepId'> & Record<string, unknown>, stepId: string): Reply {
  return use(tool('mcp__rehoboam__signal-back', { ...input, stepId }))
}

export const complete = (step: string, summary = `${step} is done`) => signals({ signal: 'complete', summary }, step)

export function requires(...ids: string[]): Reply {
  // biome-ignore lint/suspicious/noThenProperty: given, when, then are the words of the specification; nobody awaits this.
  const requirements = ids.map(id => ({ id, given: 'a project', when: `${id} is asked for`, then: `${id} is there` }))
  return use(tool('mcp__rehoboam__set-requirements', { requirements }))
}

export type Planned = { id: string; dependsOn?: string[]; files?: string[]; text?: string }

export function plans(steps: Planned[], drop: string[] = []): Reply {
  const whole = steps.map(({ id, dependsOn = [], files = [], text = `Do the part ${id}` }) => {
    return { id, title: `The part ${id}`, text, files, dependsOn, requirements: [] }
  })
  return use(tool('mcp__rehoboam__set-steps', { steps: whole, drop }))
}

/** Requirements and plan, both at once. */
export function begins(steps: Planned[]): RuleSource[] {
  return [
    ...plays('chaoswhisperer', 'requirements', null, requires('whole'), complete('requirements')),
    ...plays('pathseeker', 'plan', null, plans(steps), complete('plan')),
  ]
}

/** What everybody does who is not scripted otherwise: a step is a file of its name. Put last. */
export function simply(steps: string[]): RuleSource[] {
  return [
    ...steps.flatMap(id => [
      ...plays('codeweaver', id, null, bash(`echo ${id} > ${id}.txt`), complete(id)),
      ...plays('siegemaster', id, null, complete(id)),
      ...plays('spiritmender', id, null, complete(id)),
    ]),
    ...plays('lawbringer', 'review', null, complete('review')),
  ]
}

export type Asked = Partial<QuestRequest> & { flags?: Record<string, string>; prompt?: string; noQuestions?: boolean }

/** Starts a quest as the command does; gives its id. */
export function startQuest(home: TempHome, asked: Asked = {}): Promise<string> {
  const { flags = {}, prompt = 'Make all the parts', noQuestions = false, ...quest } = asked
  return postRun(home, {
    prompt,
    flags: { permissionMode: 'acceptEdits', allowedTools: 'Bash', ...flags },
    quest: { ward: null, agreed: null, ...quest },
    noQuestions,
  })
}

export function shown(home: TempHome, run: string): Promise<RunDetail> {
  return home.daemon.ask<RunDetail>({ path: `/v1/runs/${run}` })
}

/** Until it has come to an end, or waits for somebody. */
export async function rests(home: TempHome, run: string): Promise<RunDetail> {
  const standing = () => home.daemon.ask<RunStanding>({ path: `/v1/runs/${run}/standing` })
  await until(async () => (await standing()).status !== 'active', `quest ${run} to come to rest`, 1_200_000)
  return shown(home, run)
}

/** Until a step, or an errand, stands there. */
export async function untilStep(home: TempHome, run: string, step: string, status: StepState): Promise<void> {
  const isSo = async () => {
    const { quest } = await shown(home, run)
    return [...quest!.steps, ...quest!.errands].some(one => one.id === step && one.status === status)
  }
  await until(isSo, `step ${step} to be ${status}`, 600_000)
}

/** The question of a step, once it is in the inbox. */
export function questionOn(home: TempHome, run: string, step: string): Promise<Question> {
  return until(async () => {
    const { questions } = await home.daemon.ask<{ questions: Question[] }>({ path: '/v1/inbox/state' })
    return questions.find(one => one.run === run && one.step === step)
  }, `a question of ${step}`)
}

/** Answers it as a person does. The command has been heard before the quest has: until then it stands where it stood. */
export async function answered(home: TempHome, run: string, { id }: Question, text: string): Promise<void> {
  const { code, err } = await home.rehoboam(['answer', id, text])
  if (code !== 0) throw new Error(err)
  const isHeard = async () =>
    (await shown(home, run)).quest!.questions.some(one => one.id === id && one.answer !== null)
  await until(isHeard, `the answer to ${id} to be heard`)
}
