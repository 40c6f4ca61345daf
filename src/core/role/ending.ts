import type { SignalKind } from '../../contract/quest-tools.ts'
import type { MayChange } from '../../contract/role-file.ts'

type Powers = { maySignal: readonly SignalKind[]; mayChange: MayChange }

/**
 * What every role is told below its own words, ours or a project's: how a session ends, and what of it stays. A role whose
 * author forgot to say so would otherwise be a crash each time.
 */
export function withEnding(prompt: string, powers: Powers): string {
  return `${prompt.trim()}\n\n${endingWords(powers)}`
}

function endingWords({ maySignal, mayChange }: Powers): string {
  return [
    '## How a session ends',
    [
      'The first line of the prompt names the run, your role and your step: `[rehoboam run=... role=... step=... attempt=...]`.',
      'When your work here is over, call the tool `signal-back` exactly once, with that step as `stepId`; then end your turn, and do nothing more.',
      'Text alone tells nobody anything: a session that ends without the signal counts as a crash and is started again.',
      'If the tool answers with a refusal, nothing has happened: read why, mend it, and call again.',
      'If it cannot be reached, wait some seconds and call again; we may just be starting anew.',
    ].join(' '),
    `You may signal:\n\n${maySignal.map(kind => `- ${SIGNALS[kind]}`).join('\n')}`,
    CHANGES[mayChange],
  ].join('\n\n')
}

const SIGNALS: Record<SignalKind, string> = {
  complete: '`complete` (`summary`): it is done and you have checked it. The next role reads the summary.',
  'partially-complete':
    '`partially-complete` (`progress`, `continuationPoint`): a part is done, and a fresh session of your role without your memory shall go on from there.',
  'needs-user-input':
    '`needs-user-input` (`question`, `context`): only a person can decide or provide this. You are resumed with the answer.',
  'needs-role-followup':
    '`needs-role-followup` (`targetRole`, `reason`, `context`, `resume`): another role has to work on it now. With `resume: true` you are resumed with the outcome; with `false` the quest goes on without you.',
}

const CHANGES: Record<MayChange, string> = {
  nothing: 'Your working directory is a copy that is thrown away. Only what you say through the tools stays.',
  tests:
    'Of what you change, tests stay, and everything else is put back as it was. You need not commit: what is there when you signal is committed.',
  everything:
    'Your working directory is a worktree of your own; stay in it. You need not commit: what is there when you signal is committed. The project’s checks are then run by somebody else.',
}
