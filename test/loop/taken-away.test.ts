import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, turns } from '../../src/rehearsal/replies.ts'
import { asking, inboxOf } from '../inbox/scene.ts'
import { linesOf, show, untilStatus } from '../session/runs.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { gitProject, iterationsOf, spawnLoop, untilLogged } from './projects.ts'

const MORE = 'There is more to do.'
const moved = (n: number) => `echo ${n} > work.txt; echo "## ${n}" >> .rehoboam/progress.md`
// Once more when a file of ours was just being written there: the directory is not empty then.
const REMOVED = 'until rm -rf .rehoboam; do :; done'

const ASKS = 'I cannot go on. Please tell me which one to use; I am waiting for your answer.'

function place(home: TempHome, name: string): string {
  const path = join(home.root, name)
  mkdirSync(path)
  gitProject(path)
  return path
}

/**
 * Waits until a loop is blocked and all that is written of it is written: nobody can see what is changed between our look at a
 * file and our write. A state.json that says "blocked" was written after the last event, so nothing is written after it.
 */
async function untilRests(home: TempHome, run: string, directory: string): Promise<void> {
  await untilStatus(home, run, 'blocked')
  await until(() => JSON.parse(inLoop(directory, 'state.json')).status === 'blocked', 'its state to be written')
  const last = () => linesOf(directory, '.rehoboam', 'session_history.log').at(-1)
  await until(() => last()?.includes('] blocked ('), 'the last line of its log')
}

const inLoop = (directory: string, ...name: string[]) => readFileSync(join(directory, '.rehoboam', ...name), 'utf8')

/** The iterations that activity.log tells of. */
const activeIn = (directory: string) =>
  inLoop(directory, 'activity.log')
    .match(/(?<= iteration )\d+(?=:)/g)
    ?.map(Number)

test('an anchor that is changed, replaced by a link or by a directory is restored, kept aside and a lesson, a forged state.json is restored, and the third change of the anchor stalls the loop [loop-anchor] [loop-directory-restored]', async () => {
  await using home = await tempHome({
    scenario: iterationsOf(
      'Three lines',
      { runs: `${moved(1)}; chmod u+w .rehoboam/anchor.md; echo easier > .rehoboam/anchor.md`, says: MORE },
      { runs: `${moved(2)}; rm -f .rehoboam/anchor.md; ln -s ../README.md .rehoboam/anchor.md`, says: ASKS },
      {
        runs: `${moved(3)}; rm -f .rehoboam/anchor.md; mkdir .rehoboam/anchor.md; echo x > .rehoboam/anchor.md/y`,
        says: MORE,
      },
    ),
  })
  const directory = place(home, 'anchored')
  const run = await spawnLoop(home, directory, 'Three lines')
  await untilRests(home, run, directory)
  writeFileSync(join(directory, '.rehoboam/state.json'), '{"status":"complete"}\n')
  await home.rehoboam(['resume', run])
  const ended = await untilStatus(home, run, 'stalled')
  expect(ended).toMatchObject({ cause: 'anchor-changed', iteration: 3 })
  expect(ended.notes.filter(note => note.includes('anchor.md was changed and is restored'))).toHaveLength(1)
  expect(inLoop(directory, 'anchor.md')).toBe('Three lines')
  const archive = join(directory, '.rehoboam/archive')
  expect(ended.notes.filter(note => note.includes('state.json was changed and is restored'))).toHaveLength(1)
  expect(readdirSync(archive).filter(name => name.includes('state.json'))).toEqual([])
  const state = await until(() => {
    const written = JSON.parse(inLoop(directory, 'state.json'))
    return written.status === 'stalled' ? written : null
  }, 'the state')
  expect(state).toMatchObject({ run, iteration: 3, cause: 'anchor-changed' })
  expect(inLoop(directory, 'guardrails.md')).toContain('Never delete, move or replace the files in this directory')
  expect(readFileSync(join(archive, `${run}-1-anchor.md`), 'utf8')).toBe('easier\n')
  expect(lstatSync(join(archive, `${run}-2-anchor.md`)).isSymbolicLink()).toBe(true)
  expect(readdirSync(join(archive, `${run}-3-anchor.md`))).toEqual(['y'])
  expect(readFileSync(join(directory, 'README.md'), 'utf8')).toBe('hello\n')
  expect(inLoop(directory, 'guardrails.md').match(/Never change anchor\.md/g)).toHaveLength(1)
  const second = home.model.asked.find(({ line }) => line.iteration === '2')
  expect(second?.prompt).toContain('Never change anchor.md')
})

test('a loop directory that is deleted, or replaced by a link to elsewhere, is restored with what it held, and nothing is written through the link [loop-directory-restored]', async () => {
  await using home = await tempHome({
    scenario: iterationsOf(
      'Keep going',
      { runs: moved(1), says: MORE },
      { runs: `echo 2 > work.txt; ${REMOVED}`, says: ASKS },
      { runs: 'echo 3 > work.txt', says: 'All is there.\n\nDONE' },
    ),
  })
  const directory = place(home, 'robbed')
  const run = await spawnLoop(home, directory, 'Keep going')
  await untilRests(home, run, directory)
  rmSync(join(directory, '.rehoboam'), { recursive: true })
  mkdirSync(join(home.root, 'elsewhere'))
  symlinkSync('../elsewhere', join(directory, '.rehoboam'))
  await home.rehoboam(['resume', run])
  const ended = await untilStatus(home, run, 'complete')
  expect(ended).toMatchObject({ cause: 'stop-word', iteration: 3 })
  await untilLogged(directory, 'complete (stop-word), ended')
  expect(inLoop(directory, 'anchor.md')).toBe('Keep going')
  expect(inLoop(directory, 'progress.md')).toBe('## 1\n')
  expect(inLoop(directory, 'guardrails.md')).toContain('Never delete, move or replace the files in this directory')
  expect(activeIn(directory)).toEqual([1, 2, 3])
  expect(JSON.parse(inLoop(directory, 'state.json'))).toMatchObject({ run, status: 'complete' })
  expect(readdirSync(join(home.root, 'elsewhere'))).toEqual([])
  const [, keptAt = ''] = /something else stood at \S+; it is now (\S+)/.exec(ended.notes.join('\n')) ?? []
  expect(lstatSync(keptAt).isSymbolicLink()).toBe(true)
  expect(ended.notes.join('\n')).toContain('was gone and is restored')
  const third = home.model.asked.find(({ line }) => line.iteration === '3')
  expect(third?.prompt).toContain('## 1')
})

