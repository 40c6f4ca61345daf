import { createHash } from 'node:crypto'
import { mkdir, readFile, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { runSummary } from '../../core/run/run-view.ts'
import type { Run } from '../runtime/run.ts'
import { questWithWords } from './quest-detail.ts'
import { type QuestOutside, questOf } from './quest-outside.ts'

const NAME = 'quest.json'
/** What we wrote into the copy last, and what we were about to write, by hash; and how often somebody else wrote there. */
const COPIED = 'quest-copied.json'
// Whoever edits it by hand has understood by then. A program that rewrites it for ever must not fill the disk and the journal.
const MOST_KEPT_ASIDE = 10

const Copied = z.object({ written: z.array(z.string()), edits: z.number() })
type Copied = z.infer<typeof Copied>

/**
 * quest.json in the run's own directory, rebuilt from the journal whenever that has grown, and the copy for people in the
 * project. Nobody reads either of them for us: what somebody wrote into the copy is kept aside and said, the first times.
 */
export async function writeQuestFile(outside: QuestOutside, run: Run): Promise<void> {
  const state = questOf(run)
  const { seq } = run.record
  const summary = runSummary(state, ms => new Date(ms).toISOString())
  const detail = await questWithWords(state, outside.textsOf(run.id))
  const text = `${JSON.stringify({ ...summary, seq, ...detail }, null, 2)}\n`
  const own = outside.directoryOf(run.id)
  const copy = join(state.loop.directory, NAME)
  await outside.disk.replace(join(own, NAME), text)
  const standing = await read(copy)
  const { written, edits } = await copied(own)
  const isOurs = standing === null || standing === text || written.includes(hash(standing))
  const aside = isOurs || edits >= MOST_KEPT_ASIDE ? null : await keepAside(run, copy)
  // Before the copy: whoever is killed in between still knows both for its own.
  const ours = [...(isOurs && standing ? [hash(standing)] : []), hash(text)]
  const known: Copied = { written: ours, edits: aside === null ? edits : edits + 1 }
  await outside.disk.replace(join(own, COPIED), `${JSON.stringify(known)}\n`)
  await mkdir(dirname(copy), { recursive: true })
  await outside.disk.replace(copy, text)
  if (aside !== null) await say(outside, run, copy, aside)
}

async function keepAside(run: Run, copy: string): Promise<string> {
  const aside = copy.replace(/\.json$/, `.edited-at-${run.record.seq}.json`)
  await rename(copy, aside)
  return aside
}

async function say({ log, textsOf, postSurely }: QuestOutside, run: Run, copy: string, aside: string): Promise<void> {
  const words = `somebody changed ${copy}, which changes nothing (rehoboam plan ${run.id} --edit does); it is kept as ${basename(aside)} beside it`
  log(`run ${run.id}: ${words}`)
  await postSurely(run, { type: 'noted', notes: [await textsOf(run.id).put(words)] })
}

async function copied(own: string): Promise<Copied> {
  try {
    return Copied.parse(JSON.parse((await read(join(own, COPIED))) ?? ''))
  } catch {
    return { written: [], edits: 0 }
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function read(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}
