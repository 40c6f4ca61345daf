import { type HooksState, INIT_VERSION, userHooks, withoutNotes } from '../../contract/hook-settings.ts'
import { isBlank } from '../json-read.ts'
import { type Entry, entriesIn, settingsIn, valuesOf } from './entries.ts'

/** What a settings text holds of ours, compared with what this program would write. Null: there is no file. */
export function hooksState(text: string | null, program: string): HooksState {
  const entries = text === null || isBlank(text) ? [] : entriesIn(settingsIn(text))
  if (entries.length === 0) return { state: 'none', hooks: 0, sentence: 'none of ours' }
  const wanted = userHooks(program).map(({ event, group }) => word(event, null, group.hooks[0]))
  const found = entries.map(({ event, matcher, hook }) => word(event, matcher, bare(hook)))
  const hooks = entries.length
  if (wanted.toSorted().join('\n') === found.toSorted().join('\n')) {
    return { state: 'current', hooks, sentence: `${hooks} hooks, current` }
  }
  return { state: 'outdated', hooks, sentence: `${hooks} hooks, ${difference(entries, wanted.length, program)}` }
}

/** The files that our entries start, as they stand quoted in them. One that is gone makes every hook do nothing. */
export function startedFiles(text: string): string[] {
  const commands = entriesIn(settingsIn(text)).map(({ hook }) => commandOf(hook))
  const quoted = commands.flatMap(command => command.match(/"(?:[^"\\]|\\.)+"(?=.* hook )/g) ?? [])
  return [...new Set(quoted.map(word => word.slice(1, -1).replace(/\\(.)/g, '$1')))]
}

export function isCurrent(text: string, program: string): boolean {
  return hooksState(text, program).state === 'current'
}

/** The client runs no hooks at all while a settings file says so. */
export function disablesHooks(text: string | null): boolean {
  if (text === null || isBlank(text)) return false
  return valuesOf(settingsIn(text), 'disableAllHooks').at(-1)?.value === true
}

function difference(entries: Entry[], wanted: number, program: string): string {
  const [version] = entries.map(entry => entry.version).filter(version => version !== INIT_VERSION)
  if (version !== undefined) return `written by another version (init-${version})`
  if (entries.some(({ hook }) => !commandOf(hook).startsWith(`${program} hook`))) return 'of another program or place'
  return entries.length < wanted ? `${wanted - entries.length} are missing` : 'changed since they were written'
}

function bare(hook: unknown): unknown {
  return { ...(hook as object), command: withoutNotes(commandOf(hook)) }
}

function commandOf(hook: unknown): string {
  return String((hook as { command: unknown }).command)
}

/** One entry in one line, the same for the same entry in whatever order its keys stand. */
function word(event: string, matcher: unknown, hook: unknown): string {
  const fields = Object.entries(hook as object).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([event, matcher ?? null, fields])
}
