import type { Answer, AnswerRequest } from '../contract/question.ts'
import type { RunSummary } from '../contract/run.ts'
import type { TaskVerb } from '../contract/task-api.ts'
import { commandOf, type Deed } from './deed.ts'
import { EMPTY } from './field.ts'
import { going, type Outcome, type Pressed, saying } from './press.ts'
import { newForm } from './spawn-form.ts'
import { shownView, type Ui, type View, viewKey } from './ui.ts'

const MUTE_MS = 1_800_000

/** Keys that do something: at once, or after something was typed or agreed to. */
export function pressForDeed(pressed: Pressed, view: View, char: string): Outcome {
  const { ui, screen, board, now } = pressed
  const { target } = screen
  const run = target.run === undefined ? undefined : board.runs.get(target.run)
  switch (char) {
    case 's':
      return { ui: { ...ui, dialog: { kind: 'spawn', form: newForm(pressed.directory) } } }
    case 'y':
      return decide(pressed, { kind: 'allow' }, 'no')
    case 'Y':
      return decide(pressed, { kind: 'allow' }, 'run')
    case 'n':
      return target.question === undefined && run?.kind === 'loop' ? reject(ui, run) : deny(pressed)
    case 'N':
      return asking(pressed, 'why not', reason => ({ kind: 'deny', reason }))
    case 'a':
      return asking(pressed, 'answer', text => ({ kind: 'text', text }))
    case 't':
      return tell(pressed)
    case 'm':
      return { ui, deed: { do: 'mute', forMs: board.inbox.mutedUntil ? 0 : MUTE_MS } }
    case 'o':
      return target.run || target.agent ? { ui, deed: { do: 'open', ...openOf(target), isAgreed: false } } : { ui }
    case 'v':
      return verdict(pressed, run)
    case 'F':
      return freeze(pressed)
    case 'A':
    case 'C':
    case 'f':
      return taskKey(pressed, char)
    case 'S':
      return skip(pressed)
    case 'c':
      return { ui, deed: { do: 'copy', command: copied(pressed, view) } }
    case 'D':
    case 'p':
    case 'R':
    case 'X':
    case 'M':
    case 'B':
    case 'E':
      return run ? runKey(pressed, run, char) : { ui: saying(ui, NO_RUN, now) }
    default:
      return /^[1-9]$/.test(char) ? option(pressed, Number(char)) : { ui }
  }
}

function runKey({ ui, screen, now }: Pressed, run: RunSummary, char: 'D' | 'p' | 'R' | 'X' | 'M' | 'B' | 'E'): Outcome {
  const { step, iteration } = screen.target
  switch (char) {
    case 'D':
      return { ui: going(ui, { name: 'diff', id: run.id }) }
    case 'p':
      return { ui, deed: pauseOf(run) }
    case 'R':
      return { ui, deed: step?.canRetry ? stepDeed('retry', step) : { do: 'resume', run: run.id, text: null } }
    case 'X':
      return agreeing(ui, `cancel run ${run.id} now?`, { do: 'change', command: 'cancel', run: run.id })
    case 'M':
      return agreeing(ui, `merge run ${run.id} into the branch that is checked out?`, { do: 'merge', run: run.id })
    case 'B':
      if (iteration === undefined) return { ui: saying(ui, NO_ITERATION, now) }
      return agreeing(ui, `put iteration ${iteration} of run ${run.id} into a new branch?`, {
        ...{ do: 'restore', run: run.id, iteration },
      })
    case 'E':
      if (run.kind !== 'quest') return { ui: saying(ui, `run ${run.id} is a ${run.kind} and has no plan`, now) }
      return { ui, deed: { do: 'edit-plan', run: run.id } }
  }
}

const NO_RUN = 'this belongs to no run of ours'
const NO_ITERATION = 'choose an iteration of a loop first'

function pauseOf(run: RunSummary): Deed {
  if (run.status === 'active') return { do: 'change', run: run.id, command: 'pause' }
  return { do: 'resume', run: run.id, text: null }
}

function agreeing(ui: Ui, sentence: string, deed: Deed): Outcome {
  return { ui: { ...ui, dialog: { kind: 'agree', sentence: `${sentence}  y yes, n no`, deed } } }
}

type ChosenStep = { run: string; id: string }

function stepDeed(command: 'retry' | 'skip', { run, id }: ChosenStep): Deed {
  return { do: 'step', command, run, step: id }
}

function skip({ ui, screen, now }: Pressed): Outcome {
  const { step } = screen.target
  if (!step) return { ui: saying(ui, 'choose a step of a quest first', now) }
  return agreeing(ui, `leave ${step.id} out, with all that depends on it?`, stepDeed('skip', step))
}

/** Tasks of a pool by hand: add one, take one or give it back, say that one is done. */
function taskKey({ ui, screen, board, now }: Pressed, char: 'A' | 'C' | 'f'): Outcome {
  const { task, run } = screen.target
  const pool = task?.run ?? run
  if (pool === undefined || board.runs.get(pool)?.kind !== 'pool') return { ui: saying(ui, 'choose a pool first', now) }
  if (char === 'A') {
    const deed = (text: string): Deed => ({ do: 'task', verb: 'add', run: pool, task: null, text })
    return { ui: { ...ui, dialog: { kind: 'text', title: `a task for ${pool}`, field: EMPTY, deed } } }
  }
  if (!task) return { ui: saying(ui, 'choose a task first', now) }
  const deed = (verb: TaskVerb): Deed => ({ do: 'task', verb, run: pool, task: task.id, text: null })
  if (char === 'C') return { ui, deed: deed(task.isYours ? 'release' : 'claim') }
  return agreeing(ui, `is ${task.id} done?`, deed('done'))
}

