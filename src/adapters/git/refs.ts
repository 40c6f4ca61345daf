import { RehoboamError } from '../../contract/errors.ts'
import { RunId } from '../../contract/ids.ts'
import type { CheckpointRef } from '../../ports.ts'
import type { Git } from './run-git.ts'

const REFS = 'refs/rehoboam'

export function refOf(run: string, iteration: number): string {
  if (!Number.isSafeInteger(iteration) || iteration < 0) {
    throw new RehoboamError('git-bad-ref', `${iteration} is not the number of an iteration`)
  }
  return `${refsUnder(run)}/${iteration}`
}

/** The checkpoints of a run, oldest first. */
export async function refsOf(
  git: Git,
  { directory, run }: { directory: string; run: string },
): Promise<CheckpointRef[]> {
  const words = ['for-each-ref', '--format=%(objectname) %(refname)', refsUnder(run)]
  const lines = (await git.run(words, { directory })).toString('utf8').split('\n')
  return lines
    .flatMap(line => {
      const [, commit, ref, iteration] = /^([0-9a-f]+) (refs\/.*\/(\d+))$/.exec(line) ?? []
      return commit && ref ? [{ iteration: Number(iteration), ref, commit }] : []
    })
    .sort((a, b) => a.iteration - b.iteration)
}

/** About how many bytes on the disk only these checkpoints hold: what dropping them would free in the end. */
export async function diskUseOf(git: Git, { directory, run }: { directory: string; run: string }): Promise<number> {
  const ours = patternsOf(run).map(pattern => `--glob=${pattern}`)
  const theirs = ['--not', '--branches', '--tags', '--remotes']
  const words = ['rev-list', '--objects', '--disk-usage', ...ours, ...theirs]
  return Number(await git.line(words, { directory, timeLimitMs: 120_000 })) || 0
}

/** Forgets a run's checkpoints and its children's; git's own housekeeping frees their space later. Says how many there were. */
export async function dropRefs(git: Git, { directory, run }: { directory: string; run: string }): Promise<number> {
  const refs = await allRefsOf(git, { directory, run })
  // With the commit that we saw: one that somebody moved meanwhile is not dropped.
  const input = refs.map(({ ref, commit }) => `delete ${ref}\0${commit}\0`).join('')
  if (refs.length > 0) await git.run(['update-ref', '-z', '--stdin'], { directory, input })
  return refs.length
}

/** All that is kept of a run and of its children, whatever it is called. */
export async function allRefsOf(
  git: Git,
  { directory, run }: { directory: string; run: string },
): Promise<{ ref: string; commit: string }[]> {
  const words = ['for-each-ref', '--format=%(objectname) %(refname)', ...patternsOf(run)]
  const lines = (await git.run(words, { directory })).toString('utf8').split('\n').filter(Boolean)
  return lines.map(line => ({ commit: line.slice(0, line.indexOf(' ')), ref: line.slice(line.indexOf(' ') + 1) }))
}

function patternsOf(run: string): string[] {
  const own = `${refsUnder(run)}/*`
  return run.includes('.') ? [own] : [own, `${refsUnder(run)}.*/*`]
}

export function refsUnder(run: string): string {
  // Git takes no ref that ends with ".lock".
  if (RunId.safeParse(run).success && !run.endsWith('.lock')) return `${REFS}/${run}`
  throw new RehoboamError('git-bad-ref', `${JSON.stringify(run.slice(0, 80))} is not the id of a run`)
}
