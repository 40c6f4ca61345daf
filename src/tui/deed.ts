import type { SpawnRequest } from '../contract/api.ts'
import type { Answer, AnswerRequest } from '../contract/question.ts'
import { shellWord } from '../contract/shell-word.ts'
import type { TaskVerb } from '../contract/task-api.ts'

/** What a key asks for, as data. Every one of them can be done by a command too: `commandOf` says by which. */
export type Deed =
  | { do: 'answer'; questions: string[]; answer: Answer; always: AnswerRequest['always'] }
  | { do: 'change'; run: string; command: 'pause' | 'cancel' | 'reject' }
  | { do: 'resume'; run: string; text: string | null }
  | { do: 'tell'; run?: string; agent?: string; text: string }
  | { do: 'verdict'; run: string; iteration: number; wrong: string }
  | { do: 'step'; command: 'retry' | 'skip'; run: string; step: string }
  | { do: 'edit-plan'; run: string }
  | { do: 'task'; verb: TaskVerb; run: string; task: string | null; text: string | null }
  | { do: 'merge'; run: string }
  | { do: 'restore'; run: string; iteration: number }
  | { do: 'freeze' }
  | { do: 'thaw' }
  | { do: 'mute'; forMs: number }
  | { do: 'open'; run?: string; agent?: string; isAgreed: boolean }
  | { do: 'spawn'; request: SpawnRequest }
  | { do: 'copy'; command: string }
  | { do: 'quit' }

/** The command that does the same; null for what only a screen has. */
export function commandOf(deed: Deed): string | null {
  switch (deed.do) {
    case 'answer':
      return answerCommand(deed)
    case 'change':
      return `rehoboam ${deed.command} ${deed.run}`
    case 'resume':
      return `rehoboam resume ${deed.run}${deed.text ? ` ${shellWord(deed.text)}` : ''}`
    case 'tell':
      return `rehoboam tell ${deed.run ?? deed.agent?.slice(0, 8)} ${shellWord(deed.text || 'text')}`
    case 'verdict':
      return `rehoboam verdict ${deed.run} ${deed.iteration} --wrong ${shellWord(deed.wrong || 'why')}`
    case 'step':
      return `rehoboam ${deed.command} ${deed.run} ${shellWord(deed.step)}`
    case 'edit-plan':
      return `rehoboam plan ${deed.run} --edit`
    case 'task':
      return `rehoboam task ${deed.verb} ${shellWord(deed.text ?? deed.task ?? '')} --run ${deed.run}`
    case 'merge':
      return `rehoboam merge ${deed.run}`
    case 'restore':
      return `rehoboam restore ${deed.run} ${deed.iteration}`
    case 'freeze':
    case 'thaw':
      return `rehoboam ${deed.do}`
    case 'mute':
      return deed.forMs === 0 ? 'rehoboam inbox unmute' : `rehoboam inbox mute ${Math.round(deed.forMs / 60_000)}m`
    case 'open':
      return `rehoboam open ${deed.run ?? deed.agent?.slice(0, 8)}`
    default:
      return null
  }
}

const SCOPES = { no: '', run: ' --for-run', project: ' --for-project', always: ' --always' }

function answerCommand({ questions, answer, always }: Extract<Deed, { do: 'answer' }>): string {
  const ids = questions.map(id => id.slice(0, 8)).join(' ')
  if (answer.kind === 'text') return `rehoboam answer ${ids} ${shellWord(answer.text)}`
  const reason = answer.kind === 'deny' && answer.reason ? ` --reason ${shellWord(answer.reason)}` : ''
  return `rehoboam ${answer.kind} ${ids}${reason}${SCOPES[always]}`
}
