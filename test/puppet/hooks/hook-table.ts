import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../settings.ts'
import { type Hook, isObject, nameOf } from './hook.ts'
import { matches } from './matcher.ts'

type Group = { matcher: string; hooks: Hook[] }

/** The hooks of one session, from everywhere that may name some. All of them fire: nobody's replace anybody else's. */
export class HookTable {
  private readonly groups: Record<string, Group[]> = {}

  constructor(sources: Record<string, unknown>[]) {
    // Unlike the hooks themselves, this is a setting as any other: who comes last has the last word.
    if (sources.findLast(source => typeof source.disableAllHooks === 'boolean')?.disableAllHooks === true) return
    for (const { hooks } of sources) {
      for (const [event, groups] of Object.entries(isObject(hooks) ? hooks : {})) {
        this.groups[event] = [...(this.groups[event] ?? []), ...list(groups).flatMap(group)]
      }
    }
  }

  /** Those that fit, the same one only once, however often and by whomever it is named. */
  find(event: string, subject: string | undefined): Hook[] {
    const fitting = (this.groups[event] ?? []).filter(({ matcher }) => matches(matcher, subject))
    const named = new Map<string, Hook>()
    for (const hook of fitting.flatMap(({ hooks }) => hooks)) {
      // The client never sends the start of a session by HTTP.
      if (event === 'SessionStart' && hook.type === 'http') continue
      if (!named.has(nameOf(hook))) named.set(nameOf(hook), hook)
    }
    return [...named.values()]
  }
}

/** From the weakest to the strongest. */
export function readHookTable({ configDir, cwd, sources, flagSettings }: Settings): HookTable {
  const files = {
    user: join(configDir, 'settings.json'),
    project: join(cwd, '.claude', 'settings.json'),
    local: join(cwd, '.claude', 'settings.local.json'),
  }
  const wanted = Object.entries(files).filter(([name]) => sources.includes(name))
  return new HookTable([...wanted.map(([, path]) => settingsIn(path)), flagSettings])
}

/** A file that is not there, or that nobody can read, names no hooks. */
function settingsIn(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {}
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function group(value: unknown): Group[] {
  if (!isObject(value)) return []
  return [{ matcher: typeof value.matcher === 'string' ? value.matcher : '', hooks: list(value.hooks).flatMap(hook) }]
}

function hook(value: unknown): Hook[] {
  if (!isObject(value)) return []
  const timeoutMs = typeof value.timeout === 'number' ? value.timeout * 1000 : undefined
  if (value.type === 'command' && typeof value.command === 'string') {
    return [{ type: 'command', command: value.command, async: value.async === true, timeoutMs }]
  }
  if (value.type !== 'http' || typeof value.url !== 'string') return []
  const headers = isObject(value.headers) ? (value.headers as Record<string, string>) : {}
  return [{ type: 'http', url: value.url, headers, allowedEnvVars: list(value.allowedEnvVars) as string[], timeoutMs }]
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
