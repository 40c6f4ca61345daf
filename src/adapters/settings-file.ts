import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { SettingsPlace } from '../contract/hook-settings.ts'
import { type Care, changeCarefully, type FoundFile, readCarefully, type WantedFile } from './careful-file.ts'

// The client's own files: it writes them under the umask, so we do.
const CARE: Care = {
  unreadable: 'settings-unreadable',
  unwritable: 'settings-unwritable',
  tooLarge: 'these are no settings',
  newFileMode: 0o666,
  newDirectoryMode: 0o777,
}

type Env = Readonly<Record<string, string | undefined>>

/** Where the client looks, for sessions that are started in this directory. */
export function settingsPath(place: SettingsPlace, directory: string, env: Env): string {
  if (place === 'local') return join(directory, '.claude', 'settings.local.json')
  if (place === 'shared') return join(directory, '.claude', 'settings.json')
  return join(resolve(directory, env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude')), 'settings.json')
}

export function readSettings(path: string): Promise<FoundFile> {
  return readCarefully(path, CARE)
}

export function changeSettings(path: string, edit: (file: FoundFile) => WantedFile): Promise<boolean> {
  return changeCarefully(path, CARE, edit)
}
