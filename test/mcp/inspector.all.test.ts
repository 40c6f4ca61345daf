import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { deskDoor } from './desk-double.ts'

const INSPECTOR = join(import.meta.dirname, '../../node_modules/.bin/mcp-inspector')

test('the protocol’s own inspector lists the tools, finds nothing wrong with their shapes, and calls one [mcp-inspector]', async () => {
  await using door = await deskDoor()
  const { token } = door.session(['signal-back', 'get-step', 'set-requirements', 'set-steps'])
  const inspect = async (...words: string[]) => {
    const usual = ['--cli', door.url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`]
    const env = { PATH: process.env.PATH, HOME: door.folder }
    const { stdout } = await promisify(execFile)(INSPECTOR, [...usual, ...words], { env, timeout: 100_000 })
    return JSON.parse(stdout)
  }
  const { tools } = await inspect('--method', 'tools/list', '--strict')
  expect(tools.map(({ name }: { name: string }) => name)).toEqual([
    'signal-back',
    'get-step',
    'set-requirements',
    'set-steps',
  ])
  const call = ['--method', 'tools/call', '--tool-name', 'signal-back', '--tool-arg']
  const answer = await inspect(...call, 'signal=complete', 'stepId=build', 'summary=Built.')
  expect(answer.content).toEqual([{ type: 'text', text: 'signal-back: noted.' }])
  expect(door.heard.map(({ input }) => input)).toEqual([{ signal: 'complete', stepId: 'build', summary: 'Built.' }])
})
