import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Hono } from 'hono'
import type { InitChange, InitListing, SettingsPlace } from '../../src/contract/hook-settings.ts'
import { errorOf, type Refusal } from '../../src/contract/refusal.ts'
import { onError } from '../../src/daemon/http/answers.ts'
import { initRoutes } from '../../src/daemon/http/init-routes.ts'

// Both are there, with a blank on the way: hooks of a program that is gone are another matter.
const installed = mkdtempSync(join(tmpdir(), 'rehoboam installed '))
process.on('exit', () => rmSync(installed, { recursive: true, force: true }))
export const PROGRAM = { node: join(installed, 'node 24'), script: join(installed, 'rehoboam.cjs') }
for (const file of Object.values(PROGRAM)) writeFileSync(file, '')

/** A project and a home in a directory of their own, and the daemon's routes as its socket serves them. */
export async function project(program = PROGRAM) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'rehoboam-init-')))
  const [directory, home] = [join(root, 'project'), join(root, 'home')]
  for (const path of [directory, home]) await mkdir(path)
  const app = new Hono().route('/v1/init', initRoutes())
  app.onError(onError(() => {}))
  const environment: Record<string, string> = { HOME: home }

  const ask = async <T>(path: string, body: unknown): Promise<T> => {
    const answer = await app.request(path, { method: 'POST', body: JSON.stringify(body) })
    if (answer.ok) return (await answer.json()) as T
    throw errorOf((await answer.json()) as Refusal)
  }
  const base = { directory, environment, program }
  const file = (name: string) => join(directory, '.claude', name)
  return {
    root,
    directory,
    home,
    environment,
    ask,
    local: file('settings.local.json'),
    shared: file('settings.json'),
    install: (place: SettingsPlace = 'local', more = {}): Promise<InitChange> =>
      ask('/v1/init/install', { ...base, place, ...more }),
    remove: (place: SettingsPlace = 'local') => ask<InitChange>('/v1/init/remove', { ...base, place }),
    list: () => ask<InitListing>('/v1/init/list', base),
    write: async (path: string, content: string | Uint8Array) => {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content)
    },
    /** Every file below the root with its bytes: what must be the same before and after. */
    everything: () => bytesBelow(root),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

async function bytesBelow(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const pairs = entries.map(async entry => {
    const path = join(entry.parentPath, entry.name)
    const what = entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'link' : ''
    return [path.slice(directory.length), what || (await readFile(path, 'latin1'))] as const
  })
  return Object.fromEntries(await Promise.all(pairs))
}
