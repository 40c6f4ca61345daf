import type { Registration } from '../contract/registration.ts'
import type { Texts } from '../ports.ts'
import type { Commands } from './commands.ts'
import type { Desk } from './desk.ts'
import type { Freeze } from './freeze.ts'
import type { Tokens } from './http/tokens.ts'
import type { Checkpoints } from './loops/checkpoints.ts'
import type { WardPlans } from './loops/ward-plan.ts'
import type { QuestDesk } from './mcp/quest-desk.ts'
import type { Roles } from './pools/roles.ts'
import type { TaskDesk } from './pools/task-desk.ts'
import type { Runs } from './runtime/runs.ts'
import type { Accounts } from './sessions/accounts.ts'
import type { Places } from './sessions/places.ts'
import type { Watch } from './watch.ts'
import type { Merges } from './worktrees/merges.ts'

/** What the doors may use of the daemon. */
export type House = Desk & {
  home: string
  port: number
  registration: Registration
  runs: Runs
  commands: Commands
  plans: WardPlans
  tasks: TaskDesk
  roles: Roles
  /** What the tools of a quest's sessions reach; null: there are no quests. */
  quests: QuestDesk | null
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
  /** What the supervisor left for us to say. */
  warnings(): string[]
  /** Answers what is under way, then ends without ending any session. */
  stopSoon(why: string, isReplaced?: boolean): void
  stopping: AbortSignal
}
