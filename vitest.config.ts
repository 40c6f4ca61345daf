import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { foreignNames } from './scripts/lanes/environment.ts'
import { LANES, laneOf } from './scripts/lanes/lane.ts'
import { LaneOrder } from './test/gate/lane-order.ts'
import { RequirementGate } from './test/gate/reporter.ts'
import { requirements } from './test/requirements.ts'

// The workers inherit this process's environment. Cleaned here too, for those who start vitest by hand.
for (const name of foreignNames(process.env)) delete process.env[name]

const PLAYS_ALL = process.env.TEST_ALL === '1'
const imports = new Map<string, Set<string>>()
const files = globSync('test/**/*.test.{ts,tsx}', { cwd: import.meta.dirname })
  .filter(file => PLAYS_ALL || !/\.all\.test\.tsx?$/.test(file))
  .map(file => ({ file, lane: laneOf(import.meta.dirname, file, imports) }))

export default defineConfig({
  test: {
    projects: LANES.map(lane => ({
      extends: true,
      test: { name: lane, include: files.filter(one => one.lane === lane).map(({ file }) => file) },
    })).filter(({ test }) => test.include.length > 0),
    reporters: ['default', new RequirementGate(requirements)],

    // Processes and not threads: tests change umasks, signals and environments, and undo it before they end.
    pool: 'forks',
    // A fresh process for each file would cost more than most files.
    isolate: false,
    // Most tests wait for a process of theirs half of the time, so one worker more than there are cores pays.
    maxWorkers: Math.min(8, availableParallelism() + 1),
    // Deadlines, not measures: a machine that is busy with other things must not turn a test red.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Stories of one file that run side by side: each is a handful of processes.
    maxConcurrency: 3,

    // A test that needs the one before it is found on the day it is written; the seed is printed and can be given back
    // with --sequence.seed.
    sequence: { shuffle: { tests: true }, sequencer: LaneOrder },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,

    // A table's words stand in titles whole: the default cuts them at 40 characters, and a citation with them.
    taskTitleValueFormatTruncate: 0,

    // Silence is not a pass. What is skipped, the gate refuses.
    allowOnly: false,
    passWithNoTests: false,
  },
})
