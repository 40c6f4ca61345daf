import type { AgentStatus, AgentSummary } from '../../src/contract/agent.ts'
import type { AgentDetail } from '../../src/contract/agent-detail.ts'
import type { TaskView } from '../../src/contract/pool.ts'
import type { QuestDetail, StepView } from '../../src/contract/quest.ts'
import type { Question } from '../../src/contract/question.ts'
import type { RunDetail, RunSummary } from '../../src/contract/run.ts'
import type { Happening, WatchItem } from '../../src/contract/watch.ts'
import { fieldOf } from '../../src/tui/field.ts'
import type { Details } from '../../src/tui/screen.ts'
import { newForm } from '../../src/tui/spawn-form.ts'
import { AT_FIRST, type Ui, type View } from '../../src/tui/ui.ts'
import { Board } from '../../src/view/board.ts'

/** A whole house to look at, made of data: agents and runs of every kind, with whatever somebody could have written. */

export const NOW = Date.parse('2026-11-16T12:00:00Z')
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString()

/** What an agent could write to move the cursor, set the title, hide or reorder text, or make a line too wide. */
export const HOSTILE = [
  'a\u001b[2J\u001b[Hb\u001b]0;owned\u0007c\u009b31md',
  'x\r\ny\u0008\u0008z\u000b\u000c\u0000\u007f',
  'left\u202eright\u2066in\u2069\u200b\u00ad\ufeffout',
  '你好世界'.repeat(30),
  '👨‍👩‍👧‍👦👍🏽❤️🏳️‍🌈'.repeat(12),
  `e\u0301o\u0308\u0323${'n\u0303'.repeat(200)}`,
  'a-name-without-any-blank-'.repeat(12),
  '\ud800 half a character',
]

const STATUSES: AgentStatus[] = [
  ...(['working', 'working', 'attention', 'waiting', 'background', 'working'] as const),
  ...(['failed', 'compacting', 'starting', 'done', 'gone', 'working'] as const),
]

export function agent(n: number, change: Partial<AgentSummary> = {}): AgentSummary {
  const session = `${String(n).padStart(8, '0')}-65b2-4816-8c93-d22a8334fab3`
  const words = HOSTILE[n % HOSTILE.length]!
  const isHostile = n % 5 === 4
  return {
    id: session,
    session,
    status: STATUSES[n % STATUSES.length]!,
    reason: 'Bash: npm test for 4 s',
    doing: isHostile ? `Bash: ${words}` : 'Bash: npm test -- cart',
    since: ago(n * 7),
    unsure: n % 9 === 0 ? 'from the transcript: no hook has said so' : null,
    project: isHostile ? `/home/u/${words}` : `/home/u/${['shop-api', 'shop-web', 'billing', 'docs'][n % 4]}`,
    cwd: '/home/u/shop',
    pane: n % 3 ? null : 'default:%3',
    model: 'claude-opus-4-5',
    run: n === 0 ? LOOP : n === 1 ? `${POOL}.TASK-001` : null,
    role: n % 6 ? null : isHostile ? words : 'worker',
    observedRole: null,
    tool: null,
    subagents: n % 4,
    tokens: n * 1234,
    contextTokens: 20_000,
    costUsd: n / 7,
    team: n % 10 ? null : isHostile ? words : 'cart-team',
    startedAt: ago(n * 60),
    updatedAt: ago(n),
    ...change,
  }
}

export const LOOP = 'k3v9x0ab'
export const POOL = 'p00l0001'
export const QUEST = 'qu35t001'
export const SESSION = 'se55i0n1'

export function run(id: string, change: Partial<RunSummary> = {}): RunSummary {
  return {
    id,
    kind: 'loop',
    parent: null,
    status: 'active',
    cause: null,
    proven: null,
    waitsUntil: null,
    project: '/home/u/shop-web',
    iteration: 3,
    maxIterations: 50,
    steps: null,
    costUsd: 0.41,
    startedAt: ago(1260),
    endedAt: null,
    ...change,
  }
}

