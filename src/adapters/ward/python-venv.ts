import { lstat, mkdir, open, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readBounded } from './bounded-file.ts'
import { type Grounds, isInside } from './grounds.ts'
import { PROBE, type PythonFacts, programOn, pythons, readProbe } from './python-probe.ts'

/** Runs a program to its end, and gives its code (null: it did not end by itself) and what it printed. */
export type Run = (
  step: string,
  argv: string[],
  directory: string,
  environment: Record<string, string>,
) => Promise<{ code: number | null; output: string }>

type VenvPlace = {
  grounds: Grounds
  /** Directories of the project with Python's files, relative to the checkout. */
  places: string[]
  /** Where the environment is made. Outside the worktree, so that cleaning that does not take it away. */
  venv: string
  /** Where compiled modules go: else the user's packages would be written to. */
  pycache: string
  environment: Record<string, string>
  run: Run
}

type MadeVenv = { made: boolean; notes: string[] }

/** How many interpreters are asked, of those that a long PATH may name. */
const MOST_ASKED = 8
const LARGEST_MANIFEST = 1024 * 1024

/**
 * A new environment, made without a download. By uv from its own cache; else it sees the packages of the user's environment where
 * they are (never copied: environments hold absolute paths), except those that are installed as editable: of these the
 * worktree's own are.
 */
export async function makeVenv(place: VenvPlace): Promise<MadeVenv> {
  await rm(place.venv, { recursive: true, force: true })
  const uv = await byUv(place)
  if (uv.made) return uv
  const facts = await askPython(place)
  if (!facts) return { made: false, notes: [...uv.notes, 'no Python was found for this project'] }
  const environment = quietly(place)
  const made = await place.run(
    'venv',
    [facts.python, '-B', '-m', 'venv', '--without-pip', place.venv],
    '/',
    environment,
  )
  if (made.code !== 0)
    return { made: false, notes: [...uv.notes, `no Python environment could be made with ${facts.python}`] }
  const own = ownProjects(place, facts)
  await writeSearchPath(place, facts, own)
  await writeScripts(place.venv, facts)
  return { made: true, notes: [...uv.notes, ...(await installOwn(place, own))] }
}

/** PYTHONPYCACHEPREFIX also for the user's packages: reading a module would else write beside it. */
function quietly({ environment, pycache }: VenvPlace): Record<string, string> {
  const { PYTHONHOME: _, VIRTUAL_ENV: __, ...rest } = environment
  return { ...rest, PYTHONPYCACHEPREFIX: pycache }
}

async function byUv(place: VenvPlace): Promise<MadeVenv> {
  const uv = await programOn('uv', place.environment)
  const directory = await firstWith(place, 'uv.lock')
  if (!uv || !directory) return { made: false, notes: [] }
  const { code } = await place.run('uv', [uv, 'sync', '--offline', '--frozen'], directory, {
    ...quietly(place),
    UV_PROJECT_ENVIRONMENT: place.venv,
    // Its default are hard links into its cache, which a test could write through.
    UV_LINK_MODE: 'copy',
    UV_PYTHON_DOWNLOADS: 'never',
  })
  if (code === 0) return { made: true, notes: [] }
  await rm(place.venv, { recursive: true, force: true })
  return { made: false, notes: ['uv sync --offline failed; the packages of your own environment are used'] }
}

async function firstWith({ grounds, places }: VenvPlace, name: string): Promise<string | null> {
  for (const directory of places.map(path => join(grounds.to, path))) {
    if (await isFile(join(directory, name))) return directory
  }
  return null
}

async function askPython(place: VenvPlace): Promise<PythonFacts | null> {
  const directories = place.places.map(path => join(place.grounds.from, path))
  for (const python of (await pythons(directories, place.environment)).slice(0, MOST_ASKED)) {
    const { code, output } = await place.run('python', [python, '-B', '-c', PROBE], '/', place.environment)
    const facts = code === 0 ? readProbe(python, output) : null
    if (facts) return facts
  }
  return null
}

