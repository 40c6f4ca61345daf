import { randomBytes } from 'node:crypto'

export function randomName(length: number): string {
  return Array.from(randomBytes(length), byte => (byte % 36).toString(36)).join('')
}