const STEPS = { total: 6, complete: 2, running: 2, blocked: 1 }

function runs(): RunSummary[] {
  return [
    run(LOOP),
    run(POOL, { kind: 'pool', iteration: null, maxIterations: null, steps: STEPS, project: `/home/u/${HOSTILE[4]}` }),
    run(QUEST, { kind: 'quest', iteration: null, maxIterations: null, steps: STEPS, status: 'blocked' }),
    run(SESSION, { kind: 'session', iteration: null, maxIterations: null, status: 'complete', endedAt: ago(30) }),
  ]
}

export function question(n: number, change: Partial<Question> = {}): Question {
  return {
    id: `${String(n).padStart(8, 'a')}-65b2-4816-8c93-d22a8334fab3`,
    kind: n % 3 === 2 ? 'question' : 'permission',
    run: n === 0 ? LOOP : null,
    agent: agent(n * 12 + 2).session,
    step: null,
    text: n % 2 ? `Bash: ${HOSTILE.join('\n')}` : 'Bash: npm publish --dry-run',
    options: n % 3 === 2 ? ['per line', HOSTILE[3]!, 'per order'] : [],
    since: ago(120 + n),
    project: '/home/u/shop-api',
    tool: 'Bash',
    why: 'no rule matches',
    ...change,
  }
}

function happenings(): Happening[] {
  return HOSTILE.map((words, n) => ({
    ...{ kind: 'hook', at: NOW - n * 1000, agent: agent(n).session, subagent: n % 2 ? 'a1' : '' },
    ...{ name: n % 2 ? 'PostToolUse' : words, tool: 'Bash', words, ms: n * 900, failed: n % 3 === 0 },
  }))
}

/** All that a daemon tells who has so many agents; none means that there is nothing at all. */
export function told(agents: number): Extract<WatchItem, { type: 'all' }> {
  return {
    type: 'all',
    daemon: 'd',
    agents: Array.from({ length: agents }, (_, n) => agent(n)),
    runs: agents > 0 ? runs() : [],
    inbox: {
      questions: Array.from({ length: Math.min(agents, Math.ceil(agents / 10)) }, (_, n) => question(n)),
      mutedUntil: agents > 1 ? ago(-1800) : null,
      bell: true,
    },
    happenings: agents > 0 ? happenings() : [],
  }
}

export function board(agents: number): Board {
  const made = new Board()
  made.take(told(agents))
  return made
}

const detail = (of: RunSummary): RunDetail => ({
  ...of,
  sentence: HOSTILE[0]!,
  session: agent(0).session,
  driver: 'headless',
  model: null,
  seq: 9,
  turns: [],
  messagesWaiting: 0,
  prompt: `Until the cart keeps its content\n${HOSTILE.join('\n')}`,
  result: null,
  notes: [HOSTILE[1]!],
  directory: '/home/u/.local/state',
})

function loop(): RunDetail {
  const iteration = (n: number) => ({
    iteration: n,
    session: agent(0).session,
    state: n === 3 ? ('running' as const) : ('ended' as const),
    startedAt: ago(1260 - n * 300),
    endedAt: n === 3 ? null : ago(1000 - n * 300),
    outcome: 'finished',
    verdict: n === 3 ? null : ('continue' as const),
    claim: n === 2 ? ('stop-word' as const) : null,
    ward: n === 3 ? null : ('red' as const),
    moved: n === 3 ? null : n === 1,
    toolCalls: n * 19,
    costUsd: 0.14,
    checkpoint: null,
    markedWrong: n === 2,
    why: n === 1 ? '2 of 4 criteria are open' : HOSTILE[6]!,
  })
  const view = {
    directory: '/home/u/shop-web/.rehoboam',
    role: 'auto',
    phase: 'running',
    stopWord: 'DONE',
    stallAfter: 3,
    judge: 'heuristic',
    maxCostUsd: 5,
    unmovedFor: 1,
    refusedClaims: 1,
    baseRed: 2,
    criteria: ['PASS', 'UNKNOWN', 'FAIL'] as ('PASS' | 'UNKNOWN' | 'FAIL')[],
    base: null,
    checks: null,
    branch: null,
    changed: false,
    waitsUntil: null,
    iterations: [1, 2, 3].map(iteration),
  }
  return { ...detail(run(LOOP)), loop: view }
}

