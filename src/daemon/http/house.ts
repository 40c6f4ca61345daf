import type { AuditLog } from '../../adapters/audit-log.ts'
import type { History } from '../../adapters/history/history.ts'
import type { Registration } from '../../contract/registration.ts'
import type { Texts } from '../../ports.ts'
import type { Agents } from '../agents/agents.ts'
import type { Commands } from '../commands/commands.ts'
import type { Freeze } from '../commands/freeze.ts'
import type { HookDesk } from '../hooks/hook-desk.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Peers } from '../inbox/peers.ts'
import type { Rules } from '../inbox/rules.ts'
import type { Checkpoints } from '../loops/checkpoints.ts'
import type { Merges } from '../merges/merges.ts'
import type { Notices } from '../notices/notices.ts'
import type { TaskDesk } from '../pools/task-desk.ts'
import type { QuestDesk } from '../quests/quest-desk.ts'
import type { RoleGuards } from '../roles/role-guards.ts'
import type { Runs } from '../runtime/runs.ts'
import type { Accounts } from '../sessions/accounts.ts'
import type { Places } from '../sessions/places.ts'
import type { Tokens } from '../sessions/tokens.ts'
import type { WardPlans } from '../ward/ward-plans.ts'
import type { Watch } from '../watch/watch-readers.ts'

/** What the doors may use of the daemon. */
export type House = {
  home: string
  registration: Registration
  runs: Runs
  agents: Agents
  history: History
  hooks: HookDesk
  inbox: Inbox
  audit: AuditLog
  notices: Notices
  /** Whether terminals that follow the inbox ring. */
  bell: boolean
  peers: Peers
  rules: Rules
  commands: Commands
  plans: WardPlans
  tasks: TaskDesk
  roles: RoleGuards
  /** What the tools of a quest's sessions reach. */
  quests: QuestDesk
  checkpoints: Checkpoints
  merges: Merges
  places: Places
  accounts: Accounts
  tokens: Tokens
  watching: Watch
  freeze: Freeze
  directoryOf(run: string): string
  textsOf(run: string): Texts
  log(line: string): void
  now(): number
  /** Notices that the supervisor left for us to report. */
  warnings(): string[]
  /** Stops the daemon after the requests under way are answered. Does not end any session. */
  stopSoon(why: string, isReplaced?: boolean): void
  stopping: AbortSignal
}
