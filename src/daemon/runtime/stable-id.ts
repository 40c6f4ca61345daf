import { createHash } from 'node:crypto'

/** A short name for texts that a journal must not hold. The same texts give the same name. */
export function hashOf(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16)
}

/** An id in the form of a UUID. The same key gives the same id, so that an iteration that is prepared twice has one session. */
export function sessionIdOf(key: string): string {
  const hex = createHash('sha256').update(`session ${key}`).digest('hex')
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
