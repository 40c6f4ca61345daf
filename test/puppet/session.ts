import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Message } from './message.ts'
import { Refusal } from './refusal.ts'
import { isUuid, type Settings } from './settings.ts'
import { type LastResponse, Transcript, transcriptPath } from './transcript.ts'

/** The conversation that this process begins or goes on with. */
export type Session = {
  id: string
  source: 'startup' | 'resume' | 'fork'
  transcript: Transcript
  history: Message[]
  costBeforeUsd: number
  /** When the model last spoke in it, and how much it had in mind then. */
  lastResponse: LastResponse | undefined
}

/** Refused with a sentence on stderr and, in a stream, with a result that says it too. */
export class NoSuchSession extends Error {
  readonly session: string
  constructor(session: string, sentence: string) {
    super(sentence)
    this.session = session
  }
}

export function openSession(settings: Settings): Session {
  const { resume, sessionId, fork } = settings
  if (resume !== undefined) return goOn(settings, resume, fork ? (sessionId ?? randomUUID()) : undefined)
  const session = fresh(settings, sessionId ?? randomUUID())
  // Looked at, not locked: like the client's own guard, two starts at the same moment both pass it.
  if (session.transcript.exists()) throw new Refusal(`Error: Session ID ${session.id} is already in use.`)
  return session
}

function fresh(settings: Settings, id: string): Session {
  const transcript = transcriptOf(settings, id)
  return { id, source: 'startup', transcript, history: [], costBeforeUsd: 0, lastResponse: undefined }
}

function goOn(settings: Settings, resume: string | true, copy: string | undefined): Session {
  const usage =
    'Error: --resume requires a valid session ID or session title when used with --print. Usage: claude -p --resume <session-id|title>'
  if (resume === true) throw new NoSuchSession(randomUUID(), usage)
  if (!isUuid(resume)) {
    throw new NoSuchSession(
      randomUUID(),
      `${usage}. Provided value "${resume}" is not a UUID and does not match any session title.`,
    )
  }
  const original = transcriptOf(settings, resume)
  if (!original.exists() || !original.holdsMessage())
    throw new NoSuchSession(resume, `No conversation found with session ID: ${resume}`)
  const id = copy ?? resume
  const transcript = copy ? transcriptOf(settings, copy) : original
  if (copy) {
    mkdirSync(dirname(transcript.path), { recursive: true })
    copyFileSync(original.path, transcript.path)
  }
  const { history, costUsd, lastResponse } = transcript.load()
  return { id, source: copy ? 'fork' : 'resume', transcript, history, costBeforeUsd: costUsd, lastResponse }
}

function transcriptOf({ configDir, cwd }: Settings, id: string): Transcript {
  return new Transcript(transcriptPath(configDir, cwd, id), id, cwd)
}
