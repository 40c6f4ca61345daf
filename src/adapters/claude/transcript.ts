import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The client keeps one transcript per session, in a folder named after the directory by rules of its own. A session
 * id is unique, so looking into every folder needs none of these rules.
 */
/** Where the client keeps its files for whoever has this environment. */
export function configDirectory(environment: Record<string, string>): string {
  return environment.CLAUDE_CONFIG_DIR || join(environment.HOME ?? '/', '.claude')
}

export async function findTranscript(session: string, environment: Record<string, string>): Promise<string | null> {
  const projects = join(configDirectory(environment), 'projects')
  for (const folder of await readdir(projects).catch(() => [])) {
    const path = join(projects, folder, `${session}.jsonl`)
    if (await exists(path)) return path
  }
  return null
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
