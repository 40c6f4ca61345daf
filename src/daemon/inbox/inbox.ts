import { RehoboamError } from '../../contract/errors.ts'
import { rootOf } from '../../contract/ids.ts'
import type { Answer, AuditEntry, Question } from '../../contract/question.ts'

export type Asked = Question & {
  cwd: string
  /** By the clock of the hook that asked: it stays the same when the hook asks again after a restart of ours. */
  askedAt: number
  /** Closes it when the client goes on by itself: session, agent and input of the call. */
  match: { session: string; agentId: string; tool: string; input: string }
}

/** What of it others see. */
export function shownQuestion({ match: _, cwd: __, askedAt: ___, ...question }: Asked): Question {
  return question
}

type Open = { question: Asked; decided: (answer: Answer | null) => void; answer: Promise<Answer | null> }
type By = AuditEntry['by']

// Answers that a hook may come back for after a restart of ours.
const REMEMBERED = 1_000

/** All open questions. The first answer wins; everything that decides one is written down before it is told. */
export class Inbox {
  readonly #open = new Map<string, Open>()
  readonly #answered = new Map<string, Answer>()
  readonly #write: (entry: AuditEntry) => Promise<void>
  readonly #now: () => number
  readonly #listeners: (() => void)[] = []

  constructor(outside: { write: (entry: AuditEntry) => Promise<void>; now: () => number }) {
    this.#write = outside.write
    this.#now = outside.now
  }

  /** Calls back whenever a question is opened or closed. */
  listen(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** What was decided before a restart and may not have been heard. */
  remember(entries: AuditEntry[]): void {
    for (const { what, question, answer } of entries.slice(-REMEMBERED)) {
      if (what === 'answered' && question && answer) this.#answered.set(question, answer)
    }
  }

  /** Waits for an answer; null when the question was closed some other way. The same id again is the same question. */
  ask(question: Asked): Promise<Answer | null> {
    const given = this.#answered.get(question.id)
    if (given) return Promise.resolve(given)
    const known = this.#open.get(question.id)
    if (known) return known.answer
    const { promise, resolve } = Promise.withResolvers<Answer | null>()
    this.#open.set(question.id, { question, decided: resolve, answer: promise })
    this.#changed()
    return promise
  }

  async answer(id: string, answer: Answer, by: By, rule: string | null = null): Promise<Asked> {
    const open = this.#open.get(this.#idOf(id))
    if (!open) throw this.#missing(id)
    // From here on it is answered for everybody else; the agent is told when it is written down.
    this.#remove(open)
    this.#remember(open.question.id, answer)
    try {
      await this.#record('answered', open.question, answer, by, rule)
    } catch (error) {
      this.#answered.delete(open.question.id)
      this.#open.set(open.question.id, open)
      this.#changed()
      throw error
    }
    open.decided(answer)
    return open.question
  }

  /** A rule decides before anybody is asked; it is written down like any other answer. */
  async byRule(question: Asked, answer: Answer, rule: string): Promise<void> {
    await this.#record('answered', question, answer, 'rule', rule)
    this.#remember(question.id, answer)
  }

  /** It needs no answer any more: the client has gone on. */
  close(id: string, by: By): void {
    const open = this.#open.get(id)
    if (!open) return
    this.#remove(open)
    // Nobody waits for this line, and nothing was decided here: a full disk must not end us all.
    this.#record('closed', open.question, null, by, null).catch(() => {})
    open.decided(null)
  }

  closeWhere(fits: (question: Asked) => boolean, by: By): void {
    for (const { question } of [...this.#open.values()]) if (fits(question)) this.close(question.id, by)
  }

  /** Oldest first within its urgency: a permission stops an agent at once, a question soon. */
  list(fits: (question: Asked) => boolean = () => true): Asked[] {
    const urgency = (question: Asked) => (question.kind === 'permission' ? 0 : question.kind === 'question' ? 1 : 2)
    const all = [...this.#open.values()].map(({ question }) => question).filter(fits)
    return all.sort((a, b) => urgency(a) - urgency(b) || a.since.localeCompare(b.since))
  }

  /** Somebody is asked about this run, or about a child of it. */
  isAsking(run: string): boolean {
    return [...this.#open.values()].some(({ question }) => concerns(question, run))
  }

  about(run: string): Asked[] {
    return this.list(question => concerns(question, run))
  }

  find(id: string): Asked | null {
    return this.#open.get(this.#idOf(id))?.question ?? null
  }

  /** By its beginning, as people type it. */
  #idOf(text: string): string {
    if (this.#open.has(text)) return text
    const fitting = [...this.#open.keys()].filter(id => id.startsWith(text))
    if (fitting.length > 1)
      throw new RehoboamError('question-ambiguous', `"${text}" fits ${fitting.length} questions; type more of it`)
    return fitting[0] ?? text
  }

  #missing(id: string): RehoboamError {
    const isAnswered =
      this.#answered.has(id) || [...this.#answered.keys()].some(known => id.length >= 4 && known.startsWith(id))
    const sentence = isAnswered
      ? `question ${id} has been answered already`
      : `there is no open question "${id}"; rehoboam inbox lists them`
    return new RehoboamError(isAnswered ? 'already' : 'question-unknown', sentence)
  }

  #remember(id: string, answer: Answer): void {
    this.#answered.set(id, answer)
    if (this.#answered.size > REMEMBERED) this.#answered.delete(this.#answered.keys().next().value!)
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }

  #remove({ question }: Open): void {
    this.#open.delete(question.id)
    this.#changed()
  }

  #record(
    what: AuditEntry['what'],
    question: Asked,
    answer: Answer | null,
    by: By,
    rule: string | null,
  ): Promise<void> {
    const { id, agent, run, text } = question
    const at = new Date(this.#now()).toISOString()
    return this.#write({ at, what, question: id, agent, run, text: text.slice(0, 500), answer, by, rule })
  }
}

/** Its own, or a child's. */
function concerns(question: Asked, run: string): boolean {
  return question.run === run || rootOf(question.run ?? '') === run
}
