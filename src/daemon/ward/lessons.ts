import type { LoopDirectory } from '../../adapters/loop-directory.ts'
import type { LoopRun } from '../../core/loop/loop-state.ts'
import { oneLine } from '../../core/plain-text.ts'

// Twice is an accident; the third time a later session would fall into it too.
const LESSON_AFTER = 3

/** The third error of one kind in a run is a lesson: later iterations read it. */
export async function appendLessons(
  directory: LoopDirectory,
  known: LoopRun['errors'],
  more: { key: string; count: number; text: string }[],
): Promise<void> {
  const before = new Map(known)
  for (const { key, count, text } of more) {
    const times = before.get(key) ?? 0
    if (times < LESSON_AFTER && times + count >= LESSON_AFTER) {
      await appendOnce(
        directory,
        `This failed ${times + count} times; do it another way, or find out why first: ${oneLine(text, 300)}`,
      )
    }
  }
}

/** A lesson that stands there already is not written again. */
export async function appendOnce(directory: LoopDirectory, lesson: string): Promise<void> {
  const text = (await directory.read('guardrails.md', 2_000_000)) ?? ''
  const line = `- ${lesson}`
  if (text.split('\n').includes(line)) return
  await directory.append('guardrails.md', `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`)
}
