import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { AuditEntry, Question } from '../../src/contract/question.ts'
import { bash, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { pressed, typed } from '../support/real-pane.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { agentThat, heardOf, type OpenPane, openQuestions, paneIn, type Whose } from './own-pane.ts'

const options = [
  { label: 'Apples', description: 'red' },
  { label: 'Pears', description: 'green' },
]
const choice = use(tool('AskUserQuestion', { questions: [{ question: 'Which one?', header: 'Fruit', options, multiSelect: false }] })) // biome-ignore format: one call
// It's quoted, so that the shell that the client starts has to be recognised by more than its plain text.
const LONG = `touch "ran it's"; until [ -e stop ]; do sleep 0.05; done`
export const ASKED: RuleSource[] = [
  ...turns({ prompt: 'begin' }, bash(LONG), say('It ran.')),
  ...turns({ prompt: 'refuse' }, bash('touch never'), say('Never heard.')),
  ...turns({ prompt: 'escape' }, bash('touch never'), say('Never heard.')),
  ...turns({ prompt: 'choose' }, choice, say('Good choice.')),
  ...turns({ prompt: 'shrug' }, choice, say('Never heard.')),
]

/** `asked`: the questions that were found. A slow client may have brought another one: is this directory trusted? */
type Scene = { home: TempHome; pane: OpenPane; asked: string[] }

/** Somebody allows it in the pane; the command runs until the file `stop` is there. */
export async function allowed(scene: Scene): Promise<void> {
  const { home, pane } = scene
  expect(await findQuestion(scene, 'permission')).toMatchObject({ text: `Bash: ${LONG}` })
  await pressed(pane, /Do you want to proceed\?/, () => 'Enter')
  await untilClosed(scene, 'the question to be closed while its command runs')
  await until(() => existsSync(join(home.project, "ran it's")), 'the command to run')
  await agentThat(home, ({ status, tool }) => status === 'working' && tool === `Bash: ${LONG}`, 'it to work')
  // No hook has closed it: none comes before the command has ended.
  expect(await heardOf(home)).not.toContain('PostToolUse')
  writeFileSync(join(home.project, 'stop'), '')
  await pane.waitForText('It ran.')
}

export async function refused(scene: Scene): Promise<void> {
  const { home, pane } = scene
  await typed(pane, 'refuse')
  await findQuestion(scene, 'permission')
  await pressed(pane, /(\d)\. No$/m, ([, number]) => number!)
  await untilClosed(scene, 'the refused question to be closed')
  await agentThat(home, ({ status }) => status === 'waiting', 'it to wait again')
}

async function escaped(scene: Scene, kind: Question['kind'], prompt: string): Promise<void> {
  const { home, pane } = scene
  await typed(pane, prompt)
  await findQuestion(scene, kind)
  await pressed(pane, /Esc to cancel/, () => 'Escape')
  await untilClosed(scene, 'the question to be closed by Esc')
  await agentThat(home, ({ status }) => status === 'waiting', 'it to wait again')
}

async function chosen(scene: Scene): Promise<void> {
  const { home, pane } = scene
  await typed(pane, 'choose')
  expect(await findQuestion(scene, 'question')).toMatchObject({ text: 'Which one?', options: ['Apples', 'Pears'] })
  // The pane's own prompt is usable while ours is open.
  await pressed(pane, /❯ 1\. Apples/, () => 'Enter')
  await untilClosed(scene, 'the answered question to be closed')
  await pane.waitForText('Good choice.')
  const { messages } = await home.model.waitFor(({ prompt, turn }) => prompt.includes('choose') && turn === 1)
  expect(JSON.stringify(messages.at(-1))).toContain('Apples')
}

function findQuestion({ home, asked }: Scene, kind: Question['kind']): Promise<Question> {
  return until(async () => {
    const found = (await openQuestions(home)).find(question => question.kind === kind && !asked.includes(question.id))
    if (found) asked.push(found.id)
    return found
  }, `a question of kind ${kind}`)
}

function untilClosed({ home, asked }: Scene, what: string): Promise<boolean> {
  return until(async () => (await openQuestions(home)).every(({ id }) => !asked.includes(id)), what)
}

/** How each of the questions that were found has ended. */
export async function closings({ home, asked }: Scene) {
  const audit = await home.daemon.ask<AuditEntry[]>({ path: '/v1/inbox/audit' })
  const ours = audit.filter(({ question }) => question !== null && asked.includes(question))
  return ours.map(({ what, by }) => `${what} ${by}`)
}

/** Two questions, answered in the pane: a permission whose command runs, and a choice. */
export async function answersTwo(whose: Whose): Promise<void> {
  await using home = await tempHome({ client: 'real', scenario: ASKED })
  await using pane = await paneIn(home, whose, 'begin')
  const scene: Scene = { home, pane, asked: [] }
  await allowed(scene)
  await chosen(scene)
  expect(await closings(scene)).toEqual(Array(2).fill('closed pane'))
}

/** Five questions, each answered in the pane in another way. */
export async function answersAll(whose: Whose): Promise<void> {
  await using home = await tempHome({ client: 'real', scenario: ASKED })
  await using pane = await paneIn(home, whose, 'begin')
  const scene: Scene = { home, pane, asked: [] }
  await allowed(scene)
  await chosen(scene)
  await refused(scene)
  await escaped(scene, 'permission', 'escape')
  await escaped(scene, 'question', 'shrug')
  expect(existsSync(join(home.project, 'never'))).toBe(false)
  expect(await closings(scene)).toEqual(Array(5).fill('closed pane'))
}
