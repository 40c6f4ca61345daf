import { scriptsOf } from './package-json.ts'

const STANDARD = ['lint', 'typecheck', 'test', 'check']
const RUNS = /\b(?:npm|pnpm|yarn|bun)\b((?:\s+(?:-\S+|run|run-script|exec|workspaces?|[a-z]+=\S+))*)\s+([\w:.@/-]+)/g
const RUNS_SEVERAL = /\b(?:run-s|run-p|npm-run-all\d?|concurrently)\b([^&|;]*)/g

/**
 * The scripts of a package that its checks come from: those that the commands name, with what runs before and after, and
 * what these name in turn. Commands that name none may reach the usual ones in a way that we cannot see.
 */
export function scriptsUsed(manifest: Record<string, unknown> | null, commands: string[]): Map<string, string> {
  const scripts = scriptsOf(manifest)
  const named = commands.flatMap(command => namedIn(command))
  const used = new Map<string, string>()
  const waiting = named.length > 0 ? named : [...STANDARD]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    for (const one of [`pre${name}`, name, `post${name}`]) {
      const script = scripts[one]
      if (script === undefined || used.has(one)) continue
      used.set(one, script)
      waiting.push(...namedIn(script))
    }
  }
  return used
}

function namedIn(line: string): string[] {
  const single = [...line.matchAll(RUNS)].map(match => (match[2] === 't' ? 'test' : (match[2] ?? '')))
  const several = [...line.matchAll(RUNS_SEVERAL)].flatMap(match => match[1]?.match(/[\w:.@/-]+/g) ?? [])
  return [...single, ...several].map(name => name.replace(/^npm:/, ''))
}
