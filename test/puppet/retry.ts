import { setTimeout } from 'node:timers/promises'
import { type Answer, ask, type OnBlock, type Question } from './ask.ts'
import { AskFailed, type Failure, isRetried } from './failure.ts'
import type { Usage } from './message.ts'
import type { Settings } from './settings.ts'

export type Retry = { attempt: number; delayMs: number; failure: Failure }

// The client's own: half a second, doubled each time, with up to a quarter more so that many do not come back together.
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 32_000

/** Asks until there is an answer, as often as the settings allow. */
export async function askPatiently(
  settings: Settings,
  question: Question,
  onBlock: OnBlock,
  onRetry: (retry: Retry) => void,
  onBroken: (failure: Failure, usage: Usage | undefined) => void,
): Promise<Answer> {
  let broken = 0
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask(settings, streamed(question, true), attempt - 1, onBlock)
    } catch (error) {
      if (question.signal.aborted) throw error
      // What was shown cannot be taken back, so an answer that broke off after a whole block is not asked for again here.
      if (!(error instanceof AskFailed) || error.spoken) throw error
      const { failure } = error
      if (failure.kind === 'stream') {
        broken += 1
        onBroken(failure, error.usage)
        if (failure.how === 'bad-json') complain(failure.detail)
        if (failure.how !== 'incomplete' || broken > 1) return unstreamed(settings, question, attempt, onBlock)
      }
      // A gateway that does not know streams may say that there is nothing here.
      if (failure.kind === 'status' && failure.status === 404) return unstreamed(settings, question, attempt, onBlock)
      if (!isRetried(failure) || attempt > settings.maxRetries) throw error
      const delayMs = delay(failure, attempt)
      onRetry({ attempt, delayMs, failure })
      await setTimeout(delayMs, undefined, { signal: question.signal })
    }
  }
}

/** The last resort for streams that come broken: the same question, answered in one piece. */
async function unstreamed(settings: Settings, question: Question, attempt: number, onBlock: OnBlock) {
  const answer = await ask(settings, streamed(question, false), attempt, onBlock)
  for (const block of answer.content) onBlock(answer.id, answer.model, block, answer.usage)
  return answer
}

function streamed(question: Question, stream: boolean): Question {
  return { ...question, body: { ...question.body, stream } }
}

function delay(failure: Failure, attempt: number): number {
  if (failure.kind === 'status' && failure.retryAfterMs !== undefined) return failure.retryAfterMs
  const base = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS)
  return Math.round(base * (1 + Math.random() / 4))
}

function complain(data: string): void {
  const chunk = JSON.stringify([`event: content_block_delta`, `data: ${data}`])
    .replace('[', '[ ')
    .replace(/\]$/, ' ]')
    .replace('","', '", "')
  process.stderr.write(`Could not parse message into JSON: ${data}\nFrom chunk: ${chunk}\n`)
}
