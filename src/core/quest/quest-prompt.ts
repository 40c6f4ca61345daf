import { cut, oneLine, plain } from '../plain-text.ts'

/** What a session of a role reads first. Texts from agents are data in it, bounded, and fenced by headings. */
export type RolePrompt = {
  /** The words of the role itself. */
  role: string
  step: string
  note: string
  request: string
  requirements: { id: string; given: string; when: string; observable: string }[]
  plan: { id: string; title: string; state: string; dependsOn: string[] }[]
  /** Null: an errand. */
  own: { title: string; text: string; files: string[]; requirements: string[] } | null
  /** What is said to it: failures, gaps, answers. */
  texts: string[]
  messages: string[]
}

const REQUEST_CHARACTERS = 30_000
const TEXT_CHARACTERS = 30_000
const MESSAGE_CHARACTERS = 8_000
// All of them together: a hundred long ones must not crowd out the work.
const MESSAGES_CHARACTERS = 40_000
const MOST_LISTED = 300

export function rolePrompt(prompt: RolePrompt): string {
  const { own, step } = prompt
  const ids = own?.requirements.length ? new Set(own.requirements) : null
  const wanted = prompt.requirements.filter(({ id }) => ids === null || ids.has(id))
  const parts = [
    prompt.role,
    prompt.note,
    own && section(`Your step: ${step}: ${oneLine(own.title, 200)}`, stepWords(own)),
    section(own ? 'What it is a part of: the request' : 'The request', cut(prompt.request, REQUEST_CHARACTERS)),
    section(ids ? 'Requirements that your step meets' : 'Requirements', wanted.map(requirementWords).join('\n')),
    section('The plan', prompt.plan.slice(0, MOST_LISTED).map(planLine).join('\n')),
    section('What you have to know', prompt.texts.map(text => cut(text, TEXT_CHARACTERS)).join('\n\n')),
    messagesSection(prompt.messages),
    `You work on ${step} now. End with signal-back and stepId "${step}".`,
  ]
  return parts.filter(part => part !== null && part.trim() !== '').join('\n\n')
}

/** The newest, as far as there is room. */
export function messagesSection(messages: string[]): string | null {
  const said = messages.map(text => cut(plain(text), MESSAGE_CHARACTERS))
  let first = said.length
  for (let room = MESSAGES_CHARACTERS; first > 0 && said[first - 1]!.length <= room; first--)
    room -= said[first - 1]!.length
  const older = first > 0 ? [`(${first} older ones are left out)`] : []
  return section('Messages from people', [...older, ...said.slice(first)].join('\n\n'))
}

function section(title: string, text: string): string | null {
  return text.trim() ? `# ${title}\n\n${text.trim()}` : null
}

function stepWords({ text, files }: NonNullable<RolePrompt['own']>): string {
  const named = files.length ? `\n\nFiles: ${files.map(file => oneLine(file, 300)).join(', ')}` : ''
  return `${plain(text)}${named}`
}

function requirementWords({ id, given, when, observable }: RolePrompt['requirements'][number]): string {
  const line = (text: string) => oneLine(text, 2_000)
  return `- ${id}: given ${line(given)}, when ${line(when)}, then ${line(observable)}`
}

function planLine({ id, title, state, dependsOn }: RolePrompt['plan'][number]): string {
  const after = dependsOn.length ? `, after ${dependsOn.join(', ')}` : ''
  return `- ${id} (${state}${after}): ${oneLine(title, 200)}`
}

/** What a signal said, for whoever reads it next. Fields of ours come without their names where there is one only. */
export function signalWords(json: string): string {
  try {
    const { summary, progress, continuationPoint, question, reason, context } = JSON.parse(json) as Record<
      string,
      unknown
    >
    const part = (title: string, text: unknown) =>
      typeof text === 'string' && text.trim() ? `${title}${plain(text)}` : ''
    const parts = [
      part('', summary),
      part('Done: ', progress),
      part('Go on here: ', continuationPoint),
      part('', question),
      part('', reason),
      part('Context: ', context),
    ].filter(Boolean)
    return parts.length ? parts.join('\n\n') : plain(json)
  } catch {
    return plain(json)
  }
}