test('a project that moved away pauses its run, and nothing is made where it was; the inbox says so; when it is back, resume goes on [loop-project-missing] [inbox-paused]', async () => {
  await using home = await tempHome({
    scenario: [
      ...turns({ iteration: 1 }, say(MORE, { fault: { kind: 'hang', name: 'one' } })),
      ...turns({ iteration: 2 }, say('It is there.\n\nDONE')),
    ],
  })
  const directory = place(home, 'mounted')
  const run = await spawnLoop(home, directory, 'Go on')
  await home.model.waitFor(({ line }) => line.iteration === '1')
  const away = join(home.root, 'away')
  renameSync(directory, away)
  home.model.release('one')
  const paused = await untilStatus(home, run, 'paused')
  expect(paused).toMatchObject({ cause: 'project-missing', iteration: 1 })
  expect(existsSync(directory)).toBe(false)
  const question = await asking(home)
  expect(question).toMatchObject({ kind: 'environment', run, text: expect.stringContaining(`missing: ${directory};`) })
  // It is still away: allowed, it looks, and asks again.
  expect((await home.rehoboam(['allow', question.id])).code).toBe(0)
  const again = await until(
    async () => (await inboxOf(home)).find(({ id }) => id !== question.id),
    'it to be asked again',
  )
  expect(again.text).toBe(question.text)
  expect(existsSync(directory)).toBe(false)
  renameSync(away, directory)
  expect(await home.rehoboam(['resume', run, '--wait'])).toMatchObject({ code: 0 })
  expect(await show(home, run)).toMatchObject({ status: 'complete', cause: 'stop-word', iteration: 2 })
  expect(await inboxOf(home)).toEqual([])
  await untilLogged(directory, 'complete (stop-word), ended')
  expect(activeIn(directory)).toEqual([1, 2])
})

test('a second loop in the same directory is refused by name; after the first has ended it archives its files and says so, and the first can take them back [loop-directory-taken]', async () => {
  const holds = 'hold'
  await using home = await tempHome({
    scenario: [
      ...turns({ prompt: 'First', iteration: 1 }, say('', { fault: { kind: 'hang', name: holds } })),
      ...turns({ prompt: 'First', iteration: 2 }, say('I remember.\n\nDONE')),
      ...iterationsOf('Second', { runs: 'echo second > .rehoboam/progress.md', says: 'Done with it.\n\nDONE' }),
      { when: { prompt: 'stopped and is now resumed' }, reply: say(ASKS) },
    ],
  })
  const directory = place(home, 'shared')
  const first = await spawnLoop(home, directory, 'First')
  await home.model.waitFor(() => true)
  const refused = async () => {
    const { code, err } = await home.rehoboam([
      'spawn',
      '--loop',
      '--prompt',
      'Second',
      '--dir',
      directory,
      '--no-ward',
    ])
    expect([code, err]).toEqual([1, expect.stringContaining(`run ${first} works in ${directory}/.rehoboam already`)])
  }
  await refused()
  await home.rehoboam(['pause', first])
  await untilStatus(home, first, 'paused')
  await refused()
  await home.rehoboam(['resume', first])
  await untilStatus(home, first, 'blocked')
  await refused()
  writeFileSync(join(directory, '.rehoboam/guardrails.md'), '- a lesson of the first\n')
  await home.rehoboam(['cancel', first])
  await untilStatus(home, first, 'cancelled')
  await untilLogged(directory, 'cancelled (cancelled), ended')

  const second = await untilStatus(home, await spawnLoop(home, directory, 'Second'), 'complete')
  await untilLogged(directory, 'complete (stop-word), ended')
  const [under = ''] = readdirSync(join(directory, '.rehoboam/archive'))
  expect(second.notes).toContain(`the loop files of run ${first} are now in ${directory}/.rehoboam/archive/${under}`)
  expect(inLoop(directory, 'archive', under, 'anchor.md')).toBe('First')
  expect(inLoop(directory, 'archive', under, 'guardrails.md')).toBe('- a lesson of the first\n')
  expect(inLoop(directory, 'anchor.md')).toBe('Second')

  const complete = await home.rehoboam(['resume', second.id])
  expect([complete.code, complete.err]).toEqual([1, expect.stringContaining(`run ${second.id} is complete`)])
  await home.rehoboam(['resume', first])
  const again = await untilStatus(home, first, 'complete')
  expect(again).toMatchObject({ cause: 'stop-word', iteration: 2 })
  expect(again.notes.join('\n')).toContain(`the loop files of run ${second.id} are now in`)
  expect(inLoop(directory, 'anchor.md')).toBe('First')
  const state = () => inLoop(directory, 'state.json')
  await until(() => state().includes(first) && state().includes('"status": "complete"'), 'its state to be written')
})
