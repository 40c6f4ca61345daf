import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { compare, type Figure, timed } from './statistics.ts'

const PROGRAM = join(import.meta.dirname, '../dist/rehoboam.cjs')

/** The cheapest command against the cheapest thing that Node can do: what a prompt or a hook would pay for us. */
export async function versionBench(): Promise<Figure[]> {
  const node = (...args: string[]) => {
    const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' })
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`)
  }
  const baseline = { name: 'node -e 0', run: () => timed(() => node('-e', '0')) }
  const subject = { name: 'rehoboam --version', run: () => timed(() => node(PROGRAM, '--version')) }
  return [await compare('start', { baseline, subject }, 30, { ratio: 1.3 })]
}