/** The worktree's own counterparts of what is editable in the user's environment, and the project itself. */
function ownProjects({ grounds, places }: VenvPlace, facts: PythonFacts): string[] {
  const editable = facts.editable.filter(path => !facts.sites.some(site => isInside(site, path)))
  const counterparts = editable.map(path => grounds.counterpart(path)).filter(path => path !== null)
  return [...new Set([...places.map(path => join(grounds.to, path)), ...counterparts])]
}

/** Own code first, then the user's packages. Lines of such a file are not looked into again: no editable install of theirs is. */
async function writeSearchPath({ grounds, venv }: VenvPlace, facts: PythonFacts, own: string[]): Promise<void> {
  const isInstalled = (path: string) => facts.sites.some(site => isInside(site, path))
  const elsewhere = facts.editable.filter(path => isInstalled(path) || grounds.counterpart(path) === null)
  const site = join(venv, facts.library, 'site-packages')
  const lines = (paths: string[]) => paths.map(path => `${path}\n`).join('')
  await mkdir(site, { recursive: true })
  await writeFile(join(site, 'rehoboam-1-own.pth'), lines(await Promise.all(own.map(sourceOf))))
  await writeFile(
    join(site, 'rehoboam-2-installed.pth'),
    lines([...facts.sites, ...(await Promise.all(elsewhere.map(sourceOf)))]),
  )
}

async function sourceOf(project: string): Promise<string> {
  return (await isDirectory(join(project, 'src'))) ? join(project, 'src') : project
}

/**
 * The programs of the user's packages, started by this environment's interpreter: their own would load the user's checkout. No path is
 * in them, so that none needs quoting.
 */
async function writeScripts(venv: string, facts: PythonFacts): Promise<void> {
  const bin = join(venv, 'bin')
  const taken = new Set(await readdir(bin))
  for (const { name, module, attribute } of facts.scripts) {
    if (taken.has(name)) continue
    taken.add(name)
    const start = `#!/bin/sh\n'''exec' "$(dirname "$0")/python" "$0" "$@"\n' '''\n`
    const [object = ''] = attribute.split('.')
    await writeFile(
      join(bin, name),
      `${start}import sys\nfrom ${module} import ${object}\nsys.exit(${attribute}())\n`,
      {
        mode: 0o755,
      },
    )
  }
  if (facts.programs === null) return
  for (const name of await readdir(facts.programs).catch(() => [])) {
    const program = join(facts.programs, name)
    if (!taken.has(name) && (await isOtherProgram(program))) await symlink(program, join(bin, name))
  }
}

/** A compiled program that a package brought (a linter, say): it knows no checkout. Scripts name the user's interpreter. */
async function isOtherProgram(path: string): Promise<boolean> {
  if (/^(python|pip|activate)/i.test(basename(path)) || (await lstat(path)).isSymbolicLink() || !(await isFile(path)))
    return false
  const file = await open(path, 'r')
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    const magic = buffer.subarray(0, bytesRead).toString('hex')
    return ['7f454c46', 'cffaedfe', 'cafebabe'].includes(magic)
  } finally {
    await file.close()
  }
}

/** An editable install brings the project's name, version and programs. Without it its code is found all the same. */
async function installOwn(place: VenvPlace, own: string[]): Promise<string[]> {
  const installable: string[] = []
  for (const path of own) if (await isInstallable(path)) installable.push(path)
  if (installable.length === 0) return []
  const python = join(place.venv, 'bin/python')
  const options = ['--no-index', '--no-deps', '--no-build-isolation', '--no-input', '--disable-pip-version-check']
  const argv = [python, '-m', 'pip', 'install', ...options, ...installable.flatMap(path => ['-e', path])]
  const { code } = await place.run('pip', argv, '/', { ...quietly(place), PIP_NO_INDEX: '1', PIP_USER: '0' })
  return code === 0 ? [] : ['pip could not install the project without a download; its code is used where it is']
}

async function isInstallable(path: string): Promise<boolean> {
  if (await isFile(join(path, 'setup.py'))) return true
  const manifest = (await readBounded(join(path, 'pyproject.toml'), LARGEST_MANIFEST))?.toString('utf8') ?? ''
  return /^\s*\[(project|build-system|tool\.poetry)\]/m.test(manifest)
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    stats => stats.isFile(),
    () => false,
  )
}

function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    stats => stats.isDirectory(),
    () => false,
  )
}
