import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ToolAnswer } from '../../src/contract/quest-tools.ts'
import { say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import { PUPPET, REAL_CLIENT } from '../support/programs.ts'
import { type Bench, openBench } from '../support/real-client.ts'
import { type DeskDoor, deskDoor, type Heard } from './desk-double.ts'
import { questTurn } from './session-start.ts'

const TOOL = 'mcp__rehoboam__signal-back'

test('the real client lists the tools, reads a refusal, calls again and is heard; so does the puppet [mcp-real-client] [puppet-mcp]', async () => {
  const [original, double] = [await story(REAL_CLIENT), await story(PUPPET)]
  expect(original.heard).toEqual(['deploy', 'build'])
  expect(original.results).toEqual([
    { content: 'you work on build', isError: true },
    {
      content: '<tool_use_error>Error: No such tool available: mcp__rehoboam__set-steps</tool_use_error>',
      isError: true,
    },
    { content: [{ type: 'text', text: 'noted' }], isError: false },
  ])
  expect(double).toEqual(original)
})

/** Three calls: for another step, a tool that the role has not, and the right one. What was said and heard. */
async function story(client: string) {
  await using door = await deskDoor(mindsTheStep)
  await using theirs = await deskDoor()
  const rules = turns({}, signal('deploy'), use(tool('mcp__rehoboam__set-steps')), signal('build'), say('Done.'))
  await using bench = await openBench(rules)
  haveServers(bench, theirs)
  const { session, token } = door.session(['signal-back', 'get-step'])
  const spec = { tools: ['Bash', 'Read'] }
  const { place, lines } = await questTurn({ bench, client, session, token, port: door.port, prompt: 'Build.', spec })

  const file = join(place.directory, 'mcp.json')
  expect([statSync(file).mode & 0o777, readFileSync(file, 'utf8').includes(token)]).toEqual([0o600, false])
  const init = lines.find(line => (line as { subtype?: string }).subtype === 'init') as {
    tools: string[]
    mcp_servers: { name: string; status: string; source: string }[]
  }
  // The user's own server stays, and one that the project calls by our name does not take our place.
  if (client === REAL_CLIENT) expect(init.mcp_servers.map(({ name }) => name).sort()).toEqual(['rehoboam', 'theirs'])
  expect(theirs.heard).toEqual([])
  return {
    heard: door.heard.map(({ input }) => (input as { stepId: string }).stepId),
    servers: init.mcp_servers.filter(({ name }) => name !== 'theirs'),
    tools: init.tools.filter(name => !name.startsWith('mcp__theirs')),
    offered: bench.model.asked[0]!.tools.filter(name => name.startsWith('mcp__rehoboam')),
    results: results(bench),
  }
}

function mindsTheStep({ input }: Heard): ToolAnswer {
  return (input as { stepId: string }).stepId === 'build'
    ? { accepted: true, text: 'noted' }
    : { accepted: false, text: 'you work on build' }
}

function signal(stepId: string) {
  return use(tool(TOOL, { signal: 'complete', stepId, summary: 'Built.' }))
}

function haveServers({ home: { home, cwd } }: Bench, theirs: DeskDoor): void {
  const server = { type: 'http', url: theirs.url, headers: { Authorization: `Bearer ${theirs.session([]).token}` } }
  const path = join(home, '.claude.json')
  const known = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...known, mcpServers: { theirs: server } }))
  writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { rehoboam: server } }))
}

/** What the model was told of its calls. */
function results({ model }: Bench) {
  type Block = { type: string; content: unknown; is_error?: boolean }
  return model.asked
    .at(-1)!
    .messages.flatMap(({ content }) => (Array.isArray(content) ? (content as Block[]) : []))
    .filter(({ type }) => type === 'tool_result')
    .map(({ content, is_error }) => ({ content, isError: is_error === true }))
}
