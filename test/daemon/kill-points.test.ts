import { expect, test } from 'vitest'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { eventsOf, linesOf, loggedInClient, questions } from '../session/runs.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { tempHome } from '../support/temp-home.ts'
import { rigging } from './rigged.ts'

const daemons = rigging()

/** Where the first daemon dies. The command that started the run finds it gone, starts another, and waits on. */
const POINTS = [
  ['decided, nothing done', 'die-after', 'run-created'],
  ['about to start', 'die-starting', 'before'],
  ['started, its turn not even claimed', 'die-starting', 'at once'],
  ['started, not written down, no transcript yet', 'die-starting', 'claimed'],
  ['the start written down, no transcript yet', 'die-after', 'session-started'],
  ['the first words not written down', 'die-before', 'session-reported'],
  ['ended, not written down', 'die-before', 'session-ended'],
  ['the end written down', 'die-after', 'session-ended'],
] as const

const SPAWN_AND_WAIT = ['spawn', '--prompt', 'Do it', '--allowed-tools', 'Bash', '--wait']

// The journal does not say yet that a session was started, or that it has ended.
const HARDEST = [POINTS[3], POINTS[6]]

test.each(PLAYS_ALL ? POINTS : HARDEST)(
  'killed, %s: one session, not two, not none [daemon-one-session]',
  async (_, rig, argument) => {
    await using home = await tempHome({
      client: 'either',
      scenario: turns({}, bash('echo once >> done'), say('Done.')),
    })
    const first = await daemons.start(home, rig, argument)
    const ended = await home.rehoboam(SPAWN_AND_WAIT, loggedInClient(home))

    expect(await first.ended).toBe('SIGKILL')
    expect(ended).toMatchObject({ code: 0, err: '' })
    const [run = '', ...others] = home.runs()
    expect(others).toEqual([])
    expect(linesOf(home.project, 'done')).toEqual(['once'])
    expect(questions(home).map(({ turn }) => turn)).toEqual([0, 1])
    expect(eventsOf(home, run, 'session-started')).toHaveLength(1)
    expect(eventsOf(home, run, 'session-ended')).toHaveLength(1)
  },
)
