import { programName } from './name.ts'
import type { ShellWord } from './word.ts'

/*
 * Programs whose first plain words are a subcommand, how many words it has, and which flags may stand before it without
 * changing what a rule for it means. `alone`, or with a `value`, or with the `path` of a directory, which must be inside
 * the project. Any other flag there is not looked past when allowing: `git -c core.pager=...` runs programs.
 */
type Flag = 'alone' | 'value' | 'path'
type Program = { flags: Record<string, Flag>; deeper?: string[] }

const NPM: Program = {
  flags: {
    ...{ '--prefix': 'path', '-C': 'path', '--dir': 'path', '--cwd': 'path', '-w': 'value', '--workspace': 'value' },
    ...{
      '--filter': 'value',
      '-F': 'value',
      '-r': 'alone',
      '-s': 'alone',
      '--silent': 'alone',
      '--workspaces': 'alone',
    },
    ...{ '-q': 'alone', '--quiet': 'alone', '--no-audit': 'alone', '--no-fund': 'alone', '-ws': 'alone' },
  },
  deeper: ['run', 'run-script', 'workspace', 'exec', 'x', 'dlx'],
}

const PROGRAMS: Record<string, Program> = {
  git: {
    flags: {
      ...{ '-C': 'path', '-P': 'alone', '--no-pager': 'alone', '--no-optional-locks': 'alone' },
      ...{ '--literal-pathspecs': 'alone', '--no-replace-objects': 'alone', '--no-advice': 'alone' },
    },
    deeper: ['remote', 'stash', 'worktree', 'notes', 'bundle', 'reflog', 'lfs', 'flow'],
  },
  npm: NPM,
  pnpm: NPM,
  yarn: NPM,
  bun: { flags: {}, deeper: ['run', 'x', 'pm'] },
  deno: { flags: {}, deeper: ['task', 'run'] },
  cargo: {
    flags: { '-q': 'alone', '--quiet': 'alone', '-v': 'alone', '--locked': 'alone', '--manifest-path': 'path' },
  },
  go: { flags: { '-C': 'path' }, deeper: ['mod', 'work', 'tool'] },
  docker: { flags: {}, deeper: ['compose', 'container', 'image', 'volume', 'network', 'buildx', 'context', 'system'] },
  podman: { flags: {}, deeper: ['compose', 'container', 'image', 'volume', 'network', 'machine', 'system'] },
  kubectl: { flags: { '-n': 'value', '--namespace': 'value' }, deeper: ['config', 'rollout', 'auth'] },
  gh: { flags: { '-R': 'value', '--repo': 'value' }, deeper: ['pr', 'issue', 'run', 'repo', 'release', 'workflow'] },
  uv: { flags: { '-q': 'alone', '--quiet': 'alone' }, deeper: ['run', 'pip', 'tool', 'python'] },
  pip: { flags: { '-q': 'alone' } },
  pip3: { flags: { '-q': 'alone' } },
  poetry: { flags: { '-q': 'alone', '-n': 'alone' }, deeper: ['run', 'env'] },
  bundle: { flags: {}, deeper: ['exec'] },
  make: { flags: { '-s': 'alone', '-k': 'alone', '-n': 'alone' } },
  just: { flags: {} },
  gradle: { flags: { '-q': 'alone', '--offline': 'alone' } },
  gradlew: { flags: { '-q': 'alone', '--offline': 'alone' } },
  mvn: { flags: { '-q': 'alone', '-o': 'alone', '-B': 'alone' } },
  dotnet: { flags: {}, deeper: ['tool', 'nuget'] },
  terraform: { flags: {}, deeper: ['state', 'workspace'] },
  helm: { flags: {}, deeper: ['repo'] },
  brew: { flags: {}, deeper: ['services'] },
  apt: { flags: {} },
  'apt-get': { flags: {} },
  systemctl: { flags: {} },
  turbo: { flags: {}, deeper: ['run'] },
  nx: { flags: {}, deeper: ['run'] },
}

export function hasSubcommands(first: ShellWord): boolean {
  return Object.hasOwn(PROGRAMS, programName(first))
}

/** Has this subcommand one of its own (`npm run build`, `docker compose up`)? */
export function goesDeeper(program: string, subcommand: string): boolean {
  return Object.hasOwn(PROGRAMS, program) && (PROGRAMS[program]!.deeper ?? []).includes(subcommand)
}

/** The index of the first word that is not such a flag or its value. */
export function passFlags(words: readonly ShellWord[], from: number): number {
  let at = from
  for (let step = stepAt(words, at); step > 0; step = stepAt(words, at)) at += step
  return at
}

/** The directory that the flag at this place names: the command works there instead. null: no such flag. */
export function directoryAt(words: readonly ShellWord[], at: number): string | null {
  const { kind, value } = flagAt(words, at)
  return kind === 'path' ? value : null
}

function stepAt(words: readonly ShellWord[], at: number): number {
  const { kind, value, joined } = flagAt(words, at)
  if (kind === undefined) return 0
  if (kind === 'alone') return joined ? 0 : 1
  return value === null ? 0 : joined ? 1 : 2
}

function flagAt(words: readonly ShellWord[], at: number): { kind?: Flag; value: string | null; joined: boolean } {
  const written = words[at]?.value ?? null
  const flags = PROGRAMS[programName(words[0]!)]?.flags ?? {}
  if (written === null) return { value: null, joined: false }
  const [, flag = written, joinedValue] = /^(--[^=]+)=(.*)$/s.exec(written) ?? []
  if (!Object.hasOwn(flags, flag)) return { value: null, joined: false }
  const joined = joinedValue !== undefined
  return { kind: flags[flag]!, value: joined ? joinedValue : (words[at + 1]?.value ?? null), joined }
}
