import type { Asked } from './asked.ts'

type Watcher = { fits: (asked: Asked) => boolean; found: (asked: Asked) => void; failed: (error: Error) => void }

/** Those who wait for a certain request. Told by the request itself, so nobody has to look again and again. */
export class Watchers {
  private waiting = new Set<Watcher>()

  tell(entry: Asked): void {
    for (const watcher of this.waiting) if (watcher.fits(entry)) watcher.found(entry)
  }

  stop(reason: string): void {
    for (const watcher of this.waiting) watcher.failed(new Error(reason))
  }

  waitFor(asked: Asked[], fits: Watcher['fits'], timeoutMs: number): Promise<Asked> {
    const already = asked.find(fits)
    if (already) return Promise.resolve(already)
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer)
        this.waiting.delete(watcher)
        settle()
      }
      const watcher: Watcher = {
        fits,
        found: entry => end(() => resolve(entry)),
        failed: error => end(() => reject(error)),
      }
      const late = () =>
        watcher.failed(new Error(`no such request within ${timeoutMs} ms; asked so far: ${listed(asked)}`))
      const timer = setTimeout(late, timeoutMs)
      this.waiting.add(watcher)
    })
  }
}

function listed(asked: Asked[]): string {
  if (asked.length === 0) return 'nothing'
  return asked
    .map(a => `${a.number}. turn ${a.turn}${a.side ? ' (side)' : ''} ${JSON.stringify(a.prompt.slice(0, 60))}`)
    .join(', ')
}
