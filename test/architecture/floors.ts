/** The folders of a room, from below. A folder imports from the floors below its own, never from its own floor or above. */
export interface Folder {
  name: string
  /** Completes "belongs here". The map in docs/architecture.md is drawn from this. */
  holds: string
}

/** `.`: the files that stand directly in the room. */
export const floors: Record<string, Folder[][]> = {
  core: [
    [{ name: '.', holds: 'what every machine uses: effects, prompts, time limits, plain text' }],
    [
      { name: 'merge', holds: 'sentences about merges' },
      { name: 'inbox', holds: 'permission rules, the shell parser behind them, when a question counts as answered' },
      { name: 'session', holds: 'one session of the client: its turns, their ends, what it reported' },
    ],
    [
      { name: 'agent', holds: 'what hooks, transcripts and streams say about an agent, and its status' },
      { name: 'ward', holds: 'what checks say: their output, their definition, tampering with them' },
      { name: 'role', holds: 'what a role may do, and how a role file says that its session ended' },
      { name: 'judge', holds: 'what an agent claims in its own words, and what the judge is asked' },
    ],
    [{ name: 'loop', holds: 'iterations of fresh sessions, breakers, limits' }],
    [{ name: 'parent', holds: 'what pools and quests share: children, merging, budget, time, rest' }],
    [{ name: 'pool', holds: 'a planner, its tasks and its workers' }],
    [{ name: 'quest', holds: 'roles, steps and the signals by which they hand work on' }],
    [{ name: 'run', holds: 'all kinds of run together: `advance`, state and view of any run' }],
  ],
  daemon: [
    [
      {
        name: 'runtime',
        holds: 'the mailbox and journal of a run, all runs, ids that stay the same when an effect is repeated',
      },
    ],
    [
      { name: 'agents', holds: 'every agent that is known, and how it became known' },
      { name: 'notices', holds: 'notices to people: bell, desktop, webhook' },
    ],
    [{ name: 'inbox', holds: 'open questions, their answers, rules, who is asking' }],
    [
      { name: 'sessions', holds: 'starting, following and ending sessions: places, accounts, environments, panes' },
      { name: 'worktrees', holds: 'worktrees, their setup and their ports' },
      { name: 'roles', holds: 'role files, built in and of a project, and what roles may not do' },
    ],
    [{ name: 'ward', holds: 'which checks a project has, and running them on a commit' }],
    [
      { name: 'judge', holds: 'the session that judges' },
      { name: 'merges', holds: "merging a task into a run's branch and a run into its user's" },
    ],
    [{ name: 'loops', holds: 'the effects of loops, and the files in a loop directory' }],
    [{ name: 'parent', holds: 'the effects that pools and quests share: running, telling and following children' }],
    [
      { name: 'pools', holds: 'the effects of pools: planner and workers, tasks.md' },
      { name: 'quests', holds: 'the effects of quests: sessions of roles, their tools, quest.json' },
    ],
    [
      { name: 'hooks', holds: 'taking in hook events, from the door and from the spool' },
      { name: 'mcp', holds: 'the MCP server of the tools' },
      { name: 'commands', holds: 'what a person can order: spawn, stop, resume, freeze' },
      { name: 'watch', holds: 'what faces show: lists, details, feeds' },
    ],
    [{ name: 'http', holds: 'the doors: routes, limits, who may do what' }],
    [{ name: '.', holds: 'composition: `build.ts` builds the parts, `main.ts` starts and stops them' }],
  ],
}

/** The map of a room for docs/architecture.md, top floor first as one reads it. */
export function mapOf(room: string): string {
  const rows = [...floors[room]!]
    .reverse()
    .flatMap((floor, index) => [
      ...(index ? [''] : []),
      ...floor.map(({ name, holds }) => `${(name === '.' ? `${room}/*.ts` : `${room}/${name}`).padEnd(20)} ${holds}`),
    ])
  return ['```', ...rows, '```'].join('\n')
}
