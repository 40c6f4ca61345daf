import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
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

// Taking the log into the file waits for the disk: so seldom (32 MB).
const CHECKPOINT_PAGES = 8_000

/** The database of the history. A damaged file is set aside for a new one. */
export class HistoryStore {
  readonly #path: string
  readonly #log: (line: string) => void
  #database: DatabaseSync

  constructor(path: string, log: (line: string) => void) {
    this.#path = path
    this.#log = log
    this.#database = this.#openSurely()
  }

  write(batch: HistoryEntry[]): void {
    this.#surely(null, database => insert(database, batch))
  }

  /** The last ones of a session, or of all (null), oldest first. */
  of(session: string | null, limit: number): HistoryEntry[] {
    return this.#surely([], database => {
      const where = session === null ? '' : 'WHERE session = ?'
      const rows = database.prepare(`SELECT ${COLUMNS} FROM events ${where} ORDER BY id DESC LIMIT ?`)
      return rows
        .all(...(session === null ? [] : [session]), limit)
        .reverse()
        .map(row => ({ ...row, failed: row.failed === 1 }) as unknown as HistoryEntry)
    })
  }

  forgetBefore(at: number): void {
    this.#surely(null, database => {
      database.prepare('DELETE FROM events WHERE at < ?').run(at)
      return null
    })
  }

  close(): void {
    this.#database.close()
  }

  /** Work goes on without a history: what cannot be read or written is left, said, and begun anew. */
  #surely<T>(otherwise: T, deed: (database: DatabaseSync) => T): T {
    try {
      return deed(this.#database)
    } catch (error) {
      this.#log(`the history cannot be used (${(error as Error).message}) and is begun anew`)
      this.#database.close()
      setAside(this.#path)
      this.#database = this.#openSurely()
      return otherwise
    }
  }

  #openSurely(): DatabaseSync {
    try {
      return open(this.#path)
    } catch (error) {
      this.#log(`the history cannot be opened (${(error as Error).message}) and is begun anew`)
      setAside(this.#path)
      return open(this.#path)
    }
  }
}

const COLUMNS = 'at, session, agentId, name, tool, words, ms, failed'

function insert(database: DatabaseSync, batch: HistoryEntry[]): null {
  const statement = database.prepare(`INSERT INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  database.exec('BEGIN')
  try {
    for (const { at, session, agentId, name, tool, words, ms, failed } of batch) {
      statement.run(at, session, agentId, name, tool, words, ms, failed ? 1 : 0)
    }
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
  return null
}

/** One damaged file is kept, the newest: it is for whoever wants to know why. */
function setAside(path: string): void {
  renameSync(path, `${path}.damaged`)
  for (const rest of ['-wal', '-shm']) rmSync(`${path}${rest}`, { force: true })
}

function open(path: string): DatabaseSync {
  // Only its user's; what SQLite puts beside it gets the same mode.
  closeSync(openSync(path, 'a', 0o600))
  const database = new DatabaseSync(path)
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
    CREATE TABLE IF NOT EXISTS events (
      id INTEGER PRIMARY KEY, at INTEGER NOT NULL, session TEXT NOT NULL, agentId TEXT NOT NULL, name TEXT NOT NULL,
      tool TEXT NOT NULL, words TEXT NOT NULL, ms INTEGER NOT NULL, failed INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS events_session ON events (session, id);
    CREATE INDEX IF NOT EXISTS events_at ON events (at);`)
  return database
}
