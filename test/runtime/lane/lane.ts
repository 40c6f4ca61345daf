import { join } from 'node:path'
import type { RuleSource } from '../../../src/rehearsal/scenario.ts'
import { bundled } from '../bundled.ts'
import { wrongWith } from './invariants.ts'
import { Lives } from './lives.ts'
import { Random } from './random.ts'
import { Story } from './story.ts'
import { type Fate, workScript } from './witness.ts'
import { makeWorld } from './world.ts'

export type Variant = 'kill' | 'power-cut'

/** The daemon of the lane: started a thousand times, so that a third of a second each time is worth a build. */
export function buildDaemon() {
  const program = bundled(join(import.meta.dirname, 'killable-daemon.ts'))
  process.env.NODE_COMPILE_CACHE = program.cache
  return program
}

/** One story from its seed to its end; gives what was wrong with it, in sentences. */
export async function playSeed(seed: number, variant: Variant, program: string, keep = false): Promise<string[]> {
  const random = new Random(seed)
  const runs = random.between(1, 3)
  const fates = Array.from({ length: runs }, () => Array.from({ length: 4 }, (): Fate => fateOf(random)))
  const world = await makeWorld(rulesFor(random), runs)
  try {
    world.writeWork(fates.map(list => workScript(world.side('deeds'), list)))
    const lives = new Lives(world, program)
    const options = {
      power: variant === 'power-cut',
      credentials: random.chance(0.4),
      runs,
      steps: random.between(6, 14),
    }
    const story = new Story(world, lives, random, options)
    try {
      await story.run()
      return await wrongWith(world, lives, story)
    } catch (error) {
      return [...lives.surprises, (error as Error).stack ?? String(error)]
    }
  } finally {
    if (keep) console.log(`kept: ${world.root}`)
    else await world[Symbol.asyncDispose]()
  }
}

function fateOf(random: Random): Fate {
  return random.weighted<Fate>({ well: 6, 'client-dies': 1, 'both-die': 1, litter: 1 })
}

/** Every turn does one piece of work; some hang in the middle until somebody lets them go on. */
function rulesFor(random: Random): RuleSource[] {
  const work = { name: 'Bash', input: { command: '. ./work {{run}} {{attempt}}' } }
  const hang = () => (random.chance(0.4) ? { fault: { kind: 'hang' as const, at: 'middle' as const } } : {})
  const attempts = [1, 2, 3, 4].flatMap((attempt): RuleSource[] => [
    { when: { attempt, turn: 0 }, reply: { text: 'I begin', tools: [work], ...hang() } },
    { when: { attempt, turn: 1 }, reply: { text: `Done with ${attempt}`, ...hang() } },
  ])
  return [
    ...attempts,
    { when: { turn: 0 }, reply: { text: 'I begin', tools: [work] } },
    { when: { turn: 1 }, reply: { text: 'Done' } },
  ]
}
