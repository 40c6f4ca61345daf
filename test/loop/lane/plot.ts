import type { RuleSource } from '../../../src/rehearsal/scenario.ts'
import type { Random } from '../../runtime/lane/random.ts'
import { FATES, type Fate } from '../../runtime/lane/witness.ts'

/** How many iterations the work takes, and where an agent claims too early: the same for all loops of a story. */
export type Plot = { length: number; early: number | null }

const LONGEST = 3

export function plotOf(random: Random): Plot {
  const length = random.between(2, LONGEST)
  return { length, early: random.chance(0.5) ? random.between(1, length - 1) : null }
}

/** The check of a loop with a ward: the work of the last iteration is there. */
export function wardOf({ length }: Plot): string {
  return `grep -q '^${length}$' work-done`
}

export function fatesOf(random: Random): Fate[] {
  return Array.from({ length: LONGEST }, () =>
    random.weighted<Fate>({ well: 7, 'client-dies': 1, 'both-die': 1, litter: 1 }),
  )
}

/** `. ./work RUN ITERATION ATTEMPT`: a line outside, one in the project, one of progress; a first attempt meets its fate. */
export function loopWork(deeds: string, fates: Fate[]): string {
  const cases = fates.map((fate, n) => `${n + 1}-1) ${FATES[fate]} ;;`)
  return `echo "$1 $2 $3" >>"${deeds}"
echo "$2" >>work-done
echo "## $2" >>"$REHOBOAM_LOOP_DIR/progress.md"
case $2-$3 in
${cases.join('\n')}
*) : ;;
esac
`
}

/** Each iteration does its work and says how it went; some hang in the middle until somebody lets them go on. */
export function loopRules(random: Random, plot: Plot): RuleSource[] {
  const work = { name: 'Bash', input: { command: '. ./work {{run}} {{iteration}} {{attempt}}' } }
  const hang = () => (random.chance(0.25) ? { fault: { kind: 'hang' as const, at: 'middle' as const } } : {})
  const unfinished = Array.from({ length: plot.length - 1 }, (_, n) => n + 1).filter(n => n !== plot.early)
  const done = 'All of it is there.\n\nDONE'
  return [
    // Only the first attempt hangs: whoever was cut off there goes on without.
    ...Array.from({ length: LONGEST }, (_, n) => n + 1).flatMap((iteration): RuleSource[] => {
      const text = unfinished.includes(iteration) ? `Part ${iteration} is there, more to do.` : done
      return [
        { when: { iteration, attempt: 1, turn: 0 }, reply: { text: 'I begin', tools: [work], ...hang() } },
        { when: { iteration, attempt: 1, turn: 1 }, reply: { text, ...hang() } },
        { when: { iteration, turn: 1 }, reply: { text } },
      ]
    }),
    { when: { turn: 0 }, reply: { text: 'I begin', tools: [work] } },
    { when: { turn: 1 }, reply: { text: done } },
  ]
}
