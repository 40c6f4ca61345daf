import type { Registration } from '../../contract/registration.ts'
import type { Texts } from '../../ports.ts'
import type { Commands } from '../commands/commands.ts'
import type { Freeze } from '../commands/freeze.ts'
import type { Desk } from '../desk.ts'
import type { Checkpoints } from '../loops/checkpoints.ts'
import type { Merges } from '../merges/merges.ts'
import type { Roles } from '../pools/roles.ts'
import type { TaskDesk } from '../pools/task-desk.ts'
import type { QuestDesk } from '../quests/tool-desk.ts'
import type { Runs } from '../runtime/runs.ts'
import type { Accounts } from '../sessions/accounts.ts'
import type { Places } from '../sessions/places.ts'
import type { Tokens } from '../sessions/tokens.ts'
import type { WardPlans } from '../ward/ward-plan.ts'
import type { Watch } from '../watch/watch.ts'

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
