import type { QuestDetail } from '../../contract/quest.ts'
import { oneLine, plain } from '../../core/plain-text.ts'
import { allWork, type QuestRun } from '../../core/quest/quest-state.ts'
import { questView } from '../../core/quest/quest-view.ts'
import type { Texts } from '../../ports.ts'
import { sessionIdOf } from '../runtime/stable-id.ts'
import { requirementsOf, saidText, stepText } from './quest-texts.ts'

const iso = (ms: number) => new Date(ms).toISOString()

/** The same ids across restarts: a person and a script may know them. */
export function questionId(run: string, n: number): string {
  return sessionIdOf(`question ${run} ${n}`)
}

/** What is known of a quest, with its words: for `show`, and for quest.json. */
export async function questWithWords(state: QuestRun, texts: Texts): Promise<QuestDetail> {
  const view = questView(state, iso)
  const words = await Promise.all(state.steps.map(step => stepText(texts, step)))
  return {
    ...view,
    request: await texts.get(state.prompt).catch(() => ''),
    requirements: (await requirementsOf(texts, state)) as QuestDetail['requirements'],
    steps: view.steps.map((step, n) => ({ ...step, ...words[n]!, title: oneLine(words[n]!.title, 200) })),
    questions: await questions(state, texts),
  }
}

async function questions(state: QuestRun, texts: Texts): Promise<QuestDetail['questions']> {
  const words = async (note: string, ref: string | null) => {
    const more = ref === null ? '' : plain(await saidText(texts, ref))
    return more ? `${note}: ${more}` : note
  }
  const answered = state.answers.map(async ({ n, step, kind, note, text, askedAt, answeredAt, answer }) => ({
    id: questionId(state.id, n),
    step,
    kind,
    text: await words(note, text),
    askedAt: iso(askedAt),
    answer: plain(await texts.get(answer).catch(() => '')),
    answeredAt: iso(answeredAt),
  }))
  const open = allWork(state).flatMap(({ id, question }) => (question ? [{ step: id, ...question }] : []))
  const asked = open.map(async ({ n, step, kind, note, text, askedAt }) => ({
    id: questionId(state.id, n),
    step,
    kind,
    text: await words(note, text),
    askedAt: iso(askedAt),
    answer: null,
    answeredAt: null,
  }))
  return Promise.all([...answered, ...asked])
}
