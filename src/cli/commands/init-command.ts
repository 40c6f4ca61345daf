import { resolve } from 'node:path'
import { Command } from 'commander'
import { RehoboamError } from '../../contract/errors.ts'
import type { InitChange, InitListing, SettingsPlace } from '../../contract/hook-settings.ts'
import { plainLine } from '../../view/plain.ts'
import { table } from '../../view/run-words.ts'
import type { Face } from '../face.ts'

type Options = { shared?: boolean; user?: boolean; remove?: boolean; list?: boolean; json?: boolean }

/** Hooks in a settings file of the client, so that a user's own sessions are seen and their prompts can be answered. */
export function initCommand(face: Face): Command {
  return new Command('init')
    .description('let Claude Code sessions report here: hooks into .claude/settings.local.json')
    .argument('[dir]', 'the project (default: this directory)')
    .option('--shared', 'into .claude/settings.json, for everybody who works on the project')
    .option('--user', 'into your own settings, for all your projects')
    .option('--remove', 'take exactly our hooks out again')
    .option('--list', 'say which settings files hold our hooks, and whether they are current')
    .option('--json', 'for scripts')
    .addHelpText('after', EXAMPLES)
    .action((dir: string | undefined, options: Options) => init(face, dir, options))
}

const EXAMPLES = `
Examples:
  rehoboam init --user             every session of yours, in all projects
  rehoboam init                    the sessions of this project
  rehoboam init --remove --user    and the file is as it was`

async function init(face: Face, dir: string | undefined, options: Options): Promise<void> {
  refuseMixtures(dir, options)
  if (options.list) return list(face, dir, options)
  face.mayChange('init')
  const place: SettingsPlace = options.user ? 'user' : options.shared ? 'shared' : 'local'
  const path = options.remove ? '/v1/init/remove' : '/v1/init/install'
  const change = await face.daemon.ask<InitChange>({ method: 'POST', path, body: { ...asked(face, dir), place } })
  if (options.json) return face.out.json(change)
  face.out.line(changeWords(change, options))
  for (const note of change.notes) face.out.note(plainLine(note, 5000))
}

async function list(face: Face, dir: string | undefined, options: Options): Promise<void> {
  const body = asked(face, dir)
  const { files, notes } = await face.daemon.ask<InitListing>({ method: 'POST', path: '/v1/init/list', body })
  if (options.json) return face.out.json({ files, notes })
  const rows = files.map(({ place, path, state, sentence }) => [
    place,
    state,
    plainLine(sentence, 500),
    plainLine(path, 4096),
  ])
  for (const line of table([['which', 'state', 'hooks', 'file'], ...rows])) face.out.line(line)
  for (const note of notes) face.out.note(plainLine(note, 5000))
}

function refuseMixtures(dir: string | undefined, { shared, user, remove, list }: Options): void {
  if (list && (shared || user || remove)) throw usage('--list looks at all files; give it alone')
  if (shared && user) throw usage('--shared and --user name two different files; give one of them')
  if (user && dir !== undefined) throw usage('--user is for all projects; leave the directory out')
}

function usage(sentence: string): RehoboamError {
  return new RehoboamError('usage', sentence)
}

function asked(face: Face, dir: string | undefined) {
  const { HOME, CLAUDE_CONFIG_DIR } = face.env
  const environment = {
    ...(HOME && { HOME }),
    // Relative to where the command was typed; the daemon stands elsewhere.
    ...(CLAUDE_CONFIG_DIR && { CLAUDE_CONFIG_DIR: resolve(CLAUDE_CONFIG_DIR) }),
  }
  return { directory: resolve(dir ?? '.'), environment, program: { node: process.execPath, script: face.script } }
}

function changeWords({ place, path, did, hooks }: InitChange, options: Options): string {
  const file = plainLine(path, 4096)
  if (did === 'removed') return `${hooks} hooks of ours are out of ${file}; the rest of it is as it was`
  if (did === 'updated') return `our hooks in ${file} are up to date again, ${hooks} of them`
  if (did === 'nothing' && options.remove)
    return `none of our hooks is in ${file}; rehoboam init --list looks everywhere`
  if (did === 'nothing') return `our ${hooks} hooks are in ${file} already, and current`
  const whose = {
    local: 'of yours in this project',
    shared: 'in this project, of everybody who has rehoboam',
    user: 'of yours',
  }
  return `${hooks} hooks are in ${file}: sessions ${whose[place]} report here from now on`
}
