import type { Variant } from '../../runtime/lane/lane.ts'
import { Lives } from '../../runtime/lane/lives.ts'
import { Random } from '../../runtime/lane/random.ts'
import { Story } from '../../runtime/lane/story.ts'
import { makeWorld } from '../../runtime/lane/world.ts'
import { gitProject } from '../projects.ts'
import { cutRepositories } from './cut-repositories.ts'
import { wrongWithLoops } from './invariants.ts'
import { fatesOf, loopRules, loopWork, plotOf, wardOf } from './plot.ts'

// A dozen sessions one after the other, on a machine that does other things too.
const FINISH_WITHIN_MS = 300_000

// Counted once.
const CALLS_OF_TWO_ITERATIONS = 250

/** One story of loops from its seed to its end; gives what was wrong with it, in sentences. */
export async function playLoops(seed: number, variant: Variant, program: string, keep = false): Promise<string[]> {
  const random = new Random(seed)
  const runs = random.chance(0.3) ? 2 : 1
  const plot = plotOf(random)
  const each = Array.from({ length: runs }, () => ({
    ward: random.chance(0.4),
    pane: random.chance(0.35),
    fates: fatesOf(random),
  }))
  const inPanes = each.some(({ pane }) => pane)
  const world = await makeWorld(loopRules(random, plot), runs)
  let wrong: string[] = []
  try {
    world.writeWork(each.map(({ fates }) => loopWork(world.side('deeds'), fates)))
    for (let n = 0; n < runs; n++) gitProject(world.project(n))
    const lives = new Lives(world, program)
    const story = new Story(world, lives, random, {
      power: variant === 'power-cut',
      credentials: random.chance(0.4),
      runs,
      steps: random.between(5, 11),
      finishWithinMs: FINISH_WITHIN_MS,
      kills: 5,
      victims: { client: 0.6, tmux: inPanes ? 1 : 0, everything: 0.5 },
      // What is typed into a pane is its client's affair, and the puppet has no keyboard.
      hears: project => !each[project]!.pane,
      later: CALLS_OF_TWO_ITERATIONS,
      cutsToo: chance => cutRepositories(world, chance),
      spawning: project => ({
        flags: { allowedTools: 'Bash', driver: each[project]!.pane ? 'pane' : 'headless' },
        loop: {
          role: 'auto',
          autoSpawn: false,
          ward: each[project]!.ward ? [wardOf(plot)] : [],
          judgePrompt: null,
          acceptRedBase: false,
          agreed: null,
          worktree: false,
          agreedDirty: false,
        },
      }),
    })
    try {
      await story.run()
      const ends = each.map(({ ward }) => ({
        iterations: ward ? plot.length : (plot.early ?? plot.length),
        proven: ward,
      }))
      wrong = await wrongWithLoops(world, lives, story, ends)
    } catch (error) {
      wrong = [...lives.surprises, (error as Error).stack ?? String(error)]
    }
    return wrong
  } finally {
    if (keep && wrong.length) {
      await world.lightsOut()
      console.log(`kept: ${world.root}`)
    } else await world[Symbol.asyncDispose]()
  }
}
