import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { foreignNames } from './scripts/lanes/environment.ts'
import { LongestFirst } from './test/gate/longest-first.ts'
import { RequirementGate } from './test/gate/reporter.ts'
import { requirements } from './test/requirements.ts'

// The workers inherit this process's environment. Cleaned here too, for those who start vitest by hand.
for (const name of foreignNames(process.env)) delete process.env[name]

// Decisions, words and shapes: nothing here outlives a test, so that files need no process each, which costs as much
// as most of them.
const TOGETHER = ['config', 'core', 'journal', 'rules', 'view'].map(room => `test/${room}/**/*.test.ts`)

// `npm run test:all` plays these too.
const ONLY_ALL = process.env.TEST_ALL === '1' ? [] : ['test/**/*.all.test.ts']

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
          exclude: [...TOGETHER, ...ONLY_ALL],
        },
      },
      { extends: true, test: { name: 'together', include: TOGETHER, isolate: false } },
    ],
    reporters: ['default', new RequirementGate(requirements)],

    // A process per file: tests change umasks, signals and environments, which threads would share.
    pool: 'forks',
    // Most tests wait for a process of theirs half of the time, so more than there are cores pay (measured on two: a third
    // less with the first); a second one wins nothing and makes whatever has a limit of its own late.
    maxWorkers: Math.min(8, availableParallelism() + 1),
    // Deadlines, not measures: a machine that is busy with other things must not turn a test red.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Stories of one file that run side by side: each is a handful of processes.
    maxConcurrency: 3,

    // A test that needs the one before it is found on the day it is written; the seed is printed and can be given back
    // with --sequence.seed. Files keep their order: longest first, each in a process of its own anyway.
    sequence: { shuffle: { tests: true }, sequencer: LongestFirst },
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
