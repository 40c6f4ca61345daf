import { setTimeout as delay } from 'node:timers/promises'
import type { MergeAnswer, MergeRequest } from '../../contract/merge-api.ts'
import type { Run } from '../runtime/live-run.ts'
import { branchedRun, mergeRun } from './merge-run.ts'
import type { MergeOutside } from './merge-task.ts'

// Whoever asked waits half a minute for an answer, and asks again.
const ANSWER_WITHIN_MS = 15_000
// Long enough that whoever asked has heard of it.
const KEPT_MS = 300_000

/** Merges into users' branches, one at a time: two at once in one checkout would be in each other's way. */
export class Merges {
  readonly #outside: MergeOutside & { stopping: AbortSignal }
  readonly #underWay = new Map<string, Promise<MergeAnswer>>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(outside: MergeOutside & { stopping: AbortSignal }) {
    this.#outside = outside
  }

  /** The answer, or that it takes longer: the same request again goes on waiting for it. */
  async merge(run: Run, request: MergeRequest): Promise<MergeAnswer> {
    const merging = this.#underWay.get(request.request) ?? this.#begin(run, request)
    const waiting = new AbortController()
    const notYet = delay(ANSWER_WITHIN_MS, { state: 'under-way' } as const, { signal: waiting.signal, ref: false })
    try {
      return await Promise.race([merging, notYet])
    } finally {
      notYet.catch(() => {})
      waiting.abort()
    }
  }

  #begin(run: Run, request: MergeRequest): Promise<MergeAnswer> {
    const { state, project } = branchedRun(run)
    const key = `${run.id}:merge:${request.request}`
    const merging = this.#last.then(() =>
      mergeRun(this.#outside, { run, state, project, request, key, signal: this.#outside.stopping }),
    )
    this.#last = merging.catch(() => {})
    this.#underWay.set(request.request, merging)
    void this.#last.then(() => {
      setTimeout(() => this.#underWay.delete(request.request), KEPT_MS).unref()
    })
    return merging
  }
}
