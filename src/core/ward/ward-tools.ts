import type { WardFiles } from '../../contract/ward.ts'

const TOOLS = ['node', 'npm', 'pnpm', 'yarn', 'bun', 'python3', 'uv', 'go', 'cargo', 'rustc', 'make']

const BY_FILE: Record<string, string[]> = {
  'package.json': ['node'],
  'pyproject.toml': ['python3'],
  'setup.py': ['python3'],
  'setup.cfg': ['python3'],
  'requirements.txt': ['python3'],
  'go.mod': ['go'],
  'Cargo.toml': ['cargo', 'rustc'],
}

/** The programs whose version a green result depends on: those that are named, and those that the files speak of. */
export function toolsOf(commands: string[], files: Pick<WardFiles, 'names'>): string[] {
  const words = new Set(commands.flatMap(command => command.split(/[^\w.+-]+/)))
  const spoken = new Set(Object.keys(BY_FILE).flatMap(name => (files.names.includes(name) ? BY_FILE[name]! : [])))
  return TOOLS.filter(tool => words.has(tool) || spoken.has(tool))
}
