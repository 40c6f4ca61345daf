import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { nothingRan } from '../../scripts/lanes/report.ts'
import { writeAllResult } from '../../scripts/lanes/results.ts'

const root = join(import.meta.dirname, '../..')

/** The very files that judge this repository, around a project with other promises and other tests. */
const judges = [
  ...['scripts/test.ts', 'scripts/repeat.ts', 'scripts/lanes', 'vitest.config.ts', 'tsconfig.json', 'biome.json'],
  ...['test/gate/citation.ts', 'test/gate/judge.ts', 'test/gate/lane-order.ts', 'test/gate/reporter.ts'],
  'test/requirements/requirement.ts',
]

/** A test that holds. */
export const TINY = `import { expect, test } from 'vitest'

test('one and one is two [tiny-sum]', () => {
  expect(1 + 1).toBe(2)
})
`

// Fails once, as a busy machine would make it: the second time finds the file of the first.
export const LATE = `import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import './support/programs.ts'

describe('of (two)', () => {
  test('is late once [tiny-sum]', () => {
    const isSecond = existsSync('second')
    writeFileSync('second', '')
    expect(isSecond).toBe(true)
  })
})
`

export interface Ended {
  code: number | null
  /** What stands on stdout. Nobody can say where between its lines those of another pipe were written. */
  output: string
}

export function tinyProject(promises: string[], files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'rehoboam-tiny-'))
  const list = promises.map(id => `'${id}'`).join(', ')
  for (const path of judges) cpSync(join(root, path), join(folder, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  write(folder, {
    'package.json': '{\n  "type": "module"\n}\n',
    'scripts/build.mjs': '',
    'scripts/build-puppet.mjs': '',
    'test/requirements.ts': `export const requirements = [${list}].map(id => ({ id, where: 'tiny', promise: 'It holds.' }))\n`,
    'test/retried.json': '[]\n',
    ...files,
  })
  // Otherwise everything would be due.
  writeAllResult(folder, { ...nothingRan, passed: 1 }, { isGreen: true, startedMs: Date.now(), tree: null })

  return {
    folder,
    /** The runner with our configuration, as `npx vitest run` starts it. */
    vitest: (...args: string[]) => start(folder, ['node_modules/vitest/vitest.mjs', 'run', ...args]).ended,
    /** What `npm test` starts. */
    test: (...args: string[]) => start(folder, ['scripts/test.ts', ...args]),
    /** What `npm run test:repeat` starts. */
    repeat: (...args: string[]) => start(folder, ['scripts/repeat.ts', ...args]),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function write(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function start(cwd: string, args: string[]) {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, args, { cwd, env: { PATH, HOME, NO_COLOR: '1' } })
  const ended = new Promise<Ended>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', data => (output += data))
    child.stderr.resume()
    child.on('error', reject)
    child.on('close', code => resolve({ code, output }))
  })
  return { ended, interrupt: () => child.kill('SIGINT') }
}
