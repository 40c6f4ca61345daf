import { createHash } from 'node:crypto'
import { relative, sep } from 'node:path'
import { readWardFiles } from '../../adapters/ward/ward-files.ts'
import type { FoundWard, WardCommand } from '../../contract/ward.ts'
import { wardCommands } from '../../core/ward/detect-ward.ts'

/** The checks that a project brings, else those of its git root. Paths are real ones, without symbolic links. */
export async function findWard(directory: string, gitRoot: string | null): Promise<FoundWard> {
  const project = await readWardFiles(directory)
  const depth = gitRoot === null ? 0 : depthBelow(gitRoot, directory)
  const root = gitRoot === null || depth === 0 ? null : { files: await readWardFiles(gitRoot), depth }
  const commands = wardCommands(project, root)
  return { commands, hash: hashOfCommands(commands) }
}

/** What a person agrees to: these lines, in this order, wherever they were found. */
export function hashOfCommands(commands: Pick<WardCommand, 'command'>[]): string {
  return createHash('sha256')
    .update(JSON.stringify(commands.map(({ command }) => command)))
    .digest('hex')
}

function depthBelow(root: string, directory: string): number {
  const path = relative(root, directory)
  if (path === '' || path === '..' || path.startsWith(`..${sep}`)) return 0
  return path.split(sep).length
}
