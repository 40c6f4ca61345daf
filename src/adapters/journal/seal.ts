import { crc32 } from 'node:zlib'

// ,"crc":"01234567"}
const SEAL_LENGTH = 18

/** A JSON object in one line whose last field is a checksum over everything before it: a flipped bit is noticed. */
export function seal(value: Record<string, unknown>): string {
  const body = JSON.stringify(value).slice(0, -1)
  return `${body},"crc":"${checksum(body)}"}\n`
}

/** The object behind a sealed line, without its checksum; null when the line is not what was written. */
export function unseal(line: string): Record<string, unknown> | null {
  const body = line.slice(0, -SEAL_LENGTH)
  if (line.slice(-SEAL_LENGTH) !== `,"crc":"${checksum(body)}"}`) return null
  try {
    return JSON.parse(`${body}}`)
  } catch {
    return null
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
