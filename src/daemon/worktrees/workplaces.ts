import { mkdir, realpath, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { isDirectory } from '../../adapters/is-directory.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { Disk, OwnBranch, Released, Repository } from '../../ports.ts'
import { PortBlocks } from './port-blocks.ts'
import { prepareWorktree } from './prepare-worktree.ts'

/** What a fresh worktree gets beside its dependencies: a command for a shell, and files that are not under version control. */
export type WorkplaceSetup = { command: string | null; copies: readonly string[] }

type WorkplaceRequest = {
  branch: OwnBranch
  /** The directory of the user's checkout that the command was typed in, or named. */
  project: string
  /** Where its branch begins when it is new. null: HEAD, and before the first commit the files. */
  base: string | null
  /** Nobody has worked there yet: one that was made ahead is brought to `base`. */
  isUntouched?: boolean
  /** Of the user. */
  environment: Record<string, string>
  setup: WorkplaceSetup
  /** The run's own directory, where the state of the setup is kept. */
  runDirectory: string
  signal: AbortSignal
}
export type Workplace = {
  /** The worktree, and the project's place in it. */
  root: string
  directory: string
  /** The commit that its branch is at. */
  tip: string
  /** Its first checkpoint, where nothing can have come to it since. */
  base: { commit: string; tree: string } | null
  /** What sessions and wards there have in their environment beside the user's. */
  environment: Record<string, string>
  notes: string[]
  /** Why the worktree is not what it should be; null when all went well. */
  problem: string | null
}

const SETUP_MS = 600_000

/** Worktrees in which runs work, each with its branch, its ports and its temporary files. */
export class Workplaces {
  readonly #home: string
  readonly #repository: Repository
  readonly #ports: PortBlocks
  /** Those that this daemon has opened. */
  readonly #opened = new Map<string, Workplace>()
  /** The last one who opens each. */
  readonly #opening = new Map<string, Promise<unknown>>()

  constructor(home: string, disk: Disk, repository: Repository) {
    this.#home = home
    this.#repository = repository
    this.#ports = new PortBlocks(home, disk)
  }

  /** Named as the run, or the child of one, that works there. */
  pathOf({ run, task }: OwnBranch): string {
    return join(this.#home, 'worktrees', nameOf({ run, task }))
  }

  /** The project's place in its worktree, which need not be there yet. */
  async directoryOf(branch: OwnBranch, project: string): Promise<string> {
    return join(await this.#realPathOf(branch), await this.#below(project))
  }

  /** Makes it, or finds it as it was left. One at a time: it may be made ahead of whoever works there. */
  open(request: WorkplaceRequest): Promise<Workplace> {
    const name = nameOf(request.branch)
    const open = async () => (await this.#asWanted(request)) ?? this.#open(request)
    const opened = (this.#opening.get(name) ?? Promise.resolve()).then(open, open)
    this.#opening.set(name, opened)
    const over = () => this.#opening.get(name) === opened && this.#opening.delete(name)
    opened.then(over, over)
    return opened
  }

  /** As it was made ahead, and still there. */
  async #asWanted({ branch, base, isUntouched }: WorkplaceRequest): Promise<Workplace | null> {
    const known = this.known(branch)
    const isIt = isUntouched && known !== null && known.base !== null && known.base.commit === base
    return isIt && (await isDirectory(known.directory)) ? known : null
  }

  async #open(request: WorkplaceRequest): Promise<Workplace> {
    const { branch, project, base, signal, isUntouched = false } = request
    const located = await this.#repository.locate(project)
    if (!located) throw new RehoboamError('git-none', `${project} is not in a git repository; git init makes one`)
    const taking = this.#ownEnvironment(nameOf(branch))
    taking.catch(() => {})
    const {
      path: root,
      tip,
      tree,
    } = await this.#repository.workWorktree({
      repository: project,
      path: this.pathOf(branch),
      branch,
      base,
      isUntouched,
    })
    const below = relative(located.root, await realpath(project))
    const directory = join(root, below)
    // The directory may be new, with nothing in it that is committed.
    await mkdir(directory, { recursive: true })
    const own = await taking
    const { more, notes, problem, isBare } = await prepareWorktree({
      from: located.root,
      to: root,
      project: below,
      stateDirectory: join(request.runDirectory, 'setup', nameOf(branch)),
      environment: { ...request.environment, ...own },
      ...request.setup,
      ...(isUntouched && { commit: tip }),
      timeLimitMs: SETUP_MS,
      signal,
    })
    const first = tree !== null && isBare ? { commit: tip, tree } : null
    const workplace = { root, directory, tip, base: first, environment: { ...more, ...own }, notes, problem }
    this.#opened.set(nameOf(branch), workplace)
    return workplace
  }

  /** One as it was opened; null for one that must be, because nobody has seen it whole yet. */
  known(branch: OwnBranch): Workplace | null {
    return this.#opened.get(nameOf(branch)) ?? null
  }

  /** Ports and temporary files for checks on a result, which run beside those who work on it. */
  wardEnvironment(run: string): Promise<Record<string, string>> {
    return this.#ownEnvironment(`${run}-ward`)
  }

  /** Gives all of it back, if nothing of it is lost thereby. */
  async release(branch: OwnBranch, project: string): Promise<Released> {
    const path = this.pathOf(branch)
    const released = await this.#repository.release({ repository: project, path, branch })
    if (released.removed) await this.freePorts(nameOf(branch))
    return released
  }

  /** Of a worktree that is gone, by its name. */
  async freePorts(name: string): Promise<void> {
    this.#opened.delete(name)
    const port = await this.#ports.of(name)
    if (port === null) return
    await rm(this.#temporaryOf(port), { recursive: true, force: true })
    await this.#ports.free(name)
  }

  /** The same worktree has the same ports as long as it is there. */
  async #ownEnvironment(name: string): Promise<Record<string, string>> {
    const port = await this.#ports.take(name)
    const temporary = this.#temporaryOf(port)
    await mkdir(temporary, { recursive: true, mode: 0o700 })
    return { PORT: String(port), REHOBOAM_PORT_BASE: String(port), TMPDIR: temporary }
  }

  /** Short: sockets are made in there, and their paths may not be long. */
  #temporaryOf(port: number): string {
    return join(this.#home, 'tmp', String(port))
  }

  async #realPathOf(branch: OwnBranch): Promise<string> {
    const worktrees = join(this.#home, 'worktrees')
    await mkdir(worktrees, { recursive: true, mode: 0o700 })
    return join(await realpath(worktrees), nameOf(branch))
  }

  async #below(project: string): Promise<string> {
    const located = await this.#repository.locate(project)
    return located ? relative(located.root, await realpath(project)) : ''
  }
}

function nameOf({ run, task }: OwnBranch): string {
  return task === null ? run : `${run}.${task}`
}
