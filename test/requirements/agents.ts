import type { Requirement } from './requirement.ts'

const where = 'docs/agents.md'

export const agents: Requirement[] = [
  {
    id: 'agent-working',
    where,
    promise:
      'A prompt or a running tool makes an agent working, with which tools and since when; parallel tools are paired by id.',
  },
  {
    id: 'agent-subagent',
    where,
    promise: 'What a subagent does is shown below its parent and never changes the parent’s own status.',
  },
  {
    id: 'agent-background',
    where,
    promise: 'An agent whose turn ended while background work runs is in the background; an idle teammate is not work.',
  },
  {
    id: 'agent-attention',
    where,
    promise: 'An open prompt is attention: a permission before a question before a notification.',
  },
  {
    id: 'agent-failed',
    where,
    promise: 'A failure says which: limit, overload, credentials. When its hook is late or lost, the transcript tells.',
  },
  { id: 'agent-compacting', where, promise: 'Compaction is shown, and the SessionStart after it changes nothing.' },
  {
    id: 'agent-interrupted',
    where,
    promise: 'An interrupted turn, for which no Stop comes, is seen in the transcript.',
  },
  {
    id: 'agent-second-signal',
    where,
    promise: 'When hooks are lost, the client’s own note repairs the status, marked as unsure.',
  },
  {
    id: 'agent-found',
    where,
    promise: 'A session that reports by no hook and ran before the daemon is found, with its status.',
    provenBy: 'test:all',
  },
  { id: 'agent-gone', where, promise: 'A process that vanished without an end is gone.' },
  { id: 'agent-recorded', where, promise: 'Recorded hook events of the real client are all understood.' },
  {
    id: 'agent-show',
    where,
    promise:
      'show tells of one agent by the beginning of its id: status, branch, mode, tools, files, tokens, questions.',
  },
  { id: 'agent-logs', where, promise: 'logs prints an agent’s transcript, and with -f goes on as it grows.' },
  {
    id: 'agent-tell-pane',
    where,
    promise: 'A message for a session in tmux is typed into its pane as one paste.',
    provenBy: 'test:all',
  },
  {
    id: 'agent-tell-refused',
    where,
    promise: 'Nothing is typed where it would do something else; the refusal says why and what to type.',
  },
  {
    id: 'agent-walk-pane',
    where,
    promise: 'In a pane, status and reason are right from prompt to end, at every point that the issue names.',
    provenBy: 'test:all',
  },
  {
    id: 'agent-walk-headless',
    where,
    promise: 'Headless, status and reason are right from prompt to end, at every point that there is.',
    provenBy: 'test:all',
  },
  {
    id: 'agent-drop',
    where,
    promise:
      'Whichever hook events are lost, an agent’s status is right or shown as unsure, never at rest while a tool runs.',
  },
  {
    id: 'agent-team',
    where,
    promise: 'Teammates are shown with their team, and an idle one keeps nobody busy.',
    provenBy: 'test:all',
  },
  {
    id: 'agent-tasks',
    where,
    promise:
      'The client’s own tasks, those of teammates too, are shown with who has begun or done them, and so is a request to shut down.',
  },
  {
    id: 'agent-history',
    where: 'docs/architecture.md',
    promise: 'What agents did is kept for so many days; a damaged history is set aside and costs nothing but itself.',
  },
]
