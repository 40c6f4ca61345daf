import type { SessionStart } from '../../ports.ts'

/** The flags of Claude Code. Nothing outside this folder knows them. */
export function commandLine({ spec, resume, maxCostUsd }: SessionStart, settings: string): string[] {
  const headless = ['-p', '--output-format', 'stream-json', '--verbose']
  return [
    ...(spec.driver === 'headless' ? headless : []),
    resume ? '--resume' : '--session-id',
    spec.session,
    '--settings',
    settings,
    ...option('--model', spec.model),
    ...option('--permission-mode', spec.permissionMode),
    // Only a headless session ends by itself; a pane is watched from outside.
    ...option('--max-budget-usd', maxCostUsd === null || spec.driver === 'pane' ? null : String(maxCostUsd)),
    ...spec.directories.flatMap(directory => ['--add-dir', directory]),
    ...(spec.allowedTools.length ? ['--allowedTools', spec.allowedTools.join(',')] : []),
    ...spec.arguments,
  ]
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
