import type { EffectOf } from '../../core/effect.ts'
import { messagesSection, type RolePrompt, rolePrompt } from '../../core/quest/prompt-text.ts'
import type { Texts } from '../../ports.ts'
import type { Run } from '../runtime/run.ts'
import { type QuestOutside, questOf, requirementsOf, saidText, stepText } from './quest-outside.ts'
import { specOfRole } from './role-place.ts'

/** The first prompt of a session. */
export async function firstPrompt(outside: QuestOutside, run: Run, effect: EffectOf<'run-role'>): Promise<string> {
  const state = questOf(run)
  const texts = outside.textsOf(run.id)
  const role = specOfRole(run, effect.role)
  const own = state.steps.find(({ id }) => id === effect.step)
  const requirements = await requirementsOf(texts, state)
  const plan = await Promise.all(
    state.steps
      .filter(step => step.state !== 'dropped')
      .map(async step => ({ ...step, title: (await stepText(texts, step)).title })),
  )
  const prompt: RolePrompt = {
    role: await texts.get(role.prompt),
    step: effect.step,
    note: effect.say.note,
    request: await texts.get(state.prompt),
    requirements: requirements.map(({ id, given, when, then: observable }) => ({ id, given, when, observable })),
    plan,
    own: own ? { ...(await stepText(texts, own)), requirements: own.requirements } : null,
    texts: await Promise.all(effect.say.texts.map(ref => saidText(texts, ref))),
    messages: await messagesOf(texts, effect),
  }
  return rolePrompt(prompt)
}

/** What a session is told that goes on with its history. */
export async function nextPrompt(outside: QuestOutside, run: Run, effect: EffectOf<'run-role'>): Promise<string> {
  const texts = outside.textsOf(run.id)
  const said = await Promise.all(effect.say.texts.map(ref => saidText(texts, ref)))
  const how = `End as before, with signal-back and stepId "${effect.step}".`
  const messages = messagesSection(await messagesOf(texts, effect))
  return [effect.say.note, ...said, messages ?? '', how].filter(part => part.trim() !== '').join('\n\n')
}

function messagesOf(texts: Texts, { messages = [] }: EffectOf<'run-role'>): Promise<string[]> {
  return Promise.all(messages.map(ref => texts.get(ref).catch(() => '')))
}
