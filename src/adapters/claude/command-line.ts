import type { SessionStart } from '../../ports.ts'

/** The flags of Claude Code. Nothing outside this folder knows them. */
export function commandLine(
  { spec, resume, maxCostUsd }: SessionStart,
  files: { settings: string; tools: string | null },
): string[] {
  // Nobody is asked whether an agent may signal: it is the only way for it to end well.
  const allowed = [...spec.allowedTools, ...(files.tools === null ? [] : [`mcp__${SERVER}`])]
  const headless = ['-p', '--output-format', 'stream-json', '--verbose']
  return [
    ...(spec.driver === 'headless' ? headless : []),
    resume ? '--resume' : '--session-id',
    spec.session,
    '--settings',
    files.settings,
    // Beside the user's own servers, which stay.
    ...option('--mcp-config', files.tools),
    ...option('--model', spec.model),
    ...option('--effort', spec.effort ?? null),
    ...option('--tools', spec.tools?.join(',') ?? null),
    ...option('--permission-mode', spec.permissionMode),
    // Only a headless session ends by itself; a pane is watched from outside.
    ...option('--max-budget-usd', maxCostUsd === null || spec.driver === 'pane' ? null : String(maxCostUsd)),
    ...spec.directories.flatMap(directory => ['--add-dir', directory]),
    ...(allowed.length ? ['--allowedTools', allowed.join(',')] : []),
    ...spec.arguments,
  ]
}

const SERVER = 'rehoboam'

/** The `--mcp-config` file of a session with our tools. It holds no secret: the client puts the token in. */
export function toolsConfig(port: number): object {
  const headers = { Authorization: `Bearer \${REHOBOAM_TOKEN}` }
  return { mcpServers: { [SERVER]: { type: 'http', url: `http://127.0.0.1:${port}/mcp`, headers } } }
}

/** True for a process that was started with this session: by flag and value, not by a mention anywhere. */
export function isSession(argv: string[], session: string): boolean {
  return argv.some(
    (word, n) =>
      ((word === '--session-id' || word === '--resume') && argv[n + 1] === session) ||
      word === `--session-id=${session}` ||
      word === `--resume=${session}`,
  )
}

function option(flag: string, value: string | null): string[] {
  return value === null ? [] : [flag, value]
}
