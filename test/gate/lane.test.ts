import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { laneOf } from '../../scripts/lanes/lane.ts'

const FILES = {
  'test/support/programs.ts': `import { join } from 'node:path'`,
  'test/support/home.ts': `import { spawn } from 'node:child_process'\nimport {\n  PROGRAM,\n} from './programs.ts'`,
  'src/git.ts': `import { execa } from 'execa'`,
  'src/words.ts': `import type { Git } from './git.ts'\nexport { x } from './more.ts'`,
  'src/more.ts': `import { z } from 'zod'`,
}

test.each([
  ['pure', 'words.test.ts', `import { words } from '../src/words.ts'\nimport { readFileSync } from 'node:fs'`],
  ['adapters', 'git.test.ts', `import { git } from '../src/git.ts'`],
  ['adapters', 'shell.test.ts', `import '../src/words.ts'\nimport { execFile } from 'node:child_process'`],
  ['daemon', 'runs.test.ts', `import { home } from './support/home.ts'`],
  ['kill', 'random-kill.test.ts', `import { home } from './support/home.ts'`],
])('a test belongs to the lane %s: %s [test-lanes]', (lane, name, text) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'rehoboam-lane-'))
  for (const [file, content] of Object.entries({ ...FILES, [`test/${name}`]: text })) {
    mkdirSync(dirname(join(folder.path, file)), { recursive: true })
    writeFileSync(join(folder.path, file), content)
  }
  expect(laneOf(folder.path, `test/${name}`)).toBe(lane)
})
