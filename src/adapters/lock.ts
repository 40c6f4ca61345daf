import { DatabaseSync } from 'node:sqlite'

/**
 * One holder per file, by a lock of the operating system: it is gone with the process, however that ends, and two
 * that try at once cannot both succeed. SQLite's own lock is the one that Node can take without a native add-on.
 */
export function takeLock(path: string): { release(): void } | null {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    // Nothing is ever written: a journal file beside it would only be litter.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (/locked|busy/i.test((error as Error).message)) return null
    throw error
  }
  return { release: () => database.close() }
}
