import { agents } from './requirements/agents.ts'
import { cli } from './requirements/cli.ts'
import { config } from './requirements/config.ts'
import { core } from './requirements/core.ts'
import { daemon } from './requirements/daemon.ts'
import { git } from './requirements/git.ts'
import { house } from './requirements/house.ts'
import { inbox } from './requirements/inbox.ts'
import { init } from './requirements/init.ts'
import { loop } from './requirements/loop.ts'
import { loopLife } from './requirements/loop-life.ts'
import { loops } from './requirements/loops.ts'
import { poolRequirements } from './requirements/pools.ts'
import { questTools } from './requirements/quest-tools.ts'
import { quests } from './requirements/quests.ts'
import { rehearsal } from './requirements/rehearsal.ts'
import type { Requirement } from './requirements/requirement.ts'
import { rules } from './requirements/rules.ts'
import { runtime } from './requirements/runtime.ts'
import { session } from './requirements/session.ts'
import { tui } from './requirements/tui.ts'
import { view } from './requirements/view.ts'
import { ward } from './requirements/ward.ts'
import { worktrees } from './requirements/worktrees.ts'

export type { Requirement }

/** Everything that we promise, one list per topic. */
export const requirements: Requirement[] = [
  ...house,
  ...rehearsal,
  ...runtime,
  ...daemon,
  ...config,
  ...cli,
  ...session,
  ...core,
  ...view,
  ...rules,
  ...agents,
  ...inbox,
  ...init,
  ...loop,
  ...loops,
  ...loopLife,
  ...poolRequirements,
  ...questTools,
  ...quests,
  ...ward,
  ...git,
  ...worktrees,
  ...tui,
]
