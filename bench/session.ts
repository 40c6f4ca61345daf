import { spawn } from 'node:child_process'
import { PUPPET, tempHome } from '../test/support/temp-home.ts'
import { compare, type Figure, timed } from './statistics.ts'

/** What our part of a session costs: one short session through the daemon, against the same client started by hand. */
export async function sessionBench(): Promise<Figure[]> {
  await using home = await tempHome({ scenario: [{ reply: { text: 'done' } }] })
  await home.rehoboam(['daemon', 'start'])
  const bare = async () => {
    const args = [PUPPET, '-p', '--output-format', 'stream-json', '--verbose', 'go']
    const child = spawn(process.execPath, args, { cwd: home.project, env: home.env, stdio: 'ignore' })
    await ends(await new Promise<number | null>(resolve => child.once('close', resolve)))
  }
  const ours = async () => ends((await home.rehoboam(['spawn', '--prompt', 'go', '--wait'])).code)
  const baseline = { name: 'the puppet alone', run: () => timed(bare) }
  const subject = { name: 'rehoboam spawn --wait', run: () => timed(ours) }
  return [await compare('a short session', { baseline, subject }, 15)]
}

function ends(code: number | null): void {
  if (code !== 0) throw new Error(`it ended with ${code}`)
}
