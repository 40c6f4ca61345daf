import { access, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseTranscriptLine } from '../../contract/transcript.ts'

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

// It is the last that a client writes on its way out, and what it writes beside it is small.
const NOTE_BYTES = 64 * 1024

export async function notedUsd(session: string, environment: Record<string, string>): Promise<number | null> {
  const path = await findTranscript(session, environment)
  const file = path && (await open(path).catch(() => null))
  if (!file) return null
  try {
    const { size } = await file.stat()
    const length = Math.min(size, NOTE_BYTES)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
    const notes = buffer.toString('utf8').split('\n').map(parseTranscriptLine)
    return notes.findLast(line => line.type === 'cost')?.usd ?? null
  } finally {
    await file.close()
  }
}

async function existing(path: string): Promise<string | null> {
  return access(path).then(
    () => path,
    () => null,
  )
}
