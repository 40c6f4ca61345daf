import { homedir } from 'node:os'
import { join } from 'node:path'
import { AuditLog } from '../adapters/audit-log.ts'
import { History } from '../adapters/history/history.ts'
import { NoticeLog } from '../adapters/notice-log.ts'
import { notify, type Ways } from '../adapters/notifier.ts'
import type { Prices } from '../core/agent/prices.ts'
import type { Clock, Disk } from '../ports.ts'
import { Agents } from './agents/agents.ts'
import { Sightings } from './agents/sightings.ts'
import { HookDesk } from './hooks/hook-desk.ts'
import { takeLate, takeSpool } from './hooks/spool.ts'
import { Inbox } from './inbox/inbox.ts'
import { PaneAnswers } from './inbox/pane-answers.ts'
import { Peers } from './inbox/peers.ts'
import { Rules } from './inbox/rules.ts'
import { Notices } from './notices/notices.ts'
import { hookHappening, type Watch } from './watch/watch.ts'

type Outside = {
  home: string
  userHome: string | undefined
  clock: Clock
  disk: Disk
  log(line: string): void
  ways: Ways
  keepDays: number
  prices: Prices
  runOf(session: string): string | null
  turnAway(run: string, asked: string): Promise<boolean>
  /** A question was opened or closed. */
  questionsChanged(): void
  /** Who watches everything. */
  watch: Watch
}

const DAY_MS = 86_400_000
// A person reads what comes of it: a second is at once, and a look at a file that is not there costs nothing.
const LATE_EVERY_MS = 1_000

/** Seeing and answering: agents, hooks, inbox, rules, notices, put together. */
export async function openDesk(outside: Outside) {
  const { home, userHome, clock, disk, log, ways, keepDays, runOf, turnAway, watch } = outside
  const now = () => clock.now()
  const audit = new AuditLog(join(home, 'audit.ndjson'))
  const write = audit.add.bind(audit)
  const history = new History(join(home, 'history.db'), keepDays, log)
  const notices = new Notices({
    clock,
    log: new NoticeLog(join(home, 'notices.ndjson')),
    deliver: notice => void notify(notice, ways, log),
    failed: log,
  })
  const inbox = new Inbox({
    write,
    now,
    changed() {
      tellOf(inbox, notices)
      paneAnswers.inboxChanged()
      outside.questionsChanged()
      watch.inbox()
    },
  })
  inbox.remember(await audit.recent(1_000))
  const agents: Agents = new Agents({
    clock,
    prices: outside.prices,
    history,
    changed(session) {
      sightings.add(agents.configDirectoryOf(session))
      watch.agent(session)
    },
    answered: (session, at) => paneAnswers.promptLeft(session, at),
    noted: entry => watch.happened(hookHappening(entry)),
  })
  const paneAnswers = new PaneAnswers({ clock, agents, inbox, log })
  const sightings = new Sightings((directory, sessions) => {
    for (const session of sessions) agents.sighted(directory, session)
  })
  const user = userHome ?? homedir()
  const rules = new Rules({ path: join(home, 'rules.json'), disk, now, userHome: user, stateHome: home, log, write })
  await rules.load()
  const hooks = new HookDesk({ agents, inbox, now, runOf, turnAway, judge: request => rules.judge(request) })
  await takeSpool(home, hooks, now(), log)
  let late = Promise.resolve()
  let lateTimer: NodeJS.Timeout | undefined
  const peers = new Peers({ directory: join(home, 'peers'), agents: () => agents.all(), audit: write, now })
  return {
    agents,
    audit,
    history,
    hooks,
    inbox,
    notices,
    /** Whether terminals that follow the inbox ring. */
    bell: ways.bell,
    peers,
    rules,
    /** Begins to look for what nobody reports. */
    watch() {
      sightings.start(join(user, '.claude'))
      agents.watch()
      history.forgetOld(now())
      const daily = setInterval(() => history.forgetOld(now()), DAY_MS)
      daily.unref()
      lateTimer = setInterval(() => {
        // One after the other: two would take the same events in.
        late = late
          .then(() => takeLate(home, hooks, now(), log))
          .catch((error: Error) => log(`late events: ${error.message}`))
      }, LATE_EVERY_MS)
    },
    async close() {
      clearInterval(lateTimer)
      await late
      sightings.close()
      paneAnswers.close()
      await agents.close()
      await history.close()
    },
  }
}

export type Desk = Awaited<ReturnType<typeof openDesk>>

/** One notice for each question, when it is new. */
function tellOf(inbox: Inbox, notices: Notices): void {
  for (const { id, kind, text, run, agent } of inbox.list()) {
    notices.tell({ id, kind: 'attention', title: `rehoboam: a ${kind} waits for you`, text, run, agent })
  }
}