const TASKS: TaskView[] = (['pending', 'active', 'merging', 'merged', 'stuck', 'failed'] as const).map((state, n) => ({
  ...{
    id: `TASK-00${n}`,
    state,
    title: n % 2 ? HOSTILE[n]! : 'an endpoint for prices',
    by: n === 1 ? 'person' : n ? `${POOL}.TASK-00${n}` : null,
  },
  ...{ attempts: 1, iterations: n, costUsd: n / 3, commit: null, branch: null },
}))

function pool(): RunDetail {
  const view = {
    ...{ directory: '/home/u', phase: 'working', round: 1, maxWorkers: 3, branch: `rehoboam/${POOL}` },
    ...{ base: null, tip: null, baseRed: null, planner: `${POOL}.planner`, tasks: TASKS },
  }
  return { ...detail(runs()[1]!), pool: view }
}

const step = (id: string, dependsOn: string[], status: StepView['status'], role: string | null): StepView => ({
  ...{ id, title: HOSTILE[3]!, text: '', files: [], dependsOn, requirements: [], status, phase: 'code', role, slot: 1 },
  ...{ attempts: 2, branch: null, commit: null, waitsOn: dependsOn, chain: [], reds: 1, costUsd: 0.2 },
})

function quest(): RunDetail {
  const steps = [
    step('money-type', [], 'complete', null),
    step('currency-ui', [], 'warding', 'spiritmender'),
    step('cart-totals', ['money-type'], 'working', 'codeweaver'),
    step('price-api', ['money-type'], 'working', 'siegemaster'),
    step('checkout', ['cart-totals', 'price-api', 'money-type'], 'pending', null),
    step('settings', ['currency-ui'], 'asking', null),
  ]
  const view: QuestDetail = {
    ...{ version: 1, directory: '/home/u', phase: 'working', request: 'two currencies', approvePlan: false },
    ...{ requirements: [], steps, errands: [step('plan', [], 'complete', 'pathseeker')] },
    sessions: [
      {
        ...{ id: agent(0).session, run: `${QUEST}.s1`, role: 'codeweaver', step: 'cart-totals', startedAt: ago(120) },
        ...{ endedAt: null, costUsd: 0.22, how: 'active' },
      },
    ],
    questions: [
      {
        id: 'q',
        step: 'settings',
        kind: 'question',
        text: HOSTILE[4]!,
        askedAt: ago(90),
        answer: null,
        answeredAt: null,
      },
    ],
    wards: [
      { step: 'currency-ui', on: 'step', at: ago(60), result: 'red', failing: 2, cached: false, tampered: false },
    ],
    ...{ costByRole: { codeweaver: 0.22 }, maxCostUsd: 5, slots: ['cart-totals', 'price-api', null] },
    ...{ branch: `rehoboam/${QUEST}`, base: null, tip: null, baseRed: null, waitsUntil: null, waits: [HOSTILE[2]!] },
  }
  return { ...detail(runs()[2]!), quest: view }
}

