import { added, NO_USAGE, type Usage } from './message.ts'
import { costUsd } from './price.ts'

/** What a session costs: this process since its last result, this process, and all before it. */
export class Ledger {
  private usage = NO_USAGE
  private sinceUsd = 0
  private spentUsd = 0
  private readonly beforeUsd: number
  private readonly model: string

  constructor(model: string, beforeUsd: number) {
    this.model = model
    this.beforeUsd = beforeUsd
  }

  spend(usage: Usage): void {
    const cost = costUsd(this.model, usage)
    this.sinceUsd += cost
    this.spentUsd += cost
  }

  /** Tokens enter the next result's figures, except those of the answer that broke the budget: so the client reckons. */
  count(usage: Usage): void {
    this.usage = added(this.usage, usage)
  }

  /** The budget of `--max-budget-usd` is for this process alone. */
  get processUsd(): number {
    return this.spentUsd
  }

  get totalUsd(): number {
    return this.beforeUsd + this.spentUsd
  }

  /** The figures of a result; the next one counts from here. */
  close() {
    const since = this.sinceUsd === 0 ? {} : { [this.model]: { costUSD: this.sinceUsd } }
    const figures = { total_cost_usd: this.totalUsd, usage: this.usage, model_usage_since_last_result: since }
    this.usage = NO_USAGE
    this.sinceUsd = 0
    return figures
  }
}
