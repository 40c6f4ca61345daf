import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { withoutKey, withValue } from '../config/edit.ts'
import { configKey, requireValue } from '../config/keys.ts'
import type { ConfigValue } from '../config/kinds.ts'
import { refuseInProject } from '../config/resolve.ts'
import type { ConfigText } from '../config/sources.ts'
import { type Care, changeCarefully, readCarefully } from './careful-file.ts'

export type ConfigFile = { source: 'project' | 'user'; path: string }

const KIND = {
  unreadable: 'config-unreadable',
  unwritable: 'config-unwritable',
  tooLarge: 'this is not a config file',
} as const
// A project's file is meant to be shared and follows the umask; the user's own is nobody else's business.
const CARE: Record<ConfigFile['source'], Care> = {
  project: { ...KIND, newFileMode: 0o666, newDirectoryMode: null },
  user: { ...KIND, newFileMode: 0o600, newDirectoryMode: 0o700 },
}

export function projectConfigFile(directory: string): ConfigFile {
  return { source: 'project', path: join(directory, 'rehoboam.config.json') }
}

/** A relative XDG_CONFIG_HOME is ignored, as its specification asks: it would name a file in the project. */
export function userConfigFile(env: Readonly<Record<string, string | undefined>>): ConfigFile {
  const base = env.XDG_CONFIG_HOME ?? ''
  const directory = isAbsolute(base) ? base : join(env.HOME || homedir(), '.config')
  return { source: 'user', path: join(directory, 'rehoboam', 'config.json') }
}

/** Both files, ready for resolveConfig. */
export async function readConfigFiles(
  projectDirectory: string | null,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ project: ConfigText | null; user: ConfigText | null }> {
  const project = projectDirectory === null ? null : await readConfigFile(projectConfigFile(projectDirectory).path)
  return { project, user: await readConfigFile(userConfigFile(env).path) }
}

/** The file's text; null when there is none. */
export async function readConfigFile(path: string): Promise<ConfigText | null> {
  const { text } = await readCarefully(path, CARE.user)
  return text === null ? null : { path, text }
}

/** Sets one key in a file; the rest of the file stays as it is. Makes the file when there is none. */
export async function setValue(file: ConfigFile, key: string, value: ConfigValue): Promise<void> {
  const known = configKey(key)
  if (file.source === 'project') refuseInProject(known)
  const checked = requireValue(known, value)
  await change(file, text => withValue(text, known, checked))
}

/** Takes a key out of a file, an unknown one too: that is how a file is mended. False: it was not in it. */
export async function unset(file: ConfigFile, key: string): Promise<boolean> {
  return change(file, text => withoutKey(text, key))
}

function change({ path, source }: ConfigFile, edit: (text: string) => string): Promise<boolean> {
  return changeCarefully(path, CARE[source], ({ text }) => ({ text: edit(text ?? '') }))
}