function reject(ui: Ui, run: RunSummary): Outcome {
  return agreeing(ui, `end loop ${run.id} after this iteration?`, { do: 'change', command: 'reject', run: run.id })
}

function openOf({ run, agent }: { run?: string; agent?: string }) {
  return { ...(run && { run }), ...(agent && { agent }) }
}

/** The marked ones, or the one that is chosen. One that was closed meanwhile is not replaced by its neighbour. */
function decide({ ui, screen, now }: Pressed, answer: Answer, always: AnswerRequest['always']): Outcome {
  const view = shownView(ui)
  const wanted = ui.cursors[viewKey(view)]
  const isInbox = view.name === 'inbox'
  const cursors = isInbox && screen.chosen !== null ? { ...ui.cursors, inbox: screen.chosen } : ui.cursors
  const hasMoved = wanted !== undefined && wanted !== screen.chosen && !ui.answered.has(wanted)
  if (isInbox && ui.marked.size === 0 && hasMoved) {
    return { ui: saying({ ...ui, cursors }, CLOSED, now, 'attention') }
  }
  const marked = isInbox ? [...ui.marked] : []
  const questions = marked.length > 0 ? marked : screen.target.question ? [screen.target.question] : []
  if (questions.length === 0) return { ui: saying(ui, 'nothing is asked here', now) }
  return { ui: { ...ui, cursors, marked: new Set() }, deed: { do: 'answer', questions, answer, always } }
}

const CLOSED = 'the question that you had chosen is closed; this is another one: press again for it'

function deny(pressed: Pressed): Outcome {
  return decide(pressed, { kind: 'deny', reason: 'the user said no' }, 'no')
}

function option(pressed: Pressed, number: number): Outcome {
  const { ui, screen, board } = pressed
  const question = board.inbox.questions.find(({ id }) => id === screen.target.question)
  if (!question || number > question.options.length) return { ui }
  return decide({ ...pressed, ui: { ...ui, marked: new Set() } }, { kind: 'text', text: String(number) }, 'no')
}

function asking({ ui, screen, now }: Pressed, title: string, answer: (text: string) => Answer): Outcome {
  const { question } = screen.target
  if (!question) return { ui: saying(ui, 'nothing is asked here', now) }
  const deed = (text: string): Deed => ({ do: 'answer', questions: [question], answer: answer(text), always: 'no' })
  return { ui: { ...ui, dialog: { kind: 'text', title, field: EMPTY, deed } } }
}

function tell({ ui, screen, now }: Pressed): Outcome {
  const { run, agent } = screen.target
  if (!run && !agent) return { ui: saying(ui, 'there is nobody to tell', now) }
  const who = openOf(screen.target)
  const deed = (text: string): Deed => ({ do: 'tell', ...who, text })
  return { ui: { ...ui, dialog: { kind: 'text', title: `tell ${run ?? agent?.slice(0, 8)}`, field: EMPTY, deed } } }
}

function verdict({ ui, screen, now }: Pressed, run: RunSummary | undefined): Outcome {
  const { iteration } = screen.target
  if (!run || iteration === undefined) return { ui: saying(ui, NO_ITERATION, now) }
  const deed = (wrong: string): Deed => ({ do: 'verdict', run: run.id, iteration, wrong })
  const title = `the verdict on iteration ${iteration} is wrong, because`
  return { ui: { ...ui, dialog: { kind: 'text', title, field: EMPTY, deed } } }
}

function freeze({ ui, board, now }: Pressed): Outcome {
  const runs = board.rootRuns()
  const active = runs.filter(({ status }) => status === 'active').length
  if (active > 0)
    return agreeing(ui, `freeze ${active === 1 ? 'the one run' : `all ${active} runs`} that work?`, { do: 'freeze' })
  const paused = runs.some(({ cause }) => cause === 'paused-by-user')
  return paused
    ? agreeing(ui, 'let everything that was frozen go on?', { do: 'thaw' })
    : { ui: saying(ui, 'no run works', now) }
}

/** The command that shows or does what the screen is about. */
function copied({ screen: { target }, board }: Pressed, view: View): string {
  if (view.name === 'diff') return `rehoboam diff ${view.id}`
  if (target.question && (view.name === 'inbox' || view.name === 'question')) {
    const question = board.inbox.questions.find(({ id }) => id === target.question)
    const answer: Answer = question?.kind === 'permission' ? { kind: 'allow' } : { kind: 'text', text: 'text' }
    return commandOf({ do: 'answer', questions: [target.question], answer, always: 'no' }) ?? ''
  }
  if (target.task) return `rehoboam task list --run ${target.task.run}`
  if (view.name === 'agent' || view.name === 'agents') return `rehoboam show ${target.agent?.slice(0, 8) ?? ''}`.trim()
  if (target.run) return `rehoboam show ${target.run}`
  return `rehoboam ${view.name === 'inbox' || view.name === 'runs' ? view.name : 'agents'}`
}
