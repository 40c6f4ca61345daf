import { DatabaseSync } from 'node:sqlite'

/** One thing that an agent did, for looking back. Losing these loses history, never work. */
export type HistoryEntry = {
  at: number
  session: string
  agentId: string
  name: string
  tool: string
  words: string
  ms: number
  failed: boolean
}

// Often enough that a look back is never surprised, seldom enough that a flood of hooks is one write.
const FLUSH_EVERY_MS = 500
const DAY_MS = 86_400_000

/** The flood of tool events, written in batches, kept for so many days. */
export class History {
  readonly #database: DatabaseSync
  readonly #keepDays: number
  #waiting: HistoryEntry[] = []
  #timer: NodeJS.Timeout | null = null

  constructor(path: string, keepDays: number) {
    this.#database = open(path)
    this.#keepDays = keepDays
  }

  add(entry: HistoryEntry): void {
    this.#waiting.push(entry)
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_EVERY_MS)
  }

  of(session: string, limit: number): HistoryEntry[] {
    this.flush()
    const rows = this.#database
      .prepare(
        'SELECT at, session, agentId, name, tool, words, ms, failed FROM events WHERE session = ? ORDER BY id DESC LIMIT ?',
      )
      .all(session, limit)
    return rows.reverse().map(row => ({ ...row, failed: row.failed === 1 }) as unknown as HistoryEntry)
  }

  /** Everything older than the retention goes. */
  forgetOld(now: number): void {
    this.#database.prepare('DELETE FROM events WHERE at < ?').run(now - this.#keepDays * DAY_MS)
  }

  flush(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const batch = this.#waiting.splice(0)
    if (batch.length === 0) return
    const insert = this.#database.prepare(
      'INSERT INTO events (at, session, agentId, name, tool, words, ms, failed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    this.#database.exec('BEGIN')
    for (const { at, session, agentId, name, tool, words, ms, failed } of batch) {
      insert.run(at, session, agentId, name, tool, words, ms, failed ? 1 : 0)
    }
    this.#database.exec('COMMIT')
  }

  close(): void {
    this.flush()
    this.#database.close()
  }
}

function open(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS events (
      id INTEGER PRIMARY KEY, at INTEGER NOT NULL, session TEXT NOT NULL, agentId TEXT NOT NULL, name TEXT NOT NULL,
      tool TEXT NOT NULL, words TEXT NOT NULL, ms INTEGER NOT NULL, failed INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS events_session ON events (session, id);
    CREATE INDEX IF NOT EXISTS events_at ON events (at);`)
  return database
}
