import { messagesSection, type RolePrompt, rolePrompt } from '../../core/quest/quest-prompt.ts'
import { sessionNamed } from '../../core/quest/quest-state.ts'
import type { Texts } from '../../ports.ts'
import type { ParentOutside } from '../parent/parent-outside.ts'
import type { RunChild } from '../parent/run-child.ts'
import type { Run } from '../runtime/live-run.ts'
import { questOf } from '../runtime/run-kinds.ts'
import { requirementsOf, saidText, stepText } from './quest-texts.ts'
import { specOfRole } from './role-place.ts'

/** The first prompt of a session. */
export async function firstPrompt(outside: ParentOutside, run: Run, effect: RunChild): Promise<string> {
  const state = questOf(run)
  const texts = outside.textsOf(run.id)
  const { role: name, step } = sessionNamed(state, effect.child)
  const role = specOfRole(run, name)
  const say = effect.say!
  const own = state.steps.find(({ id }) => id === step)
  const requirements = await requirementsOf(texts, state)
  const plan = await Promise.all(
    state.steps
      .filter(({ state: is }) => is !== 'dropped')
      .map(async work => ({ ...work, title: (await stepText(texts, work)).title })),
  )
  const prompt: RolePrompt = {
    role: await texts.get(role.prompt),
    step,
    note: say.note,
    request: await texts.get(state.prompt),
    requirements: requirements.map(({ id, given, when, then: observable }) => ({ id, given, when, observable })),
    plan,
    own: own ? { ...(await stepText(texts, own)), requirements: own.requirements } : null,
    texts: await Promise.all(say.texts.map(ref => saidText(texts, ref))),
    messages: await messagesOf(texts, effect),
  }
  return rolePrompt(prompt)
}

/** What a session is told that goes on with its history. */
export async function nextPrompt(outside: ParentOutside, run: Run, effect: RunChild): Promise<string> {
  const texts = outside.textsOf(run.id)
  const { note, texts: refs } = effect.say!
  const said = await Promise.all(refs.map(ref => saidText(texts, ref)))
  const { step } = sessionNamed(questOf(run), effect.child)
  const how = `End as before, with signal-back and stepId "${step}".`
  const messages = messagesSection(await messagesOf(texts, effect))
  return [note, ...said, messages ?? '', how].filter(part => part.trim() !== '').join('\n\n')
}

function messagesOf(texts: Texts, { messages }: RunChild): Promise<string[]> {
  return Promise.all(messages.map(ref => texts.get(ref).catch(() => '')))
}
