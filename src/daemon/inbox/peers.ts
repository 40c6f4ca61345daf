import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { environmentOf, holdsOpen, isAlive, lineageOf } from '../../adapters/process-table.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { AuditEntry } from '../../contract/question.ts'
import type { AgentFacts } from '../../core/agent/facts.ts'

type Outside = {
  directory: string
  agents(): AgentFacts[]
  audit(entry: AuditEntry): Promise<void>
  now(): number
}

type Invitation = { key: string; path: string }
type Deed = { command: string; question: string | null }

// A command that answers three hundred questions uses one invitation; one that is left lying is taken away.
const VALID_MS = 600_000
// More than anybody has terminals; a flood of them must not fill a directory.
const MOST = 500

/**
 * Who is at the socket? It tells nothing of the other end, so whoever wants to decide must hold a file open that was made
 * for it: the process table says which process that is, and whose descendant. An agent cannot shed its ancestors by
 * unsetting variables. What has left its parents and its environment behind is not told from a person: no wall.
 */
export class Peers {
  readonly #outside: Outside
  readonly #keys = new Set<string>()
  /** As the process table names it: without links. */
  readonly #directory: string

  constructor(outside: Outside) {
    this.#outside = outside
    rmSync(outside.directory, { recursive: true, force: true })
    mkdirSync(outside.directory, { recursive: true, mode: 0o700 })
    this.#directory = realpathSync(outside.directory)
  }

  invite(): Invitation {
    const key = randomUUID()
    closeSync(openSync(this.#pathOf(key), 'wx', 0o600))
    this.#keys.add(key)
    if (this.#keys.size > MOST) this.#forget(this.#keys.values().next().value!)
    setTimeout(() => this.#forget(key), VALID_MS).unref()
    return { key, path: this.#pathOf(key) }
  }

  /** Throws for an agent, and writes the attempt down; throws for whoever does not show who it is. */
  async refuseAgents(header: string | undefined, deed: Deed): Promise<void> {
    // Elsewhere there is no table that could be asked: there the command's own look at its environment is all.
    if (process.platform !== 'linux') return
    const [, number, key = ''] = /^([1-9]\d{0,9}) ([0-9a-f-]{36})$/.exec(header ?? '') ?? []
    const pid = Number(number)
    if (!this.#keys.has(key) || !holdsOpen(pid, this.#pathOf(key))) {
      const sentence = 'it cannot be told who asks; type it with the rehoboam command of this version'
      throw new RehoboamError('peer-unproven', sentence)
    }
    const agent = await this.#agentBehind(pid)
    if (!agent) return
    await this.#writeDown(agent, deed, pid)
    const sentence = `rehoboam ${deed.command} may not be run from inside an agent (this is process ${pid} of agent ${agent.session.slice(0, 8)}); run it in a terminal of your own`
    throw new RehoboamError('inside-agent', sentence)
  }

  /** By descent; and, for one that has left its parents, by the session that its environment names. */
  async #agentBehind(pid: number): Promise<AgentFacts | null> {
    const line = await lineageOf(pid)
    const living = this.#outside.agents().filter(facts => facts.pid !== null && !facts.end && isAlive(facts.pid))
    const ancestor = living.find(facts => line.includes(facts.pid!))
    if (ancestor) return ancestor
    const environment = environmentOf(pid)
    const session = environment.CLAUDE_CODE_SESSION_ID ?? environment.REHOBOAM_TOKEN?.split('.')[0]
    return living.find(facts => facts.session === session) ?? null
  }

  #writeDown({ session, run }: AgentFacts, { command, question }: Deed, pid: number): Promise<void> {
    return this.#outside.audit({
      at: new Date(this.#outside.now()).toISOString(),
      what: 'refused',
      question,
      agent: session,
      run,
      text: `rehoboam ${command} from inside an agent (process ${pid})`,
      answer: null,
      by: 'agent',
      rule: null,
    })
  }

  #forget(key: string): void {
    this.#keys.delete(key)
    rmSync(this.#pathOf(key), { force: true })
  }

  #pathOf(key: string): string {
    return join(this.#directory, key)
  }
}
