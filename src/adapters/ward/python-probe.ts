import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { isObject, list, text } from '../../contract/stream-fields.ts'

/** What an interpreter of the user's says about itself and about what is installed for it. */
export type PythonFacts = {
  python: string
  /** Its `lib/python3.N`, as in every environment that it makes. */
  library: string
  /** Where its packages are. */
  sites: string[]
  /** Directories that are installed by being named: editable installs. */
  editable: string[]
  /** Programs that packages bring, by name. */
  scripts: { name: string; module: string; attribute: string }[]
  /** The folder of its own programs; null for the system's own interpreter. */
  programs: string | null
}

const SAYS = 'rehoboam-python:'

/** Printed as one line, because what the environment starts by itself may print too. */
export const PROBE = `
import json, os, sys, sysconfig
sites = [p for p in sys.path if os.path.basename(p) in ('site-packages', 'dist-packages') and os.path.isdir(p)]
editable, scripts = [], {}
try:
    from importlib import metadata
    from urllib.parse import urlparse
    from urllib.request import url2pathname
    for dist in metadata.distributions():
        try:
            said = json.loads(dist.read_text('direct_url.json') or '{}')
            if said.get('dir_info', {}).get('editable'):
                editable.append(url2pathname(urlparse(said['url']).path))
        except Exception:
            pass
        for entry in dist.entry_points:
            if entry.group == 'console_scripts':
                module, _, attribute = entry.value.split('[')[0].strip().partition(':')
                scripts.setdefault(entry.name, [module.strip(), attribute.strip()])
except ImportError:
    pass
for site in sites:
    for name in sorted(os.listdir(site)):
        if name.endswith('.pth'):
            try:
                with open(os.path.join(site, name), encoding='utf-8', errors='replace') as lines:
                    for line in lines.read(1000000).splitlines():
                        path = os.path.join(site, line.strip())
                        if line.strip() and not line.startswith(('#', 'import ', 'import\\t')) and os.path.isdir(path):
                            editable.append(os.path.realpath(path))
            except OSError:
                pass
print('\\n${SAYS}' + json.dumps({
    'library': 'lib/python%d.%d' % sys.version_info[:2],
    'sites': sites,
    'editable': editable,
    'scripts': [[name, *value] for name, value in scripts.items()],
    'programs': sysconfig.get_path('scripts') if sys.prefix != sys.base_prefix else None,
}))
`

const MOST = 10_000
const MODULE = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/

/** Null: it is no Python, or one that cannot say. */
export function readProbe(python: string, output: string): PythonFacts | null {
  const line = output.split('\n').findLast(one => one.startsWith(SAYS))
  let said: unknown
  try {
    said = JSON.parse(line?.slice(SAYS.length) ?? '')
  } catch {
    return null
  }
  if (!isObject(said) || !/^lib\/python\d+\.\d+$/.test(text(said.library) ?? '')) return null
  const paths = (value: unknown) => [...new Set(list(value).flatMap(path => lineOfPath(path)))].slice(0, MOST)
  return {
    python,
    library: text(said.library) ?? '',
    sites: paths(said.sites),
    editable: paths(said.editable),
    scripts: list(said.scripts).flatMap(script => {
      const [name = '', module = '', attribute = ''] = list(script).map(word => text(word) ?? '')
      if (!/^[A-Za-z0-9][\w.-]{0,99}$/.test(name) || !MODULE.test(module) || !MODULE.test(attribute)) return []
      return [{ name, module, attribute }]
    }),
    programs: lineOfPath(said.programs)[0] ?? null,
  }
}

/** Each is to be a line of a file that Python reads: one with a line break would be two, and the second a program. */
function lineOfPath(value: unknown): string[] {
  const path = text(value) ?? ''
  return path.startsWith('/') && !/[\r\n\0]/.test(path) ? [path] : []
}

const ENVIRONMENTS = ['.venv', 'venv', 'env']

/** Interpreters in the order in which they are meant: the project's own environment, an active one, the machine's. */
export async function pythons(directories: string[], environment: Record<string, string>): Promise<string[]> {
  const own = directories.flatMap(directory => ENVIRONMENTS.map(name => join(directory, name, 'bin/python')))
  const active = environment.VIRTUAL_ENV ? [join(environment.VIRTUAL_ENV, 'bin/python')] : []
  const path = (environment.PATH ?? '').split(delimiter).filter(entry => entry.startsWith('/'))
  const system = ['python3', 'python'].flatMap(name => path.map(entry => join(entry, name)))
  const found: string[] = []
  for (const candidate of [...own, ...active, ...system]) if (await isProgram(candidate)) found.push(candidate)
  return [...new Set(found)]
}

export async function programOn(name: string, environment: Record<string, string>): Promise<string | null> {
  for (const entry of (environment.PATH ?? '').split(delimiter).filter(one => one.startsWith('/'))) {
    if (await isProgram(join(entry, name))) return join(entry, name)
  }
  return null
}

function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
