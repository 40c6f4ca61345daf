import type { RunEvent } from '../../contract/event.ts'
import { childId } from '../../contract/ids.ts'
import { ENDED } from '../../contract/run.ts'
import type { EffectOf } from '../../core/effect.ts'
import { wishOf } from '../../core/loop/doing.ts'
import type { Message } from '../../core/parent/parent-state.ts'
import { type RunState, sessionOf } from '../../core/run/run-state.ts'
import type { Run } from '../runtime/live-run.ts'
import { parentOf } from '../runtime/run-kinds.ts'
import { untilEvent } from '../runtime/until-event.ts'
import type { ParentOutside } from './parent-outside.ts'

type Outside = Pick<ParentOutside, 'runs' | 'textsOf' | 'stopping'>

/** Tells children what their parent is told. Those who begin later are told when they do. */
export async function tellChildren(
  outside: Outside,
  run: Run,
  key: string,
  effect: EffectOf<'tell-children'>,
): Promise<RunEvent> {
  const children = effect.children.flatMap(name => outside.runs.get(childId(run.id, name)) ?? [])
  await Promise.all(children.map(child => tellOne(outside, run, child, effect)))
  return { type: 'children-told', effect: key }
}

async function tellOne(outside: Outside, run: Run, child: Run, effect: EffectOf<'tell-children'>): Promise<void> {
  const { what, text, of } = effect
  const message = text === undefined || of === undefined ? null : { text, of }
  if (what === 'resume') return resumeChild(outside, run, child, message)
  if (what !== 'tell') return tellChild(child, what)
  if (message) await tellMessage(outside, run, child, message)
}

/** Tells a child what a person said to its parent, once. */
export async function tellMessage({ textsOf }: Outside, run: Run, child: Run, { text, of }: Message): Promise<void> {
  if ((await toldTo(child)).has(of)) return
  const copy = await copiedText(textsOf, run, child.id, text)
  // A session that has ended keeps it for when it goes on. A loop is told then.
  await child.post(({ state }) =>
    state.kind === 'loop' && ENDED.has(state.status) ? null : { type: 'told', text: copy, of },
  )
}

/** Returns the messages to its parent that a child was told, each by the number of its event. */
export async function toldTo(child: Run): Promise<Set<number>> {
  return new Set((await child.eventsAfter(0)).flatMap(event => (event.type === 'told' && event.of) || []))
}

/** Texts are kept by run: a child has its own. */
export async function copiedText(textsOf: Outside['textsOf'], run: Run, id: string, ref: string): Promise<string> {
  return textsOf(id).put(await textsOf(run.id).get(ref))
}

/** A child that is not paused hears only the message. */
async function resumeChild(outside: Outside, run: Run, child: Run, message: Message | null): Promise<void> {
  const text = message && (await copiedText(outside.textsOf, run, child.id, message.text))
  const tell = (state: RunState): RunEvent | null => {
    const { environment, isPaused } = parentOf(run)
    // Its user may have paused it again, while its children still went on.
    if (state.status === 'paused' && !isPaused) return { type: 'resume-requested', text, environment }
    // Told by a daemon that died before it could say so.
    const isHeard = state.kind === 'session' && text !== null && state.waiting.includes(text)
    return message === null || text === null || isHeard ? null : { type: 'told', text, of: message.of }
  }
  for (;;) {
    let isEarly = false
    // Seen from inside its mailbox: that it shall pause may stand there and not be written yet.
    await child.post(({ state }) => {
      isEarly = isPausing(state)
      return isEarly ? null : tell(state)
    })
    if (!isEarly) return
    // A child that is resumed while it is still being paused goes on after that, not before.
    await untilEvent([child], outside.stopping, () => !isPausing(child.record.state))
  }
}

function isPausing(state: RunState): boolean {
  if (state.status !== 'active') return false
  return sessionOf(state)?.turn.ending === 'pause' || (state.kind === 'loop' && wishOf(state.doing) === 'pause')
}

export async function tellChild(child: Run, what: 'cancel' | 'pause' | 'reject'): Promise<void> {
  await child.post(({ state }) => {
    if (ENDED.has(state.status) || (what === 'pause' && state.status === 'paused')) return null
    return { type: `${what}-requested` }
  })
}
