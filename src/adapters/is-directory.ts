import { stat } from 'node:fs/promises'

/** Returns whether there is a directory at this path, or a link to one. */
export function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
}
