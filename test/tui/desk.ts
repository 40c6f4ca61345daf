import type { Daemon } from '../../src/client/ask.ts'
import { RehoboamError } from '../../src/contract/errors.ts'
import type { RunSummary } from '../../src/contract/run.ts'
import { Store } from '../../src/tui/dashboard-store.ts'
import { textOf } from '../../src/tui/row.ts'
import type { NamedKey, Stroke } from '../../src/tui/stroke.ts'
import { until } from '../support/until.ts'
import { details, NOW, told } from './stage.ts'

type Request = { path: string; body: unknown }

/** The dashboard without a terminal, before a daemon that writes down what it is asked and answers as one that agrees. */
export function desk(
  change: { agents?: number; refuse?: (path: string) => Error | null; runs?: RunSummary[]; mutedUntil?: string } = {},
) {
  const asked: Request[] = []
  const copied: string[] = []
  const edited: string[] = []
  let hasQuit = false
  const ask = async ({ path, body }: Request) => {
    asked.push({ path, body })
    const refusal = change.refuse?.(path)
    if (refusal) throw refusal
    // A mute of no length ends the one that there is.
    if (path.endsWith('/mute') && (body as { forMs: number }).forMs === 0) return { until: null }
    return ANSWERS.find(([end]) => path.endsWith(end))?.[1] ?? {}
  }
  const known = details()
  const look = async ({ path }: { path: string }) => {
    const id = decodeURIComponent(path.split('/')[3] ?? '')
    const found = known.runs.get(id) ?? known.agents.get(id)
    if (!found) throw new RehoboamError('run-unknown', `there is no run ${id}`)
    return found
  }
  const store = new Store({
    daemon: { ask, decide: ask, askRunning: look, ready: async () => {} } as unknown as Daemon,
    environment: { LANG: 'C' },
    directory: '/',
    now: () => NOW,
    changed: () => {},
    quit: () => {
      hasQuit = true
    },
    showPane: async () => {},
    editPlan: async run => edited.push(run) > 0,
    copy: text => copied.push(text),
    ring: () => {},
    mayChange: () => {},
  })
  const whole = told(change.agents ?? 30)
  store.take({
    ...whole,
    runs: change.runs ?? whole.runs,
    inbox: { ...whole.inbox, mutedUntil: change.mutedUntil ?? null },
  })
  const screen = () => store.draw({ columns: 120, rows: 40 }).rows.map(textOf).join('\n')
  screen()
  const desk = {
    store,
    copied,
    edited,
    hasQuit: () => hasQuit,
    screen,
    /** One key for each character; words in angles are the others: `<enter>`, `<^s>`. */
    keys(words: string) {
      store.press(strokesIn(words))
      screen()
    },
    paste: (text: string) => store.press([{ paste: text }]),
    /** What came of it, or something that was asked for and has arrived. */
    sees: (what: string | RegExp) =>
      until(
        () => (typeof what === 'string' ? screen().includes(what) : what.test(screen())),
        `the screen to show ${what}`,
      ),
    /** The requests since the last look. */
    async asks(count = 1): Promise<Request[]> {
      await until(() => asked.length >= count, `${count} requests`)
      return asked.splice(0)
    },
  }
  return desk
}

const ANSWERS: [string, unknown][] = [
  ['/answer', { question: { text: 'Bash: ls' }, rules: ['Bash(ls *)'] }],
  ['/freeze', { runs: ['a', 'b'] }],
  ['/thaw', { runs: ['a', 'b'] }],
  ['/mute', { until: '2026-11-16T12:30:00.000Z' }],
  ['/runs', { id: 'n3wrun01', notes: [] }],
  ['/skip', { skipped: ['settings', 'later'] }],
  ['/merge', { state: 'merged', branch: 'main', commit: '0123456789abcdef', files: 2, ward: 'green' }],
  ['/restore', { branch: 'rehoboam-restored/k3v9x0ab-2', worktree: null, commit: 'c' }],
  ['/add', { id: 'TASK-9', title: 'more' }],
  ['/claim', { id: 'TASK-000', title: 'more' }],
  ['/release', { id: 'TASK-001', title: 'more' }],
  ['/done', { id: 'TASK-000', title: 'more' }],
  ['/tell', { driver: 'headless' }],
  [
    '/ward',
    {
      ...{ commands: [{ command: 'npm test', from: 'package.json' }], setup: [] },
      ...{ hash: 'h1', needsAgreement: true, dirty: [] },
    },
  ],
]

function strokesIn(words: string): Stroke[] {
  return [...words.matchAll(/<(\^?)([^>]+)>|([\s\S])/g)].map(([, ctrl, name, char]): Stroke => {
    if (char !== undefined) return { char }
    return ctrl ? { ctrl: name! } : { key: name as NamedKey }
  })
}
