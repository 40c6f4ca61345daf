import type { Requirement } from './requirement.ts'

const where = 'docs/agents.md'

export const agents: Requirement[] = [
  {
    id: 'agent-working',
    where,
    promise:
      'An agent’s status says whether it works, with which tools and since when, waits for a person, compacts, was interrupted or is gone.',
  },
  {
    id: 'agent-background',
    where,
    promise: 'Subagents, background work and idle teammates are shown with their agent and do not make it look busy.',
  },
  {
    id: 'agent-failed',
    where,
    promise: 'A failure says which: limit, overload, credentials. When its hook is late or lost, the transcript tells.',
  },
  {
    id: 'agent-found',
    where,
    promise: 'A session that reports by no hook and ran before the daemon is found, with its status.',
    provenBy: 'test:all',
  },
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
    promise: 'In a pane and headless, status and reason are right from prompt to end.',
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
