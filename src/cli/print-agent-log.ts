import { followAgent } from '../client/follow.ts'
import type { AgentLogItem } from '../contract/agent-detail.ts'
import { outputLines } from '../view/output-line.ts'
import { plainBlock } from '../view/plain.ts'
import type { Face } from './face.ts'
import { onInterrupt } from './wait.ts'

/** Prints what an agent's transcript tells; with `follow`, goes on until the agent has ended or the reader leaves. */
export async function printAgentLog(
  face: Face,
  session: string,
  { json, follow }: { json: boolean; follow: boolean },
): Promise<void> {
  const interrupts = onInterrupt()
  try {
    for await (const item of followAgent(face.daemon, session, interrupts.signal)) {
      if ('caughtUp' in item) {
        if (item.ended || !follow) return
      } else if (json) face.out.jsonLine(item)
      else print(face, item)
    }
  } finally {
    interrupts.stop()
  }
}

function print(face: Face, item: Exclude<AgentLogItem, { caughtUp: true }>): void {
  if ('skippedBytes' in item) {
    face.out.note(`note: the beginning is left out (${Math.ceil(item.skippedBytes / 1e6)} MB)`)
  } else if ('interrupted' in item) face.out.line('interrupted by its user', 'fail')
  else if ('prompt' in item) face.out.line(`> ${plainBlock(item.prompt).trim().replaceAll('\n', '\n  ')}`, 'good')
  else for (const { tone, text } of outputLines(item.output)) face.out.line(text, tone)
}