function agentDetail(): AgentDetail {
  return {
    ...agent(0),
    ...{
      branch: HOSTILE[6]!,
      effort: 'high',
      permissionMode: 'acceptEdits',
      pid: 5,
      entrypoint: 'cli',
      transcript: null,
    },
    tools: [{ words: HOSTILE[0]!, since: ago(5), subagent: '' }],
    recentTools: HOSTILE.map((words, n) => ({ words, endedAt: ago(n), ms: n * 1000, failed: n === 2 })),
    files: HOSTILE,
    subagentTree: [{ id: 'a1', type: HOSTILE[4]!, since: ago(60), endedAt: null, tools: [HOSTILE[3]!] }],
    ...{ compactions: 1, usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }, teamRole: null },
    mates: [{ name: HOSTILE[5]!, idle: true, shutdownAsked: true }],
    tasks: [{ id: '1', subject: HOSTILE[6]!, done: false, begun: true, owner: '' }],
    ...{
      roleMismatch: false,
      background: [HOSTILE[0]!],
      questions: [],
      lastMessage: null,
      unknownEvents: [],
      history: [],
    },
  }
}

export const details = (): Details => ({
  runs: new Map([loop(), pool(), quest(), { ...detail(runs()[3]!), turns: [] }].map(made => [made.id, made])),
  agents: new Map([[agent(0).session, agentDetail()]]),
  output: new Map(
    [LOOP, agent(0).session].map(id => [id, [...HOSTILE, ...HOSTILE].map(text => ({ tone: 'say' as const, text }))]),
  ),
  diffs: new Map([
    [LOOP, { from: 'a', to: 'b', iteration: 2, text: `diff --git\n+${HOSTILE.join('\n+')}`, cut: true }],
  ]),
  tasks: new Map([[POOL, TASKS]]),
})

const VIEWS: View[] = [
  ...(['agents', 'runs', 'inbox', 'tasks', 'events', 'totals'] as const).map(name => ({ name })),
  { name: 'search' },
  { name: 'help', of: { name: 'agents' } },
  ...[LOOP, POOL, QUEST, SESSION].map(id => ({ name: 'run' as const, id })),
  { name: 'agent', id: agent(0).session },
  { name: 'diff', id: LOOP },
  { name: 'question', id: question(1).id },
]

/** Every view, each way that it can be looked at. */
export function everyUi(): { name: string; ui: Ui }[] {
  const base: Ui = { ...AT_FIRST, search: fieldOf('shop') }
  const views = VIEWS.map(view => ({
    name: 'id' in view ? `${view.name} ${view.id.slice(0, 8)}` : view.name,
    ui: { ...base, views: [{ name: 'agents' as const }, view] },
  }))
  const form = newForm('/home/u/shop')
  const spawn = (kind: string) => ({
    ...form,
    values: { ...form.values, kind: fieldOf(kind), prompt: fieldOf(HOSTILE.join('\n')), iterations: fieldOf('many') },
    plan: {
      of: '',
      error: null,
      found: {
        commands: [{ command: HOSTILE[6]!, from: HOSTILE[0]! }],
        setup: [],
        hash: 'h',
        needsAgreement: true,
        dirty: [HOSTILE[3]!],
      },
    },
  })
  const deed = { do: 'quit' as const }
  return [
    ...views,
    { name: 'agents as a list', ui: { ...base, layout: 'list' } },
    { name: 'agents by project', ui: { ...base, grouping: 'project' } },
    { name: 'agents by team', ui: { ...base, grouping: 'team' } },
    ...['session', 'loop', 'pool', 'quest'].map(kind => {
      return { name: `spawn ${kind}`, ui: { ...base, dialog: { kind: 'spawn' as const, form: spawn(kind) } } }
    }),
    {
      name: 'tell',
      ui: { ...base, dialog: { kind: 'text', title: 'tell', field: fieldOf(HOSTILE.join(' ')), deed: () => deed } },
    },
    { name: 'cancel', ui: { ...base, dialog: { kind: 'agree', sentence: `cancel run ${LOOP} now?`, deed } } },
    { name: 'notice', ui: { ...base, notice: { text: HOSTILE.join(' '), tone: 'failed', until: NOW + 1 } } },
  ]
}
