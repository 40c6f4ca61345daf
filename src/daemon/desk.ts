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
import { takeLate, takeSpool } from './hooks/take-spool.ts'
import { Inbox } from './inbox/inbox.ts'
import { PaneAnswers } from './inbox/pane-answers.ts'
import { Peers } from './inbox/peers.ts'
import { Rules } from './inbox/rules.ts'
import { Notices } from './notices/notices.ts'
import { hookHappening, type Watch } from './watch/watch-readers.ts'

type DeskNeeds = {
  home: string
  userHome: string | undefined
  clock: Clock
  disk: Disk
  log(line: string): void
  ways: Ways
  keepDays: number
  prices: Prices
  runOf(session: string): string | null
  /** Returns true when the run was started without questions and is being ended for this one. */
  turnAway(run: string, asked: string): Promise<boolean>
  watch: Watch
}

const DAY_MS = 86_400_000
// A person reads what comes of it, so a second is at once. A look at a file that is not there costs nothing.
const LATE_EVERY_MS = 1_000

/** Seeing and answering: agents, hooks, inbox, rules and notices, put together. */
export async function openDesk(needs: DeskNeeds) {
  const { home, userHome, clock, disk, log, ways, keepDays, prices, runOf, turnAway, watch } = needs
  const now = () => clock.now()
  const user = userHome ?? homedir()

  // Build: each part uses only those above it.
  const audit = new AuditLog(join(home, 'audit.ndjson'))
  const write = audit.add.bind(audit)
  const history = new History(join(home, 'history.db'), keepDays, log)
  const notices = new Notices({
    clock,
    log: new NoticeLog(join(home, 'notices.ndjson')),
    deliver: notice => void notify(notice, ways, log),
    failed: log,
  })
  const inbox = new Inbox({ write, now })
  const agents = new Agents({ clock, prices, history })
  const paneAnswers = new PaneAnswers({ clock, agents, inbox, log })
  const sightings = new Sightings((directory, sessions) => {
    for (const session of sessions) agents.sighted(directory, session)
  })
  const rules = new Rules({ path: join(home, 'rules.json'), disk, now, userHome: user, stateHome: home, log, write })
  const hooks = new HookDesk({ agents, inbox, now, runOf, turnAway, judge: request => rules.judge(request) })
  const peers = new Peers({ directory: join(home, 'peers'), agents: () => agents.all(), audit: write, now })

  // Connect.
  inbox.listen(() => {
    tellOf(inbox, notices)
    paneAnswers.inboxChanged()
    watch.inbox()
  })
  agents.listen({
    changed(session) {
      sightings.add(agents.configDirectoryOf(session))
      watch.agent(session)
    },
    answered: (session, at) => paneAnswers.promptLeft(session, at),
    noted: entry => watch.happened(hookHappening(entry)),
  })

  // Load what earlier daemons and their hooks left.
  inbox.remember(await audit.recent(1_000))
  await rules.load()
  await takeSpool(home, hooks, now(), log)

  let late = Promise.resolve()
  let lateTimer: NodeJS.Timeout | undefined
  return {
    agents,
    audit,
    history,
    hooks,
    inbox,
    notices,
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
        // One after the other: two at once would take the same events in twice.
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

/** One notice for each question, when it is new. */
function tellOf(inbox: Inbox, notices: Notices): void {
  for (const { id, kind, text, run, agent } of inbox.list()) {
    notices.tell({ id, kind: 'attention', title: `rehoboam: a ${kind} waits for you`, text, run, agent })
  }
}
