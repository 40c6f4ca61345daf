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
  const folders = await readdir(projects).catch(() => [])
  // Side by side: a session is nearly always a new one, and then every folder is looked into before it starts.
  const found = await Promise.all(folders.map(folder => existing(join(projects, folder, `${session}.jsonl`))))
  return found.find(path => path !== null) ?? null
}

async function existing(path: string): Promise<string | null> {
  return access(path).then(
    () => path,
    () => null,
  )
}
