import { isChild, rootOf } from '../../contract/ids.ts'
import type { NewStep } from '../../contract/quest.ts'
import type {
  GetStepInput,
  SetRequirementsInput,
  SetStepsInput,
  SignalInput,
  ToolAnswer,
} from '../../contract/quest-tools.ts'
import { questToolsOf } from '../../contract/quest-tools.ts'
import { ENDED } from '../../contract/run.ts'
import { fileSigns } from '../../core/parent/files-named.ts'
import { refusalOfPlan } from '../../core/quest/plan.ts'
import { workNamed } from '../../core/quest/quest-by-hand.ts'
import {
  followUpRoles,
  type QuestRun,
  roleNamed,
  type QuestSession as Session,
  sessionNumbered,
} from '../../core/quest/quest-state.ts'
import { waitsOn } from '../../core/quest/quest-view.ts'
import { hear, type Said } from '../../core/quest/signals.ts'
import type { Texts } from '../../ports.ts'
import type { Run } from '../runtime/live-run.ts'
import { questOf } from '../runtime/run-kinds.ts'
import type { Runs } from '../runtime/runs.ts'
import type { QuestDesk, QuestSession, SessionAt } from './quest-desk.ts'
import { requirementsOf, saidText, stepText } from './quest-texts.ts'

type Outside = { runs: Runs; textsOf(run: string): Texts }

/** What sessions of quests say to us. Every answer comes when what it says is written down. */
export class QuestTools implements QuestDesk {
  readonly #outside: Outside

  constructor(outside: Outside) {
    this.#outside = outside
  }

  find(session: string): QuestSession | null {
    const child = this.#outside.runs.findBySession(session)
    const state = child?.record.state
    if (!child || !isChild(child.id) || state?.kind !== 'session' || state.spec.questTools !== true) return null
    const run = this.#outside.runs.get(rootOf(child.id))
    if (run?.record.state.kind !== 'quest') return null
    const own = sessionNumbered(questOf(run), numberOf(child.id))
    const role = own && roleNamed(questOf(run), own.role)
    if (!own || !role) return null
    const may = {
      tools: questToolsOf(own.role),
      maySignal: role.maySignal,
      mayAsk: followUpRoles(questOf(run), own.role),
    }
    return { run: child.id, session, step: own.step, ...may }
  }

  async signal(at: SessionAt, input: SignalInput): Promise<ToolAnswer> {
    const run = this.#run(at)
    const n = numberOf(at.run)
    const text = await this.#outside.textsOf(run.id).put(JSON.stringify(input))
    const isFollowUp = input.signal === 'needs-role-followup'
    const said: Said = {
      signal: input.signal,
      stepId: input.stepId,
      text,
      target: isFollowUp ? input.targetRole : null,
      resume: isFollowUp && input.resume,
    }
    let answer: ToolAnswer = { accepted: true, text: 'Taken. End your turn now; there is nothing more to do here.' }
    await run.post(record => {
      const hearing = hear(record.state as QuestRun, n, said)
      if (hearing.is === 'refused') answer = refused(hearing.why)
      if (hearing.is === 'again') answer = { accepted: true, text: 'It was taken already. End your turn now.' }
      if (hearing.is !== 'new') return null
      const { signal, target, resume } = said
      return { type: 'signalled', n, signal, text, target, resume }
    })
    return answer
  }

  async getStep(at: SessionAt, { stepId }: GetStepInput): Promise<ToolAnswer> {
    const run = this.#run(at)
    const state = questOf(run)
    const own = sessionNumbered(state, numberOf(at.run))
    const texts = this.#outside.textsOf(run.id)
    const work = workNamed(state, stepId ?? own?.step ?? '')
    const words = state.steps.includes(work) ? await stepText(texts, work) : { title: work.id, text: '', files: [] }
    const requirements = (await requirementsOf(texts, state)).filter(({ id }) => work.requirements.includes(id))
    const found = {
      id: work.id,
      ...words,
      dependsOn: work.dependsOn,
      requirements: requirements.length ? requirements : work.requirements,
      status: work.state,
      phase: work.phase,
      waitsOn: waitsOn(state, work),
      lastOutcome: work.outcome === null ? null : await saidText(texts, work.outcome),
    }
    return { accepted: true, text: JSON.stringify(found, null, 2) }
  }

