import { access, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isMessageLine, parseTranscriptLine } from '../../contract/transcript.ts'

/** Where the client keeps its files for whoever has this environment. */
export function configDirectory(environment: Record<string, string>): string {
  return environment.CLAUDE_CONFIG_DIR || join(environment.HOME ?? '/', '.claude')
}

export async function findTranscript(session: string, environment: Record<string, string>): Promise<string | null> {
  const [path = null] = await transcriptsOf(session, environment)
  return path
}

/**
 * A client that is killed in its first moments leaves a transcript without a message. The client refuses to resume such a
 * session, and it refuses to start another one under the same id.
 */
export async function canResume(session: string, environment: Record<string, string>): Promise<boolean> {
  return anyHoldsMessage(await transcriptsOf(session, environment))
}

/** Returns the transcripts of a session that holds no message in any of them. */
export async function emptyTranscripts(session: string, environment: Record<string, string>): Promise<string[]> {
  const paths = await transcriptsOf(session, environment)
  return (await anyHoldsMessage(paths)) ? [] : paths
}

/**
 * The client keeps one transcript per session, in a folder named after the directory by rules of its own. A session
 * id is unique, so looking into every folder needs none of these rules.
 */
async function transcriptsOf(session: string, environment: Record<string, string>): Promise<string[]> {
  const projects = join(configDirectory(environment), 'projects')
  const folders = await readdir(projects).catch(() => [])
  // Side by side: a session is nearly always a new one, and then every folder is looked into before it starts.
  const found = await Promise.all(folders.map(folder => existing(join(projects, folder, `${session}.jsonl`))))
  return found.filter(path => path !== null)
}

// What a client writes before its first message is smaller: a few notes, and the prompt in its queue.
const BEFORE_FIRST_MESSAGE_BYTES = 4_000_000

async function anyHoldsMessage(paths: string[]): Promise<boolean> {
  return (await Promise.all(paths.map(holdsMessage))).includes(true)
}

/** True also for a file that cannot be read: the client then says itself what is wrong, and nothing is removed. */
async function holdsMessage(path: string): Promise<boolean> {
  const file = await open(path).catch(() => null)
  if (!file) return true
  try {
    const { size } = await file.stat()
    if (size > BEFORE_FIRST_MESSAGE_BYTES) return true
    return (await file.readFile('utf8')).split('\n').some(isMessageLine)
  } catch {
    return true
  } finally {
    await file.close()
  }
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
