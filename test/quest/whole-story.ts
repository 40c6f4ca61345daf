import { bash } from '../../src/rehearsal/replies.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { complete, plans, plays, requires, signals, simply } from './story.ts'

export const QUESTION = 'Shall the parts be written in lower case?'
const STEPS = [
  { id: 'a' },
  { id: 'b', dependsOn: ['a'] },
  { id: 'c', dependsOn: ['a'] },
  { id: 'd', dependsOn: ['a'] },
  { id: 'e', dependsOn: ['b', 'c'] },
  { id: 'f', dependsOn: ['d', 'e'] },
]

const followUp = (step: string, targetRole: string, resume: boolean, reason: string) =>
  signals({ signal: 'needs-role-followup', targetRole, resume, reason, context: '' }, step)
const part = (step: string, n: number) =>
  signals(
    { signal: 'partially-complete', progress: `part ${n} is done`, continuationPoint: `go on with ${n + 1}` },
    step,
  )

/** The three steps after `a`, whose first sessions are held until all three are at work. */
export const BUILDERS = ['b', 'c', 'd']
export const HELD = 'builders'
const held = (reply: RuleSource['reply']) => ({ ...reply, fault: { kind: 'hang' as const, name: HELD } })

/** One quest through everything that the flow knows. */
export const WHOLE: RuleSource[] = [
  ...plays(
    ...(['chaoswhisperer', 'requirements', 1] as const),
    signals({ signal: 'needs-user-input', question: QUESTION, context: 'It was not said.' }, 'requirements'),
  ),
  ...plays('chaoswhisperer', 'requirements', null, requires('whole'), complete('requirements')),
  ...plays('pathseeker', 'plan', 1, plans(STEPS), complete('plan')),
  // The ward is red, and the Spiritmender mends it.
  ...plays('codeweaver', 'b', 1, held(bash('echo b > b.txt; touch broken')), complete('b')),
  ...plays('spiritmender', 'b', 1, bash('rm broken'), complete('b', 'took the broken thing away')),
  // A gap, and the Codeweaver closes it; the Siegemaster sees that for itself.
  ...plays('codeweaver', 'c', 1, held(bash('echo c > c.txt')), complete('c')),
  ...plays('siegemaster', 'c', 1, followUp('c', 'codeweaver', true, 'c says nothing about an empty list')),
  ...plays('codeweaver', 'c', 2, bash('echo empty >> c.txt'), complete('c', 'an empty list is handled now')),
  // Partially complete, twice.
  ...plays('codeweaver', 'd', 1, held(bash('echo d1 > d.txt')), part('d', 1)),
  ...plays('codeweaver', 'd', 2, bash('echo d2 >> d.txt'), part('d', 2)),
  ...plays('codeweaver', 'd', 3, bash('echo d3 >> d.txt'), complete('d')),
  // Somebody else does the rest, and nobody waits for it.
  ...plays('codeweaver', 'e', 1, bash('echo e > e.txt'), followUp('e', 'spiritmender', false, 'the rest is mending')),
  ...plays('spiritmender', 'e', 1, bash('echo mended >> e.txt'), complete('e')),
  // Too large: the PathSeeker splits it.
  ...plays('codeweaver', 'f', 1, followUp('f', 'pathseeker', false, 'f is two steps')),
  ...plays(
    'pathseeker',
    'f',
    1,
    plans([
      { id: 'f', dependsOn: ['d', 'e'] },
      { id: 'f2', dependsOn: ['f'] },
    ]),
    complete('f'),
  ),
  // One finding.
  ...plays('lawbringer', 'review', 1, followUp('review', 'spiritmender', true, 'the README does not name the parts')),
  ...plays('spiritmender', 'review', 1, bash('echo "a to f" > README.md'), complete('review', 'it names them')),
  ...simply(['a', 'b', 'c', 'd', 'e', 'f', 'f2']),
]
