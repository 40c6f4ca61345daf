import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentsOf } from '../inbox/scene.ts'
import type { TempHome } from '../support/temp-home.ts'

type Spooled = { hook: { hook_event_name: string; tool_input?: { command: string } } }

export function spooled(home: TempHome): string[] {
  const path = join(home.home, 'spool.ndjson')
  // Behind the last line break there may be half a line of one that is just writing.
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
  return lines.filter(Boolean).map(line => {
    const { hook } = JSON.parse(line) as Spooled
    return wordsOf(hook.hook_event_name, hook.tool_input?.command ?? '')
  })
}

function wordsOf(name: string, text: string): string {
  const [, n] = /call-(\d+);/.exec(text) ?? []
  return n ? `${name} ${n}` : name
}

export async function arrived(home: TempHome): Promise<string[]> {
  const [agent] = await agentsOf(home)
  type Shown = { history: { name: string; words: string }[] }
  const { history } = await home.daemon.ask<Shown>({ path: `/v1/agents/${agent!.session}` })
  return history.map(({ name, words }) => wordsOf(name, words))
}
