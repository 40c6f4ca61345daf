import { join } from 'node:path'
import { type FoundRole, findRoleFiles } from '../../adapters/role-files.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { printable } from '../../contract/printable.ts'
import { parseRoleFile, type RoleFile } from '../../contract/role-file.ts'
import { withEnding } from '../../core/role/ending.ts'

/** A role with nothing left open. */
type Role = Omit<RoleFile, 'description' | 'maySignal' | 'mayChange'> & {
  description: string
  maySignal: NonNullable<RoleFile['maySignal']>
  mayChange: NonNullable<RoleFile['mayChange']>
  /** With how a session ends below its own words. */
  prompt: string
  /** Where its words come from. */
  from: 'built-in' | 'project'
}

/** The roles of a project: ours, and over them what its `.rehoboam/roles` says. Read once, at the start of a quest. */
export class RoleBook {
  readonly #builtIn: string

  /** `builtIn`: the directory of our own role files. */
  constructor(builtIn: string) {
    this.#builtIn = builtIn
  }

  /** Throws with file, line and the way out when a file of the project is not a role. */
  async of(project: string): Promise<Role[]> {
    const ours = parsed(await findRoleFiles(this.#builtIn), file => file)
    const theirs = parsed(
      await findRoleFiles(join(project, '.rehoboam', 'roles')),
      file => `.rehoboam/roles/${file.slice(file.lastIndexOf('/') + 1)}`,
    )
    const names = [...new Set([...ours.keys(), ...theirs.keys()])]
    return names.map(name => joined(name, ours.get(name), theirs.get(name)))
  }
}

/** Words that an added role gets for the keys that it leaves out: it may do the least. */
const LEAST = { maySignal: ['complete'], mayChange: 'nothing' } as const

function joined(name: string, ours: RoleFile | undefined, theirs: RoleFile | undefined): Role {
  const over = <K extends keyof RoleFile>(key: K) => theirs?.[key] ?? ours?.[key] ?? null
  const prompt = theirs?.prompt || ours?.prompt || ''
  if (prompt === '') {
    const file = `.rehoboam/roles/${name}.md`
    throw new RehoboamError('role-file', `${file}: it has no prompt; write below the front matter what the role does`)
  }
  const powers = {
    maySignal: over('maySignal') ?? [...LEAST.maySignal],
    mayChange: over('mayChange') ?? LEAST.mayChange,
  }
  return {
    ...powers,
    name,
    description: over('description') ?? '',
    model: over('model'),
    effort: over('effort'),
    tools: over('tools'),
    driver: over('driver'),
    prompt: withEnding(prompt, powers),
    from: theirs?.prompt ? 'project' : 'built-in',
  }
}

function parsed(found: FoundRole[], shown: (path: string) => string): Map<string, RoleFile> {
  const roles = new Map<string, RoleFile>()
  const faults: string[] = []
  for (const file of found) {
    const place = printable(shown(file.path))
    if ('wrong' in file) {
      faults.push(`${place}: ${file.wrong}`)
      continue
    }
    const result = parseRoleFile(file.name, file.text)
    if ('role' in result) roles.set(file.name, result.role)
    else faults.push(...result.faults.map(({ line, sentence }) => `${place}:${line}: ${sentence}`))
  }
  if (faults.length) throw new RehoboamError('role-file', faults.slice(0, 5).join('\n'), { faults })
  return roles
}
