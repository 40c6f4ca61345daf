import type { LeftOut } from '../../ports.ts'

/** Sentences that the deeds of loops leave for people. */

export function leftOutWords(leftOut: LeftOut[]): string {
  const named = leftOut
    .slice(0, 5)
    .map(({ path, bytes, why }) => `${path} (${why === 'large' ? megabytes(bytes) : why})`)
  const more = leftOut.length > named.length ? ` and ${leftOut.length - named.length} more` : ''
  return `left out of the checkpoints: ${named.join(', ')}${more}`
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}
