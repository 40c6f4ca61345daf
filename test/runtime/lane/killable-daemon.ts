// The daemon as the random lanes start it: the real one, on ports that count their calls and may kill it at any of them.
import { readFileSync } from 'node:fs'
import { claudePane } from '../../../src/adapters/claude/claude-pane.ts'
import { claudeHeadless } from '../../../src/adapters/claude/headless.ts'
import { realDisk } from '../../../src/adapters/disk.ts'
import { gitRepository } from '../../../src/adapters/git/git-repository.ts'
import { systemClock } from '../../../src/adapters/system-clock.ts'
import { homeOf, tmuxSocketOf } from '../../../src/contract/home.ts'
import { runDaemon } from '../../../src/daemon/main.ts'
import { Doom, doomedClock, doomedDriver, type Plan } from './doom.ts'
import { doomedDisk } from './doomed-disk.ts'
import { doomedRepository } from './doomed-repository.ts'
import { DoomedTmux } from './doomed-tmux.ts'

const doom = new Doom(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Plan)

process.exitCode = await runDaemon('0.1.0', process.env, {
  clock: doomedClock(systemClock, doom),
  disk: doomedDisk(realDisk, doom),
  headless: doomedDriver(claudeHeadless, doom),
  pane: doomedDriver(claudePane(new DoomedTmux(tmuxSocketOf(homeOf(process.env)), doom)), doom),
  repository: doomedRepository(gitRepository(process.env), doom),
  script: doom.plan.program,
})
process.exit()
