import { redraw } from '../support/drawn-part.ts'
import { floors, mapOf } from './floors.ts'

export const DOC = new URL('../../docs/architecture.md', import.meta.url)
const PART = { page: 'docs/architecture.md', part: 'rooms', writer: 'test/architecture/write-rooms.ts' }

/** The document with the part between its markers drawn from the floors that the import test holds. */
export function redrawn(document: string): string {
  const maps = Object.keys(floors).map(room => `Inside \`src/${room}\`:\n\n${mapOf(room)}`)
  return redraw(document, PART, maps.join('\n\n'))
}
