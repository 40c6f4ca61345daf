import { isObject } from '../../contract/stream-fields.ts'
import type { WardFiles } from '../../contract/ward.ts'

const MANAGERS = ['pnpm', 'yarn', 'bun', 'npm'] as const
type Manager = (typeof MANAGERS)[number]

const LOCK_FILES: Record<Manager, string[]> = {
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
}

export function jsonObject(text: string | null | undefined): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse((text ?? '').replace(/^\ufeff/, ''))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

export function scriptsOf(manifest: Record<string, unknown> | null): Record<string, string> {
  const scripts = isObject(manifest?.scripts) ? manifest.scripts : {}
  const entries = Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.assign(Object.create(null), Object.fromEntries(entries))
}

/** By the lock file beside package.json; a workspace's package has it at the git root. */
export function packageManager(files: WardFiles, above: WardFiles | null): Manager {
  return managerIn(files, true) ?? (above ? managerIn(above, true) : null) ?? managerIn(files, false) ?? 'npm'
}

/** Where several lock files stand side by side, the one that package.json names is meant. */
function managerIn(files: WardFiles, byLock: boolean): Manager | null {
  const field = jsonObject(files.texts['package.json'])?.packageManager
  const named = MANAGERS.find(manager => typeof field === 'string' && field.startsWith(`${manager}@`)) ?? null
  if (!byLock) return named
  const locked = MANAGERS.filter(manager => LOCK_FILES[manager].some(name => files.names.includes(name)))
  return named && locked.includes(named) ? named : (locked[0] ?? null)
}
