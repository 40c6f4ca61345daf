import * as z from 'zod'
import type { Requirement } from '../../contract/quest-tools.ts'
import { signalWords } from '../../core/quest/quest-prompt.ts'
import type { QuestRun, Work } from '../../core/quest/quest-state.ts'
import type { Texts } from '../../ports.ts'

const StepText = z.object({ title: z.string(), text: z.string(), files: z.array(z.string()) })
export type StepText = z.infer<typeof StepText>

// quest.json is written several times a second with the words of all steps: what has not changed is not read again.
const known = new WeakMap<Work, StepText>()

/** The words of a step, which stand beside the journal. */
export async function stepText(texts: Texts, work: Work): Promise<StepText> {
  const before = known.get(work)
  if (before) return before
  const json = await texts.get(work.text).catch(() => '')
  try {
    const words = StepText.parse(JSON.parse(json))
    known.set(work, words)
    return words
  } catch {
    return { title: '', text: json, files: [] }
  }
}

export async function requirementsOf(texts: Texts, { requirements }: QuestRun): Promise<Requirement[]> {
  if (!requirements) return []
  try {
    return JSON.parse(await texts.get(requirements.text)) as Requirement[]
  } catch {
    return []
  }
}

/** A text that a role is told: of a signal or a step its words, of everything else all. */
export async function saidText(texts: Texts, ref: string): Promise<string> {
  const text = await texts.get(ref).catch(() => '')
  return text.startsWith('{') ? signalWords(text) : text
}
