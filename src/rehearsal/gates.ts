/** Replies that hang wait here, by name, until somebody lets them go on. */
export class Gates {
  private waiting: { name: string | undefined; open: () => void }[] = []

  wait(name: string | undefined): Promise<void> {
    return new Promise(open => this.waiting.push({ name, open }))
  }

  /** Lets go of those with this name, or of all; says how many. */
  release(name?: string): number {
    const chosen = this.waiting.filter(w => name === undefined || w.name === name)
    this.waiting = this.waiting.filter(w => !chosen.includes(w))
    for (const { open } of chosen) open()
    return chosen.length
  }
}
