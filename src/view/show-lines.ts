import type { Question } from '../contract/question.ts'
import type { RunDetail } from '../contract/run.ts'
import { askedWords } from './inbox-lines.ts'
import { iterationLines, loopFacts } from './loop-lines.ts'
import { plainBlock, plainLine } from './plain.ts'
import { poolFacts, taskLines } from './pool-lines.ts'
import { questFacts, questLines } from './quest-lines.ts'
import { isHeldUp, statusWords, table } from './run-words.ts'
import { agoWords, bytesWords, costWords, durationWords, numberOf } from './words.ts'

// A prompt of a thousand lines is a file to open, not something to scroll past.
const PROMPT_LINES = 12
const QUESTIONS_SHOWN = 3

/** One run on a page: where it stands, what was asked, what came of it. */
export function showLines(run: RunDetail, now: number): string[] {
  const facts: [string, string][] = [
    ['run', `${run.id}  ${run.kind}, ${run.driver}`],
    ['status', standing(run)],
    ...asked(run.questions ?? []),
    ['project', plainLine(run.project)],
    ['started', agoWords(now - Date.parse(run.startedAt))],
    ['took', durationWords((run.endedAt ? Date.parse(run.endedAt) : now) - Date.parse(run.startedAt))],
    ['cost', costWords(run.costUsd)],
    ['model', plainLine(run.model ?? 'the client’s own')],
    ['session', run.session],
    ['files', `${plainLine(run.directory, 4096)}, ${bytesWords(run.diskBytes ?? 0)}`],
    ...loopFacts(run),
    ...poolFacts(run),
    ...questFacts(run, now),
  ]
  if (run.messagesWaiting) facts.push(['waiting', `${numberOf(run.messagesWaiting, 'message')} for the next turn`])
  const turns = run.turns.map(turn => [
    String(turn.turn),
    turn.state,
    turn.startedAt && turn.endedAt ? durationWords(Date.parse(turn.endedAt) - Date.parse(turn.startedAt)) : '',
    costWords(turn.costUsd),
    turn.exit ?? '',
  ])
  return [
    ...table(facts),
    '',
    ...(run.pool
      ? taskLines(run.pool.tasks)
      : run.quest
        ? questLines(run.quest)
        : run.loop
          ? iterationLines(run).slice(1)
          : table([['turn', 'state', 'took', 'cost', 'end'], ...turns], [0, 3])),
    ...block('prompt', run.prompt, PROMPT_LINES),
    ...block('last message', run.result, 40),
    ...run.notes.map(note => `note: ${plainBlock(note)}`),
  ]
}

function standing(run: RunDetail): string {
  return isHeldUp(run) ? statusWords(run) : `${statusWords(run)}: ${plainLine(run.sentence)}`
}

function asked(questions: Question[]): [string, string][] {
  const shown = questions.slice(0, QUESTIONS_SHOWN).map((question): [string, string] => ['asks', askedWords(question)])
  const more = questions.length - shown.length
  return more > 0 ? [...shown, ['asks', `${more} more: rehoboam inbox`]] : shown
}

function block(title: string, text: string | null, most: number): string[] {
  if (!text?.trim()) return []
  const lines = plainBlock(text).trim().split('\n')
  const more = lines.length > most ? [`  … ${lines.length - most} more lines`] : []
  return ['', title, ...lines.slice(0, most).map(line => `  ${line}`), ...more]
}
