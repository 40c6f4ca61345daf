import type { Stamped } from '../contract/event.ts'
import type { RunDetail } from '../contract/run.ts'
import { questPicture } from '../view/quest-picture.ts'
import { questWords, sessionIn } from '../view/quest-words.ts'
import type { Face } from './face.ts'
import { runPath } from './run-path.ts'

// Often enough for a person; a step that ends is several events within a moment.
const DRAW_EVERY_MS = 500

/** What a quest needs beside other runs to be followed: names for its sessions, and on a terminal its picture. */
export class QuestFollower {
  readonly #face: Face
  readonly #id: string
  readonly #names = new Map<string, string>()
  readonly #draws: boolean
  #detail: RunDetail | null = null
  #isStale = true
  #timer: NodeJS.Timeout | null = null

  constructor(face: Face, id: string, draws: boolean) {
    this.#face = face
    this.#id = id
    this.#draws = draws && face.out.mayEscape
  }

  /** The event in words; undefined: it is not one of a quest's own. */
  async words(event: Stamped): Promise<string | null | undefined> {
    this.#isStale = true
    if (this.#draws && !this.#timer) {
      this.#timer = setInterval(() => void this.#draw(), DRAW_EVERY_MS)
      void this.#draw()
    }
    const name = sessionIn(event)
    if (name !== null && !this.#names.has(name)) await this.#look()
    return questWords(event, name === null ? '' : (this.#names.get(name) ?? `session ${name}`))
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    if (this.#draws) this.#face.out.foot.show([])
  }

  /** A daemon that is away for a moment is the follower's matter; what is known is shown until then. */
  async #look(): Promise<void> {
    this.#isStale = false
    const found = await this.#face.daemon.askRunning<RunDetail>({ path: runPath(this.#id) }).catch(() => null)
    if (!found) return
    this.#detail = found
    for (const { run, role, step } of found.quest?.sessions ?? []) {
      this.#names.set(run.slice(run.lastIndexOf('.') + 1), `${role} on ${step}`)
    }
  }

  async #draw(): Promise<void> {
    if (this.#isStale) await this.#look()
    if (!this.#detail || !this.#timer) return
    const { foot } = this.#face.out
    const { columns, rows } = foot.size
    foot.show(questPicture(this.#detail, Date.now(), columns, rows))
  }
}
