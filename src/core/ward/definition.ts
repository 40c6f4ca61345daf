import { printable, quoted } from '../../contract/printable.ts'
import { isObject } from '../../contract/stream-fields.ts'
import type { ChangedFile } from '../../contract/ward.ts'
import { conftestRules } from './conftest.ts'
import { filesStarted } from './files-started.ts'
import { isMakefile, rulesUsed } from './makefile.ts'
import { jsonObject } from './package-json.ts'
import { scriptsUsed } from './scripts-used.ts'
import { folderOf, nameOf, type Tampering } from './tampering-found.ts'
import { runnerChange } from './task-runners.ts'
import { isNamedAsTest } from './test-file.ts'

/** Files that are nothing but configuration of checks. */
const CONFIGURATION =
  /^(vitest\.(config|workspace|projects|setup)\..*|setupTests\..*|jest\.(config|setup)\..*|\.mocharc.*|mocha\.opts|karma\.conf\..*|ava\.config\..*|playwright\.config\..*|cypress\.config\..*|\.nycrc.*|\.c8rc.*|\.taprc|tsconfig.*\.json|jsconfig\.json|biome\.jsonc?|\.eslintrc.*|eslint\.config\..*|\.eslintignore|\.prettierrc.*|prettier\.config\..*|\.prettierignore|\.?oxlintrc\.json|tslint\.json|\.?stylelint(rc.*|\.config\..*)|\.?pytest\.(ini|toml)|tox\.toml|\.?mypy\.ini|\.?ruff\.toml|\.flake8|\.?pylintrc|pyrightconfig\.json|\.coveragerc|noxfile\.py|(site|user)customize\.py|clippy\.toml|\.clippy\.toml|rustfmt\.toml|nextest\.toml|\.golangci\..*|\.npmrc|\.yarnrc(\.yml)?|bunfig\.toml|phpunit\.xml.*|\.rspec)$/

