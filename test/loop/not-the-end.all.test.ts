import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { untilStatus, writeScript } from '../session/runs.ts'
import { startProcess } from '../support/real-process.ts'
import { REAL_CLIENT, tempHome } from '../support/temp-home.ts'
import { gitProject, spawnLoop } from './projects.ts'

const ANCHOR = 'Write the lines. Say\n\nDONE\n\nwhen all of them are there.'
const CLAIM = 'All of them are there.\n\nDONE'
const line = (n: number, more = 'true') => bash(`echo ${n} >> lines.txt; ${more}`)

/** Iterations that end with the stop word somewhere, and must not end the loop; the last one may. */
const STORIES: { name: string; rules: (n: number) => RuleSource[] }[] = [
  { name: 'a heading', rules: n => turns({ iteration: n }, line(n), say('# DONE\n\nA line is written. More later.')) },
  {
    name: 'a quoted instruction',
    rules: n => turns({ iteration: n }, line(n), say('I shall end with:\n\n> DONE\n\nThere is more to write first.')),
  },
  {
    name: 'a code block',
    rules: n => turns({ iteration: n }, line(n), say('To end it:\n\n```\nDONE\n```\n\nNot now.')),
  },
  {
    name: 'another word',
    rules: n => turns({ iteration: n }, line(n), say('UNDONE is line 5.\n\nINCOMPLETE\n\nIt is not done yet.')),
  },
  {
    name: 'a subagent’s end',
    rules: n => [
      ...turns({ prompt: 'You are the helper' }, say(CLAIM)),
      ...turns(
        { iteration: n },
        line(n),
        use(tool('Agent', { description: 'help', prompt: 'You are the helper', subagent_type: 'general-purpose' })),
        say('The helper works.'),
        say('The helper is through. I write more.'),
      ),
    ],
  },
  {
    name: 'a nested client’s end',
    rules: n => [
      ...turns({ prompt: 'You are nested' }, say(CLAIM)),
      ...turns(
        { iteration: n },
        line(n, `env > nested.env; echo You are nested | ${REAL_CLIENT} -p`),
        say('The nested one is through. I write more.'),
      ),
    ],
  },
  {
    name: 'a turn that the user’s own Stop hook sends on',
    rules: n => [
      ...turns({ prompt: 'Look again' }, say('I have looked again. A line is missing.')),
      ...turns({ iteration: n }, line(n, 'touch send-on'), say(CLAIM)),
    ],
  },
  {
    name: 'a turn whose background task ends later and makes another turn',
    rules: n => [
      ...turns({ prompt: 'task-notification' }, say('The job has ended. A line is missing.')),
      ...turns(
        { iteration: n },
        line(n),
        use(
          tool('Bash', {
            command: 'until [ -e go ]; do sleep 0.05; done',
            run_in_background: true,
            description: 'a job',
          }),
        ),
        say(CLAIM),
        say('The job has ended. A line is missing.'),
      ),
    ],
  },
  {
    name: 'another session’s end in the same directory',
    rules: n => [
      ...turns({ prompt: 'You are somebody else' }, say(CLAIM)),
      ...turns({ iteration: n }, line(n), say('More later.', { fault: { kind: 'hang', name: 'other' } })),
    ],
  },
  {
    name: 'a refused claim in progress.md',
    rules: n => turns({ iteration: n }, line(n, "printf 'DONE\\n' >> .rehoboam/progress.md"), say('More later.')),
  },
  { name: 'old progress', rules: n => turns({ iteration: n }, line(n), say('More later.')) },
  { name: 'the end', rules: n => turns({ iteration: n }, line(n), say(CLAIM)) },
]

// A dozen iterations on a machine that is busy with other things.
const SLOW_MS = 400_000

// The user's own: sends the session on when somebody has asked for that, once.
const SEND_ON = 'if [ -e send-on ]; then rm send-on; echo \'{"decision":"block","reason":"Look again."}\'; fi'

test.each(['headless', 'pane'] as const)(
  'the stop word elsewhere than at the end of the loop’s own last words ends nothing, nor does anybody else’s end: %s [loop-not-the-end]',
  async driver => {
    // Words are words in either driver; one story of theirs is enough in the slower one.
    const stories = driver === 'pane' ? STORIES.slice(2) : STORIES
    await using home = await tempHome({
      client: 'real',
      scenario: stories.flatMap(({ rules }, n) => rules(n + 1)),
    })
    const { project } = home
    gitProject(project)
    expect(await home.rehoboam(['init'])).toMatchObject({ code: 0 })
    const hook = writeScript(join(home.root, 'send-on.sh'), SEND_ON)
    const settings = { hooks: { Stop: [{ hooks: [{ type: 'command', command: hook }] }] } }
    writeFileSync(join(project, '.claude/settings.json'), JSON.stringify(settings))
    const last = stories.length
    const run = await spawnLoop(home, project, ANCHOR, [
      '--driver',
      driver,
      '--ward',
      `test "$(wc -l < lines.txt)" -ge ${last}`,
    ])

    const other = stories.findIndex(({ name }) => name.startsWith('another session')) + 1
    const job = stories.findIndex(({ name }) => name.includes('background task')) + 1
    await home.model.waitFor(({ line, turn }) => line.iteration === String(job) && turn === 2, SLOW_MS)
    writeFileSync(join(project, 'go'), '')
    await home.model.waitFor(({ line, turn }) => line.iteration === String(other) && turn === 1, SLOW_MS)
    const somebody = startProcess({
      program: [REAL_CLIENT],
      args: ['-p'],
      prompt: 'You are somebody else',
      cwd: project,
      env: home.env,
    })
    expect((await somebody.ended).code).toBe(0)
    home.model.release('other')
    const ended = await untilStatus(home, run, 'complete', 'stalled', 'failed', 'blocked', 'paused')
    expect(ended.loop?.iterations.map(({ claim }) => claim)).toEqual(
      stories.map(({ name }) => (name === 'the end' || name === 'a refused claim in progress.md' ? 'stop-word' : null)),
    )
    expect(ended).toMatchObject({ status: 'complete', cause: 'stop-word', proven: true, iteration: last })
  },
  3 * SLOW_MS,
)
