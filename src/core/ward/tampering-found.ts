export type Tampering = {
  /** The ward's own definition; tests that are gone; tests that are not run. */
  what: 'definition' | 'deleted' | 'skipped'
  path: string
  /** For a person and for the judge; printable and bounded. */
  sentence: string
}

export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
