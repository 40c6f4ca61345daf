import * as z from 'zod'
import { realDisk } from '../../adapters/disk.ts'

const Place = z
  .string()
  .min(1)
  .regex(/^(?!\/)(?!.*(^|\/)\.\.(\/|$))/)

/** What a worktree was given, so that it can be used again, or taken away again. */
const StampShape = z.object({
  hash: z.string(),
  /** What the command was run on, of a worktree that is made ahead and moved. */
  commit: z.string().optional(),
  done: z.boolean(),
  /** Directories and links that we made in the worktree. */
  placed: z.array(Place),
  /** Files that we copied into it. */
  copied: z.array(Place),
  python: z.boolean(),
  notes: z.array(z.string()),
})
export type Stamp = z.infer<typeof StampShape>

/** One that is torn or of another time is none: then all is made anew. */
export async function readStamp(path: string): Promise<Stamp | null> {
  try {
    return StampShape.parse(JSON.parse(Buffer.from((await realDisk.read(path)) ?? []).toString('utf8')))
  } catch {
    return null
  }
}
