import { SHELL_TOOLS } from '../../contract/rule.ts'
import { globMatches } from '../inbox/rules/glob.ts'
import { isInside, pathFrom } from '../inbox/rules/ground.ts'
import type { Part } from '../inbox/rules/shell/parts.ts'
import { readCommandLine } from '../inbox/rules/shell/source.ts'
import { isReading } from './reading-commands.ts'

/**
 * Why a planner or a worker may not do something, said to the model. It is the explanation and not the wall: what a planner
 * changes is thrown away, and what a worker leaves is checked before it is merged.
 */
export type Guarded = {
  role: 'planner' | 'worker'
  /** In a quest, what it is called there: one that may change nothing is held like a planner, the others like workers. */
  called?: string
  /** In a quest, of one that may change tests only: patterns of paths from the root. */
  tests?: string[]
  /** Its loop directory. */
  directory: string
  /** Its own worktree. */
  root: string
  cwd: string
  home: string
  /** The user's checkout and everything of ours: nothing there is for a worker to change. */
  others: string[]
}

const WRITES: Record<string, string> = {
  Edit: 'file_path',
  Write: 'file_path',
  MultiEdit: 'file_path',
  NotebookEdit: 'notebook_path',
}
const PLANNERS_FILES = ['progress.md', 'tasks.md', 'guardrails.md']

export function refusalOf(guarded: Guarded, tool: string, input: Record<string, unknown>): string | null {
  if (SHELL_TOOLS.includes(tool)) {
    // Whoever attacks runs things, and they write: only what is left behind is looked at.
    const { tests, ...commanding } = guarded
    return refusedCommand(commanding, input.command)
  }
  const field = Object.hasOwn(WRITES, tool) ? WRITES[tool]! : null
  if (field === null) return null
  const path = typeof input[field] === 'string' ? pathFrom(guarded.cwd, input[field], guarded) : null
  return mayWrite(guarded, path) ? null : sentence(guarded)
}

function refusedCommand(guarded: Guarded, command: unknown): string | null {
  if (typeof command !== 'string') return sentence(guarded)
  // The one variable that everybody is told about.
  const { parts, unclear } = readCommandLine(
    command.replaceAll(/\$(?:REHOBOAM_LOOP_DIR\b|\{REHOBOAM_LOOP_DIR\})/g, guarded.directory),
  )
  const isRefused = guarded.role === 'planner' ? plannerMayNot : workerMayNot
  if (guarded.role === 'planner' && unclear !== null) return sentence(guarded)
  return parts.some(part => isRefused(guarded, part)) ? sentence(guarded) : null
}

/** What is not plainly reading is refused, unless every file that it writes is one of the three. */
function plannerMayNot(guarded: Guarded, part: Part): boolean {
  switch (part.type) {
    case 'unclear':
      return true
    case 'file':
      return part.use === 'Write' && !mayWriteWord(guarded, part.word.value)
    case 'command': {
      const [name, ...words] = part.words
      if (name?.value === 'tee')
        return !words.every(({ value }) => value?.startsWith('-') || mayWriteWord(guarded, value))
      return !isReading(part.words.map(({ value }) => value))
    }
    default:
      return false
  }
}

/** Only what plainly reaches next door: a worker's commands are otherwise its own affair. */
function workerMayNot(guarded: Guarded, part: Part): boolean {
  if (part.type === 'file') return part.use === 'Write' && !mayWriteWord(guarded, part.word.value ?? guarded.root)
  if (part.type !== 'command') return false
  const words = part.words.map(({ value }) => value)
  // Whatever follows a cd next door happens there.
  if (words[0] !== 'cd' && isReading(words)) return false
  const paths = words.slice(1).filter(value => value !== null && /[/~]|^\.\.$/.test(value))
  return paths.some(path => isNextDoor(guarded, pathFrom(guarded.cwd, path!, guarded)))
}

function mayWriteWord(guarded: Guarded, value: string | null): boolean {
  return value === '/dev/null' || (value !== null && mayWrite(guarded, pathFrom(guarded.cwd, value, guarded)))
}

function mayWrite(guarded: Guarded, path: string | null): boolean {
  const { role, directory } = guarded
  if (role === 'planner' && guarded.called !== undefined) return false
  if (role === 'planner') return PLANNERS_FILES.some(name => path === `${directory}/${name}`)
  if (path === null || isNextDoor(guarded, path)) return false
  if (guarded.tests && isInside(path, guarded.root)) {
    const below = path.slice(guarded.root.length + 1)
    return guarded.tests.some(pattern => globMatches(pattern, below, true))
  }
  return path !== `${directory}/anchor.md` && path !== `${directory}/assigned_task.md`
}

function isNextDoor({ root, others }: Guarded, path: string | null): boolean {
  return (
    path !== null &&
    !isInside(path, root) &&
    path !== root &&
    others.some(other => path === other || isInside(path, other))
  )
}

function sentence({ role, directory, root, called, tests }: Guarded): string {
  if (tests) {
    return `You are the ${called}: you may change tests, in your own worktree only, ${root}; everything else is put back as it was. What you find in product code goes into the reason of needs-role-followup.`
  }
  if (called !== undefined && role === 'planner') {
    return `You are the ${called}: you read, and change nothing; what you find out you say with the tools of the quest. Commands that only read are fine.`
  }
  if (called !== undefined) {
    return `You are the ${called}: you change files in your own worktree only, ${root}. Other worktrees, the user's checkout and rehoboam's own files are not yours; do your step without them.`
  }
  if (role === 'planner') {
    return `You are the planner: you read and plan, and change nothing. Only ${PLANNERS_FILES.map(name => `${directory}/${name}`).join(', ')} are yours to write (absolute paths, by Write, Edit or a plain redirection); what else you find out goes into a task. Commands that only read are fine.`
  }
  return `You are a worker: you change files in your own worktree only, ${root}, and neither anchor.md nor assigned_task.md. Other worktrees, the user's checkout and the planner's files are not yours; do your task without them.`
}
