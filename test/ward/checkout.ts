import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readWardOutput } from '../../src/adapters/ward/output-file.ts'
import { runWard } from '../../src/daemon/ward/run-ward.ts'
import { prepareWorktree, type WorktreeSetup } from '../../src/daemon/worktrees/prepare-worktree.ts'

const IDENTITY = ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', '-c', 'commit.gpgsign=false']

/** A user's checkout under version control, and clean worktrees of it, in a directory whose name is not easy. */
export function checkout(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'rehoboam-set up ä '))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const from = join(root, 'user checkout')
  mkdirSync(from)
  write(from, files)
  const git = (...words: string[]) => execFileSync('git', [...IDENTITY, ...words], { cwd: from, stdio: 'pipe' })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'base')
  // The user's own environment, without what this test run has in its own. Nobody listens at the proxy: a download fails.
  const home = join(root, 'home')
  mkdirSync(home)
  const proxy = 'http://127.0.0.1:9'
  const environment: Record<string, string> = {
    ...{ PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' },
    ...{ http_proxy: proxy, https_proxy: proxy, HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy },
    ...{ npm_config_registry: proxy, PIP_INDEX_URL: proxy, PIP_CONFIG_FILE: '/dev/null' },
  }
  const to = join(root, 'clean worktree')
  const setup = (more: Partial<WorktreeSetup> = {}): WorktreeSetup => ({
    from,
    to,
    project: '',
    stateDirectory: join(root, 'state'),
    environment,
    command: null,
    copies: [],
    timeLimitMs: 100_000,
    signal: new AbortController().signal,
    ...more,
  })
  return {
    root,
    from,
    to,
    environment,
    git,
    setup,
    /** As the run makes it: exactly what is under version control. */
    worktree: () => git('worktree', 'add', '--detach', '-q', to),
    prepare: (more: Partial<WorktreeSetup> = {}) => prepareWorktree(setup(more)),
    /** One command in the worktree after its setup: how it ended, and what it printed. */
    ward: async (command: string, more: Record<string, string>, project = '') => {
      const { results } = await runWard({
        directory: join(to, project),
        commands: [{ command }],
        environment,
        more,
        timeLimitMs: 100_000,
        outputDirectory: join(root, 'output'),
        key: 'key',
        signal: new AbortController().signal,
      })
      return { how: results[0]?.how, output: await readWardOutput(results[0]?.output ?? '') }
    },
  }
}

export function write(directory: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
}

/** Everything that can be seen of a tree, but for when it was read: a changed byte, time, mode or link count shows. */
export function fingerprint(directory: string): Record<string, string> {
  const seen: Record<string, string> = {}
  const look = (path: string, name: string) => {
    const { mode, nlink, ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true })
    const stats = lstatSync(path)
    const content = stats.isFile() ? readFileSync(path) : stats.isSymbolicLink() ? readlinkSync(path) : ''
    const hash = createHash('sha256').update(content).digest('hex')
    seen[name] = [mode, nlink, ino, stats.isDirectory() ? '' : size, mtimeNs, ctimeNs, hash].join(' ')
    if (stats.isDirectory()) for (const entry of readdirSync(path).sort()) look(join(path, entry), `${name}/${entry}`)
  }
  look(directory, '')
  return seen
}
