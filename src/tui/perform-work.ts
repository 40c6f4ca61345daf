import { randomUUID } from 'node:crypto'
import type { Daemon } from '../client/ask.ts'
import type { RestoreAnswer } from '../contract/checkpoint-api.ts'
import type { MergeAnswer, MergeRequest } from '../contract/merge-api.ts'
import type { TaskView } from '../contract/pool.ts'
import type { RunSummary } from '../contract/run.ts'
import type { TaskRequest, TaskVerb } from '../contract/task-api.ts'
import { cellText } from '../view/cell-text.ts'
import { numberOf } from '../view/words.ts'
import type { Deed } from './deed.ts'

type WorkDeed = Extract<Deed, { do: 'step' | 'task' | 'merge' | 'restore' }>
type Outside = { daemon: Daemon; environment: Record<string, string> }

/** What is done with the work itself: steps of a quest, tasks of a pool, and what came out of a run. */
export async function performOnWork(deed: WorkDeed, { daemon, environment }: Outside): Promise<{ said: string }> {
  const post = <T>(path: string, body: unknown) => daemon.ask<T>({ method: 'POST', path, body })
  switch (deed.do) {
    case 'step': {
      const { run, step, command } = deed
      const done = await post<RunSummary & { skipped?: string[] }>(runPath(run, `/${command}`), { step })
      const left = done.skipped?.map(id => cellText(id, 64)).join(', ')
      return { said: `run ${run}: ${left ? `left out: ${left}` : `${cellText(step, 64)} is tried again`}` }
    }
    case 'task': {
      const { run, verb, task, text } = deed
      // The run is named: in which directory somebody looks at it is of no meaning.
      const body: TaskRequest = { run, directory: '/', task, text, loopDirectory: null }
      const { id, title } = await post<TaskView>(`/v1/tasks/${verb}`, body)
      return { said: `task ${cellText(id, 64)} ${TASKS[verb]}: ${cellText(title, 200)}` }
    }
    case 'merge': {
      const body: MergeRequest = { request: randomUUID(), squash: false, ward: true, environment }
      return { said: mergedWords(await merged(() => post(runPath(deed.run, '/merge'), body))) }
    }
    case 'restore': {
      const body = { iteration: deed.iteration, branch: null, worktree: null }
      const { branch } = await post<RestoreAnswer>(runPath(deed.run, '/restore'), body)
      return { said: `iteration ${deed.iteration} is branch ${cellText(branch ?? '', 200)}` }
    }
  }
}

export function runPath(id: string, more: string): string {
  return `/v1/runs/${encodeURIComponent(id)}${more}`
}

const TASKS: Record<TaskVerb, string> = {
  add: 'is added',
  claim: 'is yours',
  release: 'is free again',
  done: 'is done',
}

type Merged = Exclude<MergeAnswer, { state: 'under-way' }>

/** Checks may take their time: the same request goes on waiting for the one that is under way. */
async function merged(ask: () => Promise<MergeAnswer>): Promise<Merged> {
  for (;;) {
    const answer = await ask()
    if (answer.state !== 'under-way') return answer
  }
}

function mergedWords(answer: Merged): string {
  const branch = cellText(answer.branch, 100)
  const commit = answer.commit.slice(0, 10)
  if (answer.state === 'nothing') return `the run has changed nothing: ${branch} stays as it is`
  if (answer.state === 'already') return `${branch} has it already, at ${commit}`
  const ward = answer.ward === null ? '' : answer.ward === 'green' ? ', checks green' : ', no check is newly red'
  return `${branch} is now at ${commit}: ${numberOf(answer.files, 'file')} changed${ward}; git reset --keep HEAD~1 takes it back`
}
