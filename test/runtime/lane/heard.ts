import { CUT_OFF_NOTE } from '../../../src/core/notes.ts'
import type { Asked } from '../../../src/rehearsal/model.ts'
import type { Story } from './story.ts'
import type { World } from './world.ts'

/** What the model was asked shows what was really started: a turn begins with exactly one first question. */
export function heardOnce(world: World, story: Story): string[] {
  const wrong: string[] = []
  const firsts = Map.groupBy(
    world.model.asked.filter(asked => !asked.side && asked.turn === 0),
    ({ line }) => `${line.run} ${line.attempt}`,
  )
  for (const [turn, questions] of firsts) {
    for (const [n, again] of questions.entries()) {
      const before = questions[n - 1]
      if (before) wrong.push(...repeated(turn, before, again, story))
    }
    const forbidden = story.cuts.find(cut => cut.ended.has(turn) && questions.some(({ number }) => number > cut.asked))
    if (forbidden) wrong.push(`turn ${turn} had ended, that was written down, and it was started again`)
  }
  const deeds = Map.groupBy(world.deeds().filter(Boolean), deed => deed)
  for (const [turn, times] of deeds) {
    const started = firsts.get(turn)?.length ?? 0
    if (times.length > started)
      wrong.push(`turn ${turn} was started ${started} times and did its work ${times.length} times`)
  }
  const strangers = [...firsts.keys()].filter(turn => !story.wanted.some(({ id }) => turn.startsWith(`${id} `)))
  if (strangers.length) wrong.push(`sessions of no run: ${strangers.join(', ')}`)
  return wrong
}

/**
 * A second start of one turn is allowed after a power cut only, which may have taken every trace of the first: then the
 * session goes on from its transcript and is told so, or, when that is gone too, begins again with the whole prompt.
 */
function repeated(turn: string, before: Asked, again: Asked, story: Story): string[] {
  if (!story.cuts.some(({ asked }) => before.number <= asked && again.number > asked))
    return [`turn ${turn} began twice`]
  const resumed = again.messages.filter(({ role }) => role === 'assistant').length > 0
  const told = again.prompt.includes(CUT_OFF_NOTE) || again.prompt.includes('message ')
  const whole = again.prompt.includes('Do the work of project')
  if (resumed ? !told : !whole) return [`turn ${turn} was repeated with: ${again.prompt.slice(0, 300)}`]
  return []
}
