import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfigFiles } from '../../adapters/config-files.ts'
import { requireConfig, resolveConfig } from '../../config/resolve.ts'
import type { WardCommand } from '../../contract/ward.ts'
import type { WardPlan, WardPlanRequest } from '../../contract/ward-plan.ts'
import type { Disk, Repository } from '../../ports.ts'
import { dirtyBase } from '../worktrees/base.ts'
import { findWard, hashOfCommands } from './find-ward.ts'

/** Which checks a loop in this project has, and who must agree to them: what a clone brings runs only when its user says so. */
export class WardPlans {
  readonly #disk: Disk
  readonly #repository: Repository
  readonly #path: string

  constructor(home: string, disk: Disk, repository: Repository) {
    this.#disk = disk
    this.#repository = repository
    this.#path = join(home, 'agreed.json')
  }

  /** With what else somebody has to agree to. */
  async with(request: WardPlanRequest): Promise<WardPlan> {
    const dirty = request.worktree ? await dirtyBase(this.#repository, request.directory) : []
    return { ...(await this.of(request)), dirty }
  }

  async of(request: Omit<WardPlanRequest, 'worktree'>): Promise<WardPlan> {
    const { directory } = request
    const files = await readConfigFiles(directory, request.environment)
    const resolved = resolveConfig({ flags: request.flags, env: request.environment, cwd: directory, ...files })
    const configured = (key: 'ward.commands' | 'worktree.setup'): Found => {
      const { source } = resolved.origins[key]
      const commands = requireConfig(resolved)[key].map(command => ({ command, from: `the ${source}'s configuration` }))
      return { commands, isTheirs: source === 'project' && commands.length > 0 }
    }
    const checks = request.ward ? given(request.ward) : configured('ward.commands')
    const { commands, isTheirs } = checks.commands.length || request.ward ? checks : await this.#found(directory)
    const setup = configured('worktree.setup')
    const hash = hashOfCommands([...commands, ...setup.commands])
    const needsAgreement = (isTheirs || setup.isTheirs) && !((await this.#read())[directory] ?? []).includes(hash)
    return { commands, setup: setup.commands, hash, needsAgreement, dirty: [] }
  }

  async #found(directory: string): Promise<Found> {
    const root = (await this.#repository.locate(directory))?.root ?? null
    const { commands } = await findWard(await realpath(directory), root)
    return { commands, isTheirs: commands.length > 0 }
  }

  /** Once per project and commands. */
  async agree(directory: string, hash: string): Promise<void> {
    const known = await this.#read()
    const hashes = known[directory] ?? []
    if (hashes.includes(hash)) return
    await this.#disk.replace(this.#path, `${JSON.stringify({ ...known, [directory]: [...hashes, hash].slice(-20) })}\n`)
  }

  async #read(): Promise<Record<string, string[]>> {
    const bytes = await this.#disk.read(this.#path)
    try {
      return bytes ? (JSON.parse(new TextDecoder().decode(bytes)) as Record<string, string[]>) : {}
    } catch {
      // Damaged: then everybody is asked again.
      return {}
    }
  }
}

/** `isTheirs`: it comes with the project, so its user has to agree to it. */
type Found = { commands: WardCommand[]; isTheirs: boolean }

function given(ward: string[]): Found {
  return { commands: ward.map(command => ({ command, from: '--ward' })), isTheirs: false }
}
