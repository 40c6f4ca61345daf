import { setTimeout as delay } from 'node:timers/promises'
import { Tmux } from '../../../src/adapters/tmux.ts'
import type { Doom } from './doom.ts'

// Longer than a new pane takes on a quiet machine: cut between any two of its commands.
const NEW_PANE_MS = 60

/** The real tmux; who dies in the middle of a new pane leaves tmux at work behind, as it is in life. */
export class DoomedTmux extends Tmux {
  readonly #doom: Doom

  constructor(socket: string, doom: Doom) {
    super(socket)
    this.#doom = doom
  }

  override newPane(options: Parameters<Tmux['newPane']>[0]): Promise<string> {
    const make = () => super.newPane(options)
    return this.#doom.around('newPane', make, async () => {
      void make().catch(() => {})
      await delay(this.#doom.plan.part * NEW_PANE_MS)
    })
  }

  override respawnPane(...words: Parameters<Tmux['respawnPane']>): Promise<void> {
    return this.#doom.around('respawnPane', () => super.respawnPane(...words))
  }

  override setEnvironment(...words: Parameters<Tmux['setEnvironment']>): Promise<void> {
    return this.#doom.around('setEnvironment', () => super.setEnvironment(...words))
  }
}
