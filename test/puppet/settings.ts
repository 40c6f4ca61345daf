import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { McpServer } from './mcp/mcp-server.ts'
import { serversIn } from './mcp/server-config.ts'
import type { Given } from './options.ts'
import { Refusal } from './refusal.ts'

/** How this one process plays: its command line and its environment, checked. */
export type Settings = {
  format: 'text' | 'json' | 'stream-json'
  verbose: boolean
  sessionId: string | undefined
  /** `true`: asked for without saying which. */
  resume: string | true | undefined
  fork: boolean
  model: string
  mode: string
  effort: string
  name: string | undefined
  /** Of its own tools, those that it has; without: all. */
  tools: string[] | undefined
  allowed: string[]
  disallowed: string[]
  servers: McpServer[]
  /** The shape of the answer, when one was asked for. */
  schema: { required?: string[] } | undefined
  cwd: string
  directories: string[]
  appendSystemPrompt: string
  maxBudgetUsd: number
  maxRetries: number
  baseUrl: string
  apiKey: string | undefined
  authToken: string | undefined
  /** Pays by plan and not by token: limits are told as events, with the moment of their reset. */
  subscriber: boolean
  configDir: string
  /** What was given by `--settings`, and which of the files beside it are read. */
  flagSettings: Record<string, unknown>
  sources: string[]
}

const MODELS: Record<string, string> = {
  opus: 'claude-opus-5-5',
  sonnet: 'claude-sonnet-5-5',
  haiku: 'claude-haiku-5-5',
  fable: 'claude-fable-5-2',
}
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function readSettings({ flags, values }: Given, env: NodeJS.ProcessEnv, cwd: string): Settings {
  const one = (name: string) => values.get(name)?.[0]
  const subscriber = !env.ANTHROPIC_API_KEY && !env.ANTHROPIC_AUTH_TOKEN && Boolean(env.CLAUDE_CODE_OAUTH_TOKEN)
  const settings: Settings = {
    format: (one('--output-format') ?? 'text') as Settings['format'],
    verbose: flags.has('--verbose'),
    sessionId: one('--session-id'),
    resume: values.has('--resume') ? (one('--resume') ?? true) : undefined,
    fork: flags.has('--fork-session'),
    model: modelName(one('--model') ?? env.ANTHROPIC_MODEL ?? (subscriber ? 'sonnet' : 'opus')),
    mode: flags.has('--dangerously-skip-permissions') ? 'bypassPermissions' : modeName(one('--permission-mode')),
    effort: one('--effort') ?? 'medium',
    name: one('--name'),
    tools: values.has('--tools') ? toolRules(values.get('--tools')) : undefined,
    servers: [],
    schema: values.has('--json-schema') ? JSON.parse(one('--json-schema')!) : undefined,
    allowed: toolRules(values.get('--allowedTools')),
    disallowed: toolRules(values.get('--disallowedTools')),
    cwd,
    directories: [cwd, ...(values.get('--add-dir') ?? []).map(dir => resolve(cwd, dir))],
    appendSystemPrompt: one('--append-system-prompt') ?? '',
    maxBudgetUsd: Number(one('--max-budget-usd') ?? Infinity),
    maxRetries: Number(env.CLAUDE_CODE_MAX_RETRIES ?? 10),
    baseUrl: env.ANTHROPIC_BASE_URL || 'http://127.0.0.1:1',
    apiKey: env.ANTHROPIC_API_KEY || undefined,
    authToken: env.ANTHROPIC_AUTH_TOKEN || (subscriber ? env.CLAUDE_CODE_OAUTH_TOKEN : undefined),
    subscriber,
    configDir: env.CLAUDE_CONFIG_DIR ?? `${env.HOME}/.claude`,
    flagSettings: {},
    sources: (one('--setting-sources') ?? 'user,project,local').split(','),
  }
  check(settings)
  for (const source of values.get('--settings') ?? []) {
    const given = readJson(source, cwd, path => `Error: Settings file not found: ${path}`)
    settings.flagSettings = given as Settings['flagSettings']
  }
  for (const source of values.get('--mcp-config') ?? []) {
    const complaint = (path: string) => `Error: Invalid MCP configuration:\nMCP config file not found: ${path}`
    const servers = serversIn(readJson(source, cwd, complaint), env)
    settings.servers.push(...servers.map(server => new McpServer(server)))
  }
  return settings
}

function check({ sessionId, resume, fork, format, verbose, mode, baseUrl }: Settings): void {
  // A rehearsal must not be able to reach a model that costs money, whatever environment it is started in.
  if (!baseUrl.startsWith('http://')) {
    throw new Refusal(`Error: the puppet asks scripted models only; ANTHROPIC_BASE_URL is ${baseUrl}`)
  }
  if (sessionId !== undefined && resume !== undefined && !fork) {
    throw new Refusal(
      'Error: --session-id can only be used with --continue or --resume if --fork-session is also specified.',
    )
  }
  if (sessionId !== undefined && !isUuid(sessionId))
    throw new Refusal('Error: Invalid session ID. Must be a valid UUID.')
  if (format === 'stream-json' && !verbose) {
    throw new Refusal('Error: When using --print, --output-format=stream-json requires --verbose')
  }
  if (mode === 'bypassPermissions' && process.getuid?.() === 0 && process.env.IS_SANDBOX !== '1') {
    throw new Refusal('--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons')
  }
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

function modelName(given: string): string {
  return MODELS[given] ?? given
}

/** `manual` is what people type; the session calls it `default`. */
function modeName(given: string | undefined): string {
  return given === undefined || given === 'manual' ? 'default' : given
}

/** Rules come as several words, or in one word with commas or spaces; a rule's own brackets may hold both. */
function toolRules(words: string[] = []): string[] {
  return words.flatMap(word => word.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? [])
}

function readJson(source: string, cwd: string, missing: (path: string) => string): unknown {
  try {
    if (source.trim().startsWith('{')) return JSON.parse(source)
  } catch {
    // Not JSON after all, so it is taken for a path, as the client does.
  }
  const path = resolve(cwd, source)
  if (!existsSync(path)) throw new Refusal(missing(path))
  return JSON.parse(readFileSync(path, 'utf8'))
}