  async setRequirements(at: SessionAt, { requirements }: SetRequirementsInput): Promise<ToolAnswer> {
    const run = this.#run(at)
    const n = numberOf(at.run)
    const ids = requirements.map(({ id }) => id)
    const twice = ids.find((id, index) => ids.findIndex(other => other.toLowerCase() === id.toLowerCase()) < index)
    if (twice !== undefined) return refused(`the id ${twice} is there twice; every requirement has an id of its own`)
    const text = await this.#outside.textsOf(run.id).put(JSON.stringify(requirements))
    return this.#change(
      run,
      n,
      'chaoswhisperer',
      () => ({ event: { type: 'requirements-set', n, text, ids } }),
      () =>
        `Taken: ${ids.length} requirements. Call set-requirements again to replace them, or signal complete to lock them.`,
    )
  }

  async setSteps(at: SessionAt, input: SetStepsInput): Promise<ToolAnswer> {
    const run = this.#run(at)
    const n = numberOf(at.run)
    const steps = await newSteps(this.#outside.textsOf(run.id), input)
    const change = { steps, drop: input.drop }
    const decide = (state: QuestRun, { step }: Session) => {
      const about = step === 'plan' ? (state.resplits[0] ?? null) : step
      const why = refusalOfPlan(state, change, about)
      return why === null ? { event: { type: 'steps-set' as const, n, ...change } } : { why }
    }
    return this.#change(run, n, 'pathseeker', decide, state => {
      const ids = state.steps.filter(step => step.state !== 'dropped').map(({ id }) => id)
      return `Taken. The plan has ${ids.length} steps now: ${ids.slice(0, 100).join(', ')}. Change it with set-steps again, or signal complete.`
    })
  }

  /** Only by a session of that role which is at work, and has not signalled. */
  async #change(
    run: Run,
    n: number,
    role: string,
    decide: (state: QuestRun, session: Session) => { event: Parameters<Run['post']>[0] & object } | { why: string },
    words: (state: QuestRun) => string,
  ): Promise<ToolAnswer> {
    let answer: ToolAnswer | null = null
    await run.post(record => {
      const state = record.state as QuestRun
      const session = sessionNumbered(state, n)
      const closed = closedFor(state, session, role)
      if (!session || closed !== null) {
        answer = refused(closed ?? 'this session is not one of a quest')
        return null
      }
      const decided = decide(state, session)
      if ('event' in decided) return decided.event as never
      answer = refused(decided.why)
      return null
    })
    return answer ?? { accepted: true, text: words(questOf(run)) }
  }

  #run({ run }: SessionAt): Run {
    return this.#outside.runs.find(rootOf(run))
  }
}

/** The words of steps beside the journal; their files as signs in it. */
export function newSteps(texts: Texts, { steps }: SetStepsInput): Promise<NewStep[]> {
  return Promise.all(
    steps.map(async ({ id, title, text, files, dependsOn, requirements }) => ({
      id,
      text: await texts.put(JSON.stringify({ title, text, files })),
      files: fileSigns(files).slice(0, 100),
      dependsOn: [...new Set(dependsOn)],
      requirements: [...new Set(requirements)],
    })),
  )
}

function closedFor(state: QuestRun, session: Session | undefined, role: string): string | null {
  if (session?.role !== role) return `this is for a ${role}, and you are a ${session?.role ?? 'stranger'}`
  if (ENDED.has(state.status)) return `the quest has ended (${state.status})`
  if (session.signal) return `you have signalled ${session.signal.signal} already; end your turn now`
  return session.isLive ? null : 'your session has ended; end your turn now'
}

function refused(why: string): ToolAnswer {
  return { accepted: false, text: `Refused, nothing has changed: ${why}.` }
}

/** Of a session by the name of its run: `<quest>.s<n>`. */
function numberOf(run: string): number {
  return Number(/\.s(\d{1,9})$/.exec(run)?.[1] ?? 0)
}
