/** Loop directories and what belongs to them: `.rehoboam`, `.rehoboam-worker-<task>`, at any level of a project. */
export const OUR_PREFIX = '.rehoboam'

export function isOurs(path: string): boolean {
  return path.split('/').some(segment => segment.startsWith(OUR_PREFIX))
}

/** The same as pathspecs: the entries themselves, and all that is inside them. */
export const OUR_PATHS = [`**/${OUR_PREFIX}*`, `**/${OUR_PREFIX}*/**`]
