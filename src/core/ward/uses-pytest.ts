import type { WardFiles } from '../../contract/ward.ts'

const SECTIONS: [file: string, section: RegExp][] = [
  ['pytest.ini', /(?:)/],
  ['.pytest.ini', /(?:)/],
  ['pyproject.toml', /^\s*\[tool\.pytest[.\]]/m],
  ['setup.cfg', /^\[tool:pytest\]/m],
  ['tox.ini', /^\[pytest\]/m],
  ['conftest.py', /(?:)/],
]

const MANIFESTS = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt']

/** The file that says that this directory is tested with pytest; null when nothing does. */
export function usesPytest({ names, texts, pythonTests }: WardFiles): string | null {
  const said = SECTIONS.find(([file, section]) => names.includes(file) && section.test(texts[file] ?? ''))
  if (said) return said[0]
  if (!pythonTests) return null
  return MANIFESTS.find(name => names.includes(name)) ?? null
}
