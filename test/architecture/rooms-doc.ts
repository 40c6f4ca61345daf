import { floors, mapOf } from './floors.ts'

export const DOC = new URL('../../docs/architecture.md', import.meta.url)
const BEGIN = '<!-- rooms: written by `node test/architecture/write-rooms.ts`, do not edit -->'
const END = '<!-- end of rooms -->'

/** The document with the part between its markers drawn from the floors that the import test holds. */
export function redrawn(document: string): string {
  const begin = document.indexOf(BEGIN)
  const end = document.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`docs/architecture.md must hold the lines ${BEGIN} and ${END}`)
  const maps = Object.keys(floors).map(room => `Inside \`src/${room}\`:\n\n${mapOf(room)}`)
  return `${document.slice(0, begin + BEGIN.length)}\n\n${maps.join('\n\n')}\n\n${document.slice(end)}`
}
