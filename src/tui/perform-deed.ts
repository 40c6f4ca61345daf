import type { Daemon } from '../client/ask.ts'
import { paneOfAgent, paneOfRun } from '../client/find-pane.ts'
import type { SpawnAnswer } from '../contract/api.ts'
import { RehoboamError } from '../contract/errors.ts'
import type { AnswerRequest, Question } from '../contract/question.ts'
import type { RunSummary } from '../contract/run.ts'
import { cellText } from '../view/cell-text.ts'
import { numberOf } from '../view/words.ts'
import { commandOf, type Deed } from './deed.ts'
import { performOnWork, runPath } from './perform-work.ts'

/** What came of it: a sentence; a pane to show; a run to look at; or something that has to be agreed to first. */
export type Done = { said: string; pane?: string; run?: string; agree?: { sentence: string; deed: Deed } }

type Asked = Exclude<Deed, { do: 'copy' } | { do: 'quit' } | { do: 'edit-plan' }>

export type Outside = {
  daemon: Daemon
  environment: Record<string, string>
  /** Throws where an agent runs the dashboard: agents may look, not decide. */
  mayChange(command: string): void
}

/** Does what a key asked for, by the same addresses as the commands. */
export async function perform(deed: Asked, outside: Outside): Promise<Done> {
  const { daemon, environment } = outside
  outside.mayChange((commandOf(deed) ?? 'rehoboam spawn').split(' ')[1] ?? deed.do)
  const post = <T>(path: string, body: unknown) => daemon.ask<T>({ method: 'POST', path, body })
  switch (deed.do) {
    case 'answer':
      return answer(daemon, deed)
    case 'change': {
      await post(runPath(deed.run, `/${deed.command}`), {})
      return { said: `run ${deed.run} ${CHANGES[deed.command]}` }
    }
    case 'resume': {
      await post(runPath(deed.run, '/resume'), { text: deed.text, environment })
      return { said: `run ${deed.run} goes on` }
    }
    case 'tell':
      return tell(deed, post)
    case 'verdict': {
      await post(runPath(deed.run, '/verdict'), { iteration: deed.iteration, wrong: deed.wrong })
      return { said: `run ${deed.run}: the verdict on iteration ${deed.iteration} is marked wrong` }
    }
    case 'step':
    case 'task':
    case 'merge':
    case 'restore':
      return performOnWork(deed, outside)
    case 'freeze': {
      const { runs } = await post<{ runs: string[] }>('/v1/freeze', {})
      return { said: `${numberOf(runs.length, 'run')} frozen; F lets them go on` }
    }
    case 'thaw': {
      const { runs } = await post<{ runs: string[] }>('/v1/thaw', { environment })
      return { said: runs.length ? `${numberOf(runs.length, 'run')} on again` : 'nothing was frozen' }
    }
    case 'mute': {
      const { until } = await post<{ until: string | null }>('/v1/inbox/mute', { forMs: deed.forMs })
      return { said: until ? `muted until ${until.slice(11, 16)} UTC; m ends it` : 'not muted any more' }
    }
    case 'open':
      return open(deed, outside)
    case 'spawn': {
      const { id, notes } = await post<SpawnAnswer>('/v1/runs', deed.request)
      return { said: [`run ${id} is started`, ...notes].join('; '), run: id }
    }
  }
}

const CHANGES = { pause: 'is being paused', cancel: 'is being cancelled', reject: 'ends after this iteration' }

/** Each for itself: one that somebody else has answered must not keep the others waiting. */
async function answer(
  daemon: Daemon,
  { questions, answer: given, always }: Extract<Deed, { do: 'answer' }>,
): Promise<Done> {
  const body: AnswerRequest = { answer: given, face: 'tui', always }
  const said: string[] = []
  const rules: string[] = []
  const failed: string[] = []
  for (const id of questions) {
    const path = `/v1/inbox/${encodeURIComponent(id)}/answer`
    try {
      const decided = await daemon.decide<{ question: Question; rules: string[] }>({ method: 'POST', path, body })
      said.push(cellText(decided.question.text, 80))
      rules.push(...decided.rules)
    } catch (error) {
      if (!(error instanceof RehoboamError)) throw error
      failed.push(error.message)
    }
  }
  if (failed.length > 0) throw new RehoboamError('not-answered', [...new Set(failed)].join('; '))
  const what = said.length === 1 ? said[0] : numberOf(said.length, 'question')
  const rule = rules.length ? ` (rule ${rules.map(text => cellText(text, 60)).join(', ')})` : ''
  return { said: `${WORDS[given.kind]}: ${what}${rule}` }
}

const WORDS = { allow: 'allowed', deny: 'denied', text: 'answered' }

type Post = <T>(path: string, body: unknown) => Promise<T>

async function tell({ run, agent, text }: Extract<Deed, { do: 'tell' }>, post: Post): Promise<Done> {
  if (run === undefined) {
    await post(`/v1/agents/${encodeURIComponent(agent ?? '')}/tell`, { text })
    return { said: `typed into the pane of agent ${agent?.slice(0, 8)}` }
  }
  const told = await post<RunSummary & { driver: string }>(runPath(run, '/tell'), { text })
  return {
    said: told.driver === 'pane' ? `run ${run} is told in its pane` : `run ${run} will be told at its next turn`,
  }
}

async function open(deed: Extract<Deed, { do: 'open' }>, { daemon, environment }: Outside): Promise<Done> {
  if (deed.run === undefined) return { said: '', pane: await paneOfAgent(daemon, deed.agent ?? '') }
  const notAgreed = new RehoboamError('not-agreed', '')
  const agree = async () => {
    if (!deed.isAgreed) throw notAgreed
  }
  try {
    return { said: '', pane: await paneOfRun(daemon, deed.run, environment, agree) }
  } catch (error) {
    if (error !== notAgreed) throw error
    const sentence = `run ${deed.run} is working: its turn is cut off and goes on in a pane. Take it over?  y yes, n no`
    return { said: '', agree: { sentence, deed: { ...deed, isAgreed: true } } }
  }
}
