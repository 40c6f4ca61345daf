import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfigFiles } from '../../adapters/config-files.ts'
import { requireConfig, resolveConfig } from '../../contract/config.ts'
import type { WardCommand } from '../../contract/ward.ts'
import type { WardPlan, WardPlanRequest } from '../../contract/ward-plan.ts'
import type { Disk, Repository } from '../../ports.ts'
import { findWard, hashOfCommands } from '../ward/find-ward.ts'
import { dirtyBase } from '../worktrees/base.ts'

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
    const { directory, ward } = request
    if (ward)
      return plan(
        ward.map(command => ({ command, from: '--ward' })),
        false,
      )
    const files = await readConfigFiles(directory, request.environment)
    const resolved = resolveConfig({ flags: request.flags, env: request.environment, cwd: directory, ...files })
    const configured = requireConfig(resolved)['ward.commands']
    const { source } = resolved.origins['ward.commands']
    if (configured.length) {
      const commands = configured.map(command => ({ command, from: `the ${source}'s configuration` }))
      return this.#agreed(directory, plan(commands, source === 'project'))
    }
    const root = (await this.#repository.locate(directory))?.root ?? null
    const real = await realpath(directory)
    const found = await findWard(real, root)
    return this.#agreed(directory, plan(found.commands, found.commands.length > 0))
  }

  /** Once per project and commands. */
  async agree(directory: string, hash: string): Promise<void> {
    const known = await this.#read()
    const hashes = known[directory] ?? []
    if (hashes.includes(hash)) return
    await this.#disk.replace(this.#path, `${JSON.stringify({ ...known, [directory]: [...hashes, hash].slice(-20) })}\n`)
  }

  async #agreed(directory: string, found: WardPlan): Promise<WardPlan> {
    const hashes = (await this.#read())[directory] ?? []
    return { ...found, needsAgreement: found.needsAgreement && !hashes.includes(found.hash) }
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

function plan(commands: WardCommand[], needsAgreement: boolean): WardPlan {
  return { commands, hash: hashOfCommands(commands), needsAgreement, dirty: [] }
}
