import { describe, expect, test } from 'vitest'
import type { AgentStatus } from '../../src/contract/agent.ts'
import { SCENES } from './lost-hooks.ts'
import { Story } from './story.ts'

const BASH = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: 'a' }
const WRITE = { tool_name: 'Write', tool_input: { file_path: 'made.txt' }, tool_use_id: 'b' }

// At once is not asked for: the client's note of its rest is believed when it has stood for a while.
const LATER_MS = [2_000, 60_000, 3_600_000]

/** One turn of a session in its client's own order: hooks, some of which are lost, its transcript and its note. */
function turn(drops: string[]) {
  const story = new Story()
  const hook = (name: string, fields: Record<string, unknown> = {}) => {
    if (!drops.includes(name)) story.hook(name, fields)
  }
  const calls = ({ tool_use_id, tool_name, tool_input }: typeof BASH | typeof WRITE) => {
    const content = [{ type: 'tool_use', id: tool_use_id, name: tool_name, input: tool_input }]
    story.transcript({ type: 'assistant', message: { id: tool_use_id, role: 'assistant', content } })
    hook('PreToolUse', { tool_name, tool_input, tool_use_id })
  }
  const ends = (call: typeof BASH | typeof WRITE) => {
    const content = [{ type: 'tool_result', tool_use_id: call.tool_use_id, content: '' }]
    story.transcript({ type: 'user', message: { role: 'user', content } })
    hook('PostToolUse', { ...call, duration_ms: 5 })
  }
  return {
    story,
    beginsATool() {
      hook('SessionStart', { source: 'startup' })
      hook('UserPromptSubmit', { prompt: 'go' })
      story.transcript({ type: 'user', message: { role: 'user', content: 'go' } })
      story.client('busy')
      calls(BASH)
    },
    asks() {
      ends(BASH)
      calls(WRITE)
      hook('PermissionRequest', WRITE)
      story.client('waiting', 'permission prompt')
      hook('Notification', { notification_type: 'permission_prompt', message: 'needs your permission' })
    },
    isOver() {
      story.client('busy')
      ends(WRITE)
      const message = {
        id: 'c',
        role: 'assistant',
        stop_reason: 'end_turn',
        content: [{ type: 'text', text: 'Over.' }],
      }
      story.transcript({ type: 'assistant', message })
      hook('Stop', { background_tasks: [] })
      story.client('idle')
    },
  }
}

// The turn below has no other hooks. `npm run test:all` plays the rest in dropped.all.test.ts.
const SENT = [
  ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse'],
  ...['PermissionRequest', 'Notification', 'Stop'],
]
const LOST = SCENES.filter(({ drops }) => drops.some(name => SENT.includes(name)))

describe('whichever hook is lost, the status is right or shown as unsure, and never at rest while a tool runs', () => {
  test.each(LOST)('$name [agent-drop]', ({ drops }) => {
    const { story, ...scene } = turn(drops)
    const expectRight = (wanted: AgentStatus) => {
      for (const ms of LATER_MS) {
        const { status, unsure } = story.after(ms)
        if (unsure === null) expect([ms, status]).toEqual([ms, wanted])
      }
    }
    scene.beginsATool()
    for (const ms of [0, ...LATER_MS]) expect(['waiting', 'done']).not.toContain(story.after(ms).status)
    expectRight('working')
    scene.asks()
    expectRight('attention')
    scene.isOver()
    expectRight('waiting')
  })

  test('when none is lost the status is right and sure [agent-drop]', () => {
    const { story, ...scene } = turn([])
    scene.beginsATool()
    expect(story.after(2_000)).toMatchObject({ status: 'working', unsure: null })
    scene.asks()
    expect(story.after(2_000)).toMatchObject({ status: 'attention', unsure: null })
    scene.isOver()
    expect(story.after(2_000)).toMatchObject({ status: 'waiting', unsure: null })
  })
})