/** Sections of files that hold other things too. */
const SECTIONS: [file: RegExp, sections: RegExp][] = [
  [
    /^pyproject\.toml$/,
    /^tool\.(pytest|ruff|mypy|pyright|basedpyright|coverage|pylint|flake8|black|isort|tox|nox|hatch\.envs|poe|pdm\.scripts|unittest)\b/,
  ],
  [/^setup\.cfg$/, /^(tool:pytest|flake8|mypy.*|coverage:.*|pylint.*|isort|aliases|unittest)$/],
  [/^tox\.ini$/, /(?:)/],
  [/^Cargo\.toml$/, /^(\[?test\]?|\[test|lib|lints.*|workspace\.lints.*|profile\.test.*|workspace)$/],
]
const CARGO_CONFIG = /(^|\/)\.cargo\/config(\.toml)?$/
/** Keys of package.json that configure tools. */
const PACKAGE_KEYS = [
  'jest',
  'vitest',
  'mocha',
  'ava',
  'tap',
  'c8',
  'nyc',
  'eslintConfig',
  'eslintIgnore',
  'prettier',
  'xo',
  'standard',
]
const MANIFEST = /^(package\.json|pyproject\.toml|setup\.py|Cargo\.toml|go\.mod)$/
/** Installed code: a test runner that stands in the tree is as good as a test. */
const INSTALLED = /(^|\/)(node_modules|site-packages|\.?venv)\//

export type WardDefinition = {
  commands: string[]
  /** The project's place in the tree: '' for its root. */
  project: string
  /** Its package.json and Makefile as they were at the base, changed or not: they say which programs the commands start. */
  texts: Record<string, string>
}

/** What of the ward's own definition has changed: configuration, scripts, recipes, and programs that the commands start. */
export function definitionChanges(changed: ChangedFile[], ward: WardDefinition): Tampering[] {
  const newPackages = new Set(changed.filter(isNewManifest).map(({ path }) => folderOf(path)))
  const lines = linesRun(changed, ward)
  const started = filesStarted(lines)
  return changed.flatMap(file => {
    const is = (sentence: string): Tampering[] => [{ what: 'definition', path: file.path, sentence }]
    const folder = folderOf(file.path)
    // A package that did not exist has no checks that could have been weakened; the project's own must have.
    if (newPackages.has(folder) && folder !== ward.project && folder !== '') return []
    const name = nameOf(file.path)
    const shown = printable(file.path)
    if (name === 'package.json' && !INSTALLED.test(file.path)) return packageChange(file, ward).flatMap(is)
    if (isMakefile(name)) return makeChange(file, lines) ? is(`${shown}: what the checks run has changed`) : []
    if (name === 'conftest.py' && conftestRules(file.before ?? '') !== conftestRules(file.after ?? ''))
      return is(`${shown}: what it decides about which tests are run has changed`)
    if (runnerChange(name, file.before, file.after, lines)) return is(`${shown}: what the checks run has changed`)
    const sections = SECTIONS.find(([pattern]) => pattern.test(name))?.[1]
    if (sections) return sameSections(file, sections) ? [] : is(`${shown}: its configuration of checks has changed`)
    if (CONFIGURATION.test(name) || CARGO_CONFIG.test(file.path) || isViteWithTests(file, name)) {
      if (squeezed(file.before) === squeezed(file.after)) return []
      return is(
        `${shown}: ${file.before === null ? 'configuration of checks is new' : file.after === null ? 'configuration of checks is gone' : 'configuration of checks has changed'}`,
      )
    }
    if (!isTestByName(file.path) && isStarted(started, file.path, ward.project))
      return is(`${shown}: a program that the checks start has changed`)
    return []
  })
}

/** Installed code in the tree: one sentence, however many files. */
export function installedChanges(changed: ChangedFile[]): Tampering[] {
  const first = changed.find(({ path }) => INSTALLED.test(path))
  if (!first) return []
  const sentence = `${printable(first.path)}: installed dependencies in the tree have changed`
  return [{ what: 'definition', path: first.path, sentence }]
}

function isNewManifest({ path, before, after }: ChangedFile): boolean {
  return before === null && after !== null && MANIFEST.test(nameOf(path))
}

/** The commands, and the lines of scripts and recipes that they lead to, before and after. */
function linesRun(changed: ChangedFile[], { commands, project, texts }: WardDefinition): string[] {
  const at = (name: string) => (project === '' ? name : `${project}/${name}`)
  const versions = (name: string) => {
    const file = changed.find(({ path }) => path === at(name))
    return [texts[name], file?.before, file?.after].filter(text => typeof text === 'string')
  }
  const scripts = versions('package.json').flatMap(text => [...scriptsUsed(jsonObject(text), commands).values()])
  const lines = [...commands, ...scripts]
  const recipes = ['GNUmakefile', 'makefile', 'Makefile'].flatMap(versions).flatMap(text => rulesUsed(text, lines))
  return [...new Set([...lines, ...recipes])]
}

function packageChange({ path, before, after }: ChangedFile, { commands, project }: WardDefinition): string[] {
  const [old, now] = [jsonObject(before), jsonObject(after)]
  const [oldScripts, newScripts] = [scriptsUsed(old, commands), scriptsUsed(now, commands)]
  const isOwn = folderOf(path) === project || folderOf(path) === ''
  if (before === null && !isOwn) return []
  const scripts = [...new Set([...oldScripts.keys(), ...newScripts.keys()])]
    .filter(name => oldScripts.get(name) !== newScripts.get(name))
    .map(
      name =>
        `${printable(path)}: script ${quoted(name)} was ${said(oldScripts.get(name))}, is ${said(newScripts.get(name))}`,
    )
  const keys = PACKAGE_KEYS.filter(key => JSON.stringify(old?.[key]) !== JSON.stringify(now?.[key])).map(
    key => `${printable(path)}: ${key} is configured in another way`,
  )
  const left = workspaces(old).filter(one => !workspaces(now).includes(one))
  return [...scripts, ...keys, ...left.map(one => `${printable(path)}: the workspace ${quoted(one)} is gone`)]
}

function said(script: string | undefined): string {
  return script === undefined ? 'not there' : `"${printable(script, 120)}"`
}

function workspaces(manifest: Record<string, unknown> | null): string[] {
  const value = isObject(manifest?.workspaces) ? manifest.workspaces.packages : manifest?.workspaces
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : []
}

function makeChange({ before, after }: ChangedFile, lines: string[]): boolean {
  return rulesUsed(before ?? '', lines).join('\n') !== rulesUsed(after ?? '', lines).join('\n')
}

/** A vite.config is the product's; with tests in it, it is the ward's. */
function isViteWithTests({ before, after }: ChangedFile, name: string): boolean {
  return /^vite\.config\./.test(name) && [before, after].some(text => /\bvitest\b|\btest\s*:/.test(text ?? ''))
}

function sameSections({ before, after }: ChangedFile, wanted: RegExp): boolean {
  return sectionsOf(before ?? '', wanted) === sectionsOf(after ?? '', wanted)
}

const LONGEST_HEADER = 500
/** Of Cargo.toml, beside the name of the package. */
const AUTOTESTS = /^\s*autotests\s*=/

function sectionsOf(text: string, wanted: RegExp): string {
  const kept: string[] = []
  let isWanted = false
  for (const line of text.split(/\r?\n/)) {
    const header = line.length > LONGEST_HEADER ? null : /^\s*\[\s*([^\]]+?\]?)\s*\]\s*(#.*)?$/.exec(line)
    if (header) isWanted = wanted.test(header[1]!.replace(/["']/g, ''))
    if ((isWanted || AUTOTESTS.test(line)) && line.trim() && !line.trim().startsWith('#')) kept.push(line.trim())
  }
  return kept.join('\n')
}

function squeezed(text: string | null): string | null {
  return text === null ? null : text.replace(/\s+/g, ' ').trim()
}

/** `test.js` holds tests, `scripts/test.js` runs them. */
function isTestByName(path: string): boolean {
  return isNamedAsTest(path) && !/(^|\/)(scripts?|bin|tools?|ci|\.ci|\.github)\//.test(path)
}

function isStarted(started: Set<string>, path: string, project: string): boolean {
  return (
    started.has(path) ||
    (project !== '' && path.startsWith(`${project}/`) && started.has(path.slice(project.length + 1)))
  )
}
