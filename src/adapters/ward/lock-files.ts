import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readBounded } from './bounded-file.ts'

const LOCK_FILES = [
  ...['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'],
  ...['uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock', 'requirements.txt', 'Cargo.lock', 'go.sum'],
]
// What an editable install is made from: another name or layout needs another install.
const PYTHON = ['pyproject.toml', 'setup.py', 'setup.cfg']
// The largest known have some ten MB.
const LARGEST_LOCK = 128 * 1024 * 1024
/** What package managers leave in node_modules when they are done. */
const INSTALLED = ['.package-lock.json', '.modules.yaml', '.yarn-integrity', '.yarn-state.yml']

/** One hash of all that decides which dependencies belong to a tree: of its lock files, else of its manifests. */
export async function lockHash(directories: string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const [n, directory] of [...new Set(directories)].entries()) {
    const locks = await parts(directory, LOCK_FILES)
    const manifests = await parts(directory, locks.length > 0 ? PYTHON : ['package.json', ...PYTHON])
    hash.update(JSON.stringify([n, ...locks, ...manifests]))
  }
  return hash.digest('hex')
}

async function parts(directory: string, names: string[]): Promise<[string, string][]> {
  const found: [string, string][] = []
  for (const name of names) {
    const content = await readBounded(join(directory, name), LARGEST_LOCK)
    if (content) found.push([name, createHash('sha256').update(content).digest('hex')])
  }
  return found
}

/** When the dependencies in a checkout were last installed: with the same lock file they may have been mended. */
export async function installedAt(directories: string[]): Promise<string> {
  const times: string[] = []
  for (const directory of new Set(directories)) {
    for (const name of INSTALLED) {
      const stats = await stat(join(directory, 'node_modules', name)).catch(() => null)
      if (stats) times.push(`${name}:${stats.mtimeMs}`)
    }
  }
  return times.join(' ')
}
