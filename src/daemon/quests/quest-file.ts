import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runSummary } from '../../core/run/run-view.ts'
import type { ParentOutside } from '../parent/parent-outside.ts'
import type { Run } from '../runtime/live-run.ts'
import { questOf } from '../runtime/run-kinds.ts'
import { questWithWords } from './quest-detail.ts'

const NAME = 'quest.json'

/** The copy of each run, as this daemon wrote it last. */
const copied = new WeakMap<Run, string>()

/**
 * Writes quest.json in the run's own directory, and its copy for people in the project, whenever the journal has grown. Nothing
 * of ours reads the copy. What somebody wrote into it is overwritten, and said.
 */
export async function writeQuestFile(outside: ParentOutside, run: Run): Promise<void> {
  const state = questOf(run)
  const { seq } = run.record
  const summary = runSummary(state, ms => new Date(ms).toISOString())
  const detail = await questWithWords(state, outside.textsOf(run.id))
  const text = `${JSON.stringify({ ...summary, seq, ...detail }, null, 2)}\n`
  const own = join(outside.directoryOf(run.id), NAME)
  const copy = join(state.loop.directory, NAME)
  const [last, found] = await Promise.all([read(own), read(copy)])
  await outside.disk.replace(own, text)
  await mkdir(dirname(copy), { recursive: true })
  await outside.disk.replace(copy, text)
  const before = copied.get(run)
  copied.set(run, text)
  const isOurs = before === undefined ? last === null || found === last || isOlder(found ?? '', last) : found === before
  if (found !== null && !isOurs) await say(outside, run, copy)
}

/** Once for each run: a program that rewrites the copy for ever must not fill the journal. */
async function say({ log, textsOf, postSurely }: ParentOutside, run: Run, copy: string): Promise<void> {
  const words = `somebody changed ${copy}, which changes nothing (rehoboam plan ${run.id} --edit does); it is restored`
  log(`run ${run.id}: ${words}`)
  const note = await textsOf(run.id).put(words)
  if (!questOf(run).notes.includes(note)) await postSurely(run, { type: 'noted', notes: [note] })
}

/** A copy that a daemon left which was killed between the two writes. */
function isOlder(copy: string, last: string): boolean {
  const [seq, lastSeq] = [seqOf(copy), seqOf(last)]
  return seq !== null && lastSeq !== null && seq < lastSeq
}

function seqOf(text: string): number | null {
  const [, seq] = /^ {2}"seq": (\d+),?$/m.exec(text) ?? []
  return seq === undefined ? null : Number(seq)
}

function read(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}
