/** What a step has to say at its end. `output` is shown only when it failed. */
export interface Outcome {
  ok: boolean
  says?: string
  output?: string
}

export interface Step {
  name: string
  /** What to type to see or mend this failure alone. */
  again: string
  /** Its output goes straight to the screen, so it has a line of its own before and after. */
  loud?: true
  /** Without it the rest says nothing: a failed build makes every test lie. */
  needed?: true
  run(): Promise<Outcome>
}

/** One line per step as it happens; at the end what failed and what to type. Answers whether all went well. */
export async function runSteps(steps: Step[], write: (text: string) => void, signal?: AbortSignal): Promise<boolean> {
  const failed: Step[] = []
  for (const step of steps) {
    const startedMs = performance.now()
    write(step.loud ? `${step.name}\n` : step.name.padEnd(8))
    const outcome = await step.run()
    if (signal?.aborted) {
      write('interrupted\n')
      return false
    }
    write(`${step.loud ? step.name.padEnd(8) : ''}${lastWords(outcome, performance.now() - startedMs)}\n`)
    if (outcome.ok) continue
    failed.push(step)
    if (outcome.output) write(`${outcome.output.trimEnd()}\n`)
    if (step.needed) break
  }
  for (const { name, again } of failed) write(`\n${name} failed. Type: ${again}\n`)
  return failed.length === 0
}

function lastWords({ ok, says }: Outcome, tookMs: number): string {
  const took = `${(tookMs / 1000).toFixed(1)} s`.padStart(8)
  return `${(ok ? 'ok' : 'FAILED').padEnd(8)}${took}${says ? `  ${says}` : ''}`
}
