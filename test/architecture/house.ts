import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { House } from './rule.ts'
import type { Source } from './source.ts'

const root = join(import.meta.dirname, '../..')

/** Every file that git tracks or would track: what somebody is about to add counts already. */
export function sources(): Source[] {
  return tracked()
    .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.includes('\0'))
}

export function house(): House {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    files: new Set(tracked()),
    devDependencies: new Set(Object.keys(manifest.devDependencies)),
  }
}

function tracked(): string[] {
  // safe.directory: in a container the clone often belongs to somebody else, and git would refuse to list it.
  const args = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listing = execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  return listing.split('\0').filter(path => path !== '' && existsSync(join(root, path)))
}
