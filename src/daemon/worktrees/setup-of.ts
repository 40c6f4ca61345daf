import * as z from 'zod'
import { rootOf } from '../../contract/ids.ts'
import type { Texts } from '../../ports.ts'
import type { Run } from '../runtime/live-run.ts'
import type { WorkplaceSetup } from './workplaces.ts'

const Kept = z.object({ commands: z.array(z.string()), copies: z.array(z.string()) })

/** As it was configured and agreed to when the run began. A child has its pool's. */
export async function setupOf(outside: { textsOf(run: string): Texts }, run: Run): Promise<WorkplaceSetup> {
  const { state } = run.record
  const ref = state.kind === 'session' ? null : (state.loop.setup ?? null)
  if (ref === null) return { command: null, copies: [] }
  const text = await outside
    .textsOf(run.id)
    .get(ref)
    .catch(() => outside.textsOf(rootOf(run.id)).get(ref))
  const { commands, copies } = Kept.parse(JSON.parse(text))
  return { command: commandOf(commands), copies }
}

/** One line for a shell: each by itself, and none after one that failed. */
function commandOf(commands: string[]): string | null {
  if (commands.length < 2) return commands[0] ?? null
  return commands.map(command => `(${command}\n)`).join(' && ')
}
