import { mkdir, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runSummary } from '../../core/run-view.ts'
import type { Run } from '../runtime/run.ts'
import { questWithWords } from './quest-detail.ts'
import { type QuestOutside, questOf } from './quest-outside.ts'

const NAME = 'quest.json'

/**
 * quest.json in the run's own directory, rebuilt from the journal whenever that has grown, and the copy for people in the
 * project. Nobody reads either of them for us: what somebody wrote into the copy is kept aside and said.
 */
export async function writeQuestFile(outside: QuestOutside, run: Run): Promise<void> {
  const state = questOf(run)
  const { seq } = run.record
  const summary = runSummary(state, ms => new Date(ms).toISOString())
  const detail = await questWithWords(state, outside.textsOf(run.id))
  const text = `${JSON.stringify({ ...summary, seq, ...detail }, null, 2)}\n`
  const own = join(outside.directoryOf(run.id), NAME)
  const copy = join(state.loop.directory, NAME)
  const before = await read(own)
  const standing = await read(copy)
  if (standing !== null && standing !== before && standing !== text) await keepAside(outside, run, copy)
  await outside.disk.replace(own, text)
  await mkdir(dirname(copy), { recursive: true })
  await outside.disk.replace(copy, text)
}

async function keepAside({ log }: QuestOutside, run: Run, copy: string): Promise<void> {
  const aside = copy.replace(/\.json$/, `.edited-at-${run.record.seq}.json`)
  await rename(copy, aside)
  log(
    `run ${run.id}: somebody changed ${copy}, which changes nothing (rehoboam plan ${run.id} --edit does); it is kept as ${aside}`,
  )
}

function read(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}
