import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realDisk } from '../../src/adapters/disk.ts'
import { repositoryThrough } from '../../src/adapters/git/git-repository.ts'
import { Git } from '../../src/adapters/git/run-git.ts'
import { textsIn } from '../../src/adapters/texts.ts'
import { mergeTask } from '../../src/daemon/merges/merge-task.ts'
import type { Run } from '../../src/daemon/runtime/live-run.ts'
import type { Environments } from '../../src/daemon/sessions/environments.ts'
import { GreenCache } from '../../src/daemon/ward/green-cache.ts'
import { type WorkplaceSetup, Workplaces } from '../../src/daemon/worktrees/workplaces.ts'
import { RUN, type scratch } from '../git/scratch.ts'

export type Place = ReturnType<typeof scratch>

/** Ends, as if its process had been killed, when it has run so many git programs, also inside of a script. */
export class MortalGit extends Git {
  left: number
  /** Killed with the script that it ran: a power cut, not the end of a daemon alone. */
  diedInside = false
  constructor(environment: Record<string, string>, lifetime = Number.POSITIVE_INFINITY) {
    super(environment)
    this.left = lifetime
  }

  override async attempt(...words: Parameters<Git['attempt']>): ReturnType<Git['attempt']> {
    this.#mustLive()
    const done = await super.attempt(...words)
    this.#mustLive()
    this.left -= 1
    return done
  }

  override async script(...[name, script, words, options]: Parameters<Git['script']>): ReturnType<Git['script']> {
    this.#mustLive()
    const directory = mkdtempSync(join(tmpdir(), 'rehoboam-lives-'))
    try {
      const lives = join(directory, 'lives')
      writeFileSync(lives, `${Math.min(this.left, 1_000_000)}\n`)
      const environment = { ...options.environment, LIVES: lives }
      const done = await super.script(name, COUNTED + script, words, { ...options, environment }).catch(() => null)
      this.left = Number(readFileSync(lives, 'utf8'))
      if (done === null) this.diedInside = true
      this.#mustLive()
      if (done === null) throw new Error(`the script of git ${name} was ended`)
      return done
    } finally {
      rmSync(directory, { recursive: true })
    }
  }

  #mustLive(): void {
    if (this.left <= 0) throw new Error('killed')
  }
}

const COUNTED = `
git() {
  read -r lives < "$LIVES"
  if [ "$lives" -le 0 ]; then kill -9 $$; exit 1; fi
  echo $((lives - 1)) > "$LIVES"
  command git "$@"
}
`

/** A daemon's part of the world around one repository: what merges use, with real git, wards and files. */
export async function world(place: Place, options: { ward?: string[]; git?: Git; setup?: WorkplaceSetup } = {}) {
  const home = join(place.root, 'state')
  const repository = repositoryThrough(options.git ?? new Git(place.environment))
  const directoryOf = (run: string) => join(home, 'runs', run)
  const texts = textsIn(join(directoryOf(RUN), 'texts'), realDisk)
  await realDisk.makeDirectory(directoryOf(RUN))
  const ward = options.ward ? await texts.put(JSON.stringify(options.ward)) : null
  const prompt = await texts.put('# Make it better\n\n- [ ] all of it')
  const workplaces = new Workplaces(home, realDisk, repository)
  const said: string[] = []
  const outside = {
    home,
    disk: realDisk,
    repository,
    environments: { of: () => ({ environment: place.environment }) } as unknown as Environments,
    greens: new GreenCache(join(home, 'greens')),
    directoryOf,
    textsOf: () => texts,
    now: () => Date.now(),
    workplaces,
    log: (line: string) => said.push(line),
  }
  const { signal } = new AbortController()
  const project = place.project
  return {
    outside,
    workplaces,
    repository,
    said,
    texts,
    /** A run of this kind, as far as merges look at it. */
    run: (base: string): Run => {
      const loop = { ward, wardTimeMs: 60_000 }
      const state = {
        kind: 'pool',
        id: RUN,
        status: 'complete',
        spec: { session: RUN, project },
        loop,
        environment: {},
        prompt,
        base: { commit: base, tree: '' },
        baseRed: [],
      }
      return { id: RUN, record: { state } } as unknown as Run
    },
    open: (task: string | null, base: string | null) =>
      workplaces.open({
        branch: { run: RUN, task },
        project,
        base,
        environment: place.environment,
        setup: options.setup ?? { command: null, copies: [] },
        runDirectory: directoryOf(RUN),
        signal,
      }),
    left: (task: string, iteration = 1) => {
      const branch = { run: RUN, task }
      const path = workplaces.pathOf(branch)
      return repository.commitLeft({ repository: project, path, branch, iteration, subject: `task ${task}` })
    },
    merge(run: Run, task: string, commit: string, base: string, accepted: string[] = []) {
      const merge = { task, commit, project, base, hasWard: ward !== null, accepted }
      return mergeTask(outside, run, `${RUN}:1:0`, merge, signal)
    },
  }
}
