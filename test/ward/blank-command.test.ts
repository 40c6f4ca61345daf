import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseValue } from '../../src/config/keys.ts'
import { LoopRequest } from '../../src/contract/api.ts'
import { doesNothing } from '../../src/contract/check-command.ts'
import { QuestRequest } from '../../src/contract/quest.ts'
import { WardPlanRequest } from '../../src/contract/ward-plan.ts'
import { wardCommands } from '../../src/core/ward/detect-ward.ts'
import { tempHome } from '../support/temp-home.ts'

const NOTHING = ['', '   ', '\t\n', '#', ' # npm test', '# a\n# b\n', ':', ': # x', ';', ':;: # y']
const SOMETHING = ['true', 'npm test', ': > made', 'echo "#"', '# first\nnpm test', ':#x', './#', 'test -s a # b']

test('a check that is blank or only a comment is told from one that does something [ward-blank]', () => {
  expect(NOTHING.filter(command => !doesNothing(command))).toEqual([])
  expect(SOMETHING.filter(doesNothing)).toEqual([])
  expect(doesNothing(`${'# '.repeat(5_000)}\nx`)).toBe(false)
})

test('it is refused in requests and in configuration, and is no check of a project [ward-blank]', () => {
  const shapes = [LoopRequest.shape.ward, QuestRequest.shape.ward, WardPlanRequest.shape.ward]
  for (const shape of shapes) {
    for (const command of NOTHING) {
      expect(shape.safeParse(['npm test', command]).error?.issues[0]?.message).toContain('blank or only a comment')
    }
    expect(shape.safeParse(SOMETHING).success).toBe(true)
  }
  for (const command of ['#', ': # x', ' ']) {
    expect(() => parseValue('ward.commands', command)).toThrow('not blank, not only a comment')
    expect(() => parseValue('ward.commands', JSON.stringify(['npm test', command]))).toThrow('not only a comment')
  }
  const texts = { 'package.json': JSON.stringify({ scripts: { test: '# none yet', lint: 'eslint .' } }) }
  const found = wardCommands({ names: ['package.json'], texts, pythonTests: false }, null)
  expect(found.map(({ command }) => command)).toEqual(['npm run lint'])
})

test('spawn with such a check says so and makes nothing [ward-blank]', async () => {
  await using home = await tempHome()
  const spawn = (...more: string[]) => home.rehoboam(['spawn', '--loop', '--prompt', 'Work', '--yes', ...more])
  const flag = await spawn('--ward', ' # x')
  expect([flag.code, flag.err]).toEqual([2, expect.stringContaining('blank or only a comment')])
  writeFileSync(join(home.project, 'rehoboam.config.json'), JSON.stringify({ ward: { commands: ['# x'] } }))
  const file = await spawn()
  expect([file.code, file.err]).toEqual([2, expect.stringContaining('ward.commands must be a command')])
  expect([home.runs(), existsSync(join(home.project, '.rehoboam'))]).toEqual([[], false])
})
