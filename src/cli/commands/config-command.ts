import { resolve } from 'node:path'
import { Command } from 'commander'
import type { ConfigValue } from '../../config/kinds.ts'
import type { ConfigEntry } from '../../config/resolve.ts'
import type { ConfigProblem } from '../../config/sources.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { plainLine } from '../../view/plain.ts'
import { table } from '../../view/run-words.ts'
import { type Face, wholeEnvironment } from '../face.ts'

// Loaded when it is wanted: making all its shapes takes longer than everything else that another command does.
const keys = () => import('../../config/keys.ts')

type Listing = { entries: ConfigEntry[]; problems: ConfigProblem[] }
type Options = { dir?: string; json?: boolean; project?: boolean; unset?: boolean }

/** Configuration: every key with its value, where that comes from, and why its default is what it is. */
export function configCommand(face: Face): Command {
  const config = new Command('config').description('read and change the configuration')
  config
    .command('list')
    .description('every key, its value and where it comes from')
    .option('--dir <directory>', 'the project (default: this directory)')
    .option('--json', 'for scripts')
    .action((options: Options) => list(face, options))
  config
    .command('get')
    .description('the value of one key')
    .argument('<key>')
    .option('--dir <directory>', 'the project (default: this directory)')
    .option('--json', 'for scripts')
    .action((key: string, options: Options) => get(face, key, options))
  config
    .command('set')
    .description('write a key into your own file, or with --project into the project’s')
    .argument('<key>')
    .argument('[value]')
    .option('--project', 'into rehoboam.config.json of the project')
    .option('--unset', 'take the key out instead')
    .option('--dir <directory>', 'the project (default: this directory)')
    .option('--json', 'for scripts')
    .action((key: string, value: string | undefined, options: Options) => set(face, key, value, options))
  config
    .command('explain')
    .description('what a key is for, and why its default is what it is')
    .argument('<key>')
    .option('--json', 'for scripts')
    .action((key: string, options: Options) => explainKey(face, key, options))
  return config
}

async function list(face: Face, options: Options): Promise<void> {
  const listing = await ask(face, options)
  if (options.json) return face.out.json(listing)
  const rows = listing.entries.map(entry => [entry.key, words(entry.value), originWords(entry)])
  for (const line of table([['key', 'value', 'from'], ...rows])) face.out.line(line)
  sayProblems(face, listing)
}

async function get(face: Face, key: string, options: Options): Promise<void> {
  const name = (await keys()).configKey(key)
  const listing = await ask(face, options)
  const entry = listing.entries.find(found => found.key === name)!
  if (options.json) return face.out.json(entry)
  face.out.line(words(entry.value))
  sayProblems(face, listing)
}

async function set(face: Face, key: string, value: string | undefined, options: Options): Promise<void> {
  face.mayChange('config set')
  const name = options.unset ? key : (await keys()).configKey(key)
  if ((value === undefined) === !options.unset)
    throw new RehoboamError('usage', `give a value, or --unset: rehoboam config set ${name} <value>`)
  const where = options.project ? 'project' : 'user'
  const body = { ...placeOf(face, options), key: name, value: options.unset ? null : value, where }
  const { path } = await face.daemon.ask<{ path: string }>({ method: 'POST', path: '/v1/config/set', body })
  if (options.json) return face.out.json({ key: name, path })
  face.out.line(`${name} is ${options.unset ? 'no longer set' : 'set'} in ${plainLine(path, 4096)}`)
}

async function explainKey(face: Face, key: string, options: Options): Promise<void> {
  const told = (await import('../../config/resolve.ts')).explain(key)
  if (options.json) {
    face.out.json(told)
    return
  }
  face.out.line(`${told.key}: ${told.what}`)
  const facts = [
    ['type', told.type],
    ['default', words(told.default)],
    ['why', told.reason],
    ['variable', told.env],
    ['flag', told.flag ?? 'none'],
    ['takes effect', told.takesEffect],
    ['in a project', told.projectSentence],
  ]
  for (const line of table(facts)) face.out.line(line)
}

function ask(face: Face, options: Options): Promise<Listing> {
  return face.daemon.ask<Listing>({ method: 'POST', path: '/v1/config/list', body: placeOf(face, options) })
}

/** Only our own variables concern the configuration; the rest of the environment is nobody's business here. */
function placeOf(face: Face, options: Options) {
  const isOurs = (name: string) => name.startsWith('REHOBOAM_') || name === 'HOME' || name === 'XDG_CONFIG_HOME'
  const environment = Object.entries(wholeEnvironment(face.env)).filter(([name]) => isOurs(name))
  return { directory: resolve(options.dir ?? '.'), environment: Object.fromEntries(environment) }
}

function sayProblems(face: Face, { problems }: Listing): void {
  for (const { severity, sentence } of problems) face.out.note(`${severity}: ${plainLine(sentence, 500)}`)
  if (problems.some(({ severity }) => severity === 'error')) process.exitCode = 2
}

function originWords({ origin }: ConfigEntry): string {
  return origin.where ? `${origin.source} ${plainLine(origin.where, 200)}` : origin.source
}

function words(value: ConfigValue): string {
  if (value === null) return '(none)'
  return Array.isArray(value) ? plainLine(value.join(',') || '(none)') : plainLine(String(value))
}
