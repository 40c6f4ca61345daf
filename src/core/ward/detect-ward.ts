import { doesNothing } from '../../contract/check-command.ts'
import type { WardCommand, WardFiles } from '../../contract/ward.ts'
import { makefileOf, makeTargets } from './makefile.ts'
import { jsonObject, packageManager, scriptsOf } from './package-json.ts'
import { usesPytest } from './uses-pytest.ts'

const SCRIPTS = ['lint', 'typecheck', 'test']
const TARGETS = ['lint', 'typecheck', 'test', 'check']

/**
 * The checks of a project; when it has none, those of its git root, `depth` directories above. Names and texts of files decide
 * which commands there are, and never become a part of one.
 */
export function wardCommands(project: WardFiles, root: { files: WardFiles; depth: number } | null): WardCommand[] {
  const here = commandsIn(project, root?.files ?? null)
  if (here.length > 0 || !root || root.depth === 0) return here
  const up = Array.from({ length: root.depth }, () => '..').join('/')
  return commandsIn(root.files, null).map(({ command, from }) => ({
    command: `cd ${up} && ${command}`,
    from: `${from} at the git root`,
  }))
}

function commandsIn(files: WardFiles, above: WardFiles | null): WardCommand[] {
  const scripts = fromPackageJson(files, above)
  const targets = fromMakefile(files)
  // A Makefile wraps whatever language stands beside it: `make test` and `cargo test` would be the same tests twice.
  const wrapped = targets.some(({ command }) => command === 'make test' || command === 'make check')
  return [...scripts, ...targets, ...(wrapped ? [] : fromLanguages(files))]
}

function fromPackageJson(files: WardFiles, above: WardFiles | null): WardCommand[] {
  const manifest = jsonObject(files.texts['package.json'])
  if (!manifest) return []
  const scripts = scriptsOf(manifest)
  const manager = packageManager(files, above)
  return SCRIPTS.filter(name => isCheck(scripts[name])).map(name => ({
    // `run` throughout: `bun test` would be another program than the script of that name.
    command: `${manager} run ${name}`,
    from: 'package.json',
  }))
}

/** npm writes a test script into every new package that only says there is none. */
function isCheck(script: string | undefined): boolean {
  return script !== undefined && !doesNothing(script) && !/^echo .?Error: no test specified/.test(script.trim())
}

function fromMakefile(files: WardFiles): WardCommand[] {
  const name = makefileOf(files.names)
  const targets = name ? makeTargets(files.texts[name] ?? '') : new Set<string>()
  return TARGETS.filter(target => targets.has(target)).map(target => ({
    command: `make ${target}`,
    from: name ?? 'Makefile',
  }))
}

function fromLanguages(files: WardFiles): WardCommand[] {
  const found: WardCommand[] = []
  const cargo = files.texts['Cargo.toml']
  if (cargo !== undefined) {
    const whole = /^\s*\[workspace\]/m.test(cargo)
    found.push({ command: whole ? 'cargo test --workspace' : 'cargo test', from: 'Cargo.toml' })
  }
  if (files.names.includes('go.mod')) found.push({ command: 'go test ./...', from: 'go.mod' })
  // Not `pytest`: a program of that name outside the worktree's own environment would test the user's checkout.
  const pytest = usesPytest(files)
  if (pytest) found.push({ command: 'python3 -m pytest', from: pytest })
  return found
}
