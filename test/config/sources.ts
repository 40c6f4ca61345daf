import { resolveConfig } from '../../src/config/resolve.ts'

/** The two files as resolveConfig takes them, from their text or from what they hold. */
export const user = (held: string | object) => ({
  user: { path: '/home/u/.config/rehoboam/config.json', text: text(held) },
})
export const project = (held: string | object) => ({ project: { path: '/p/rehoboam.config.json', text: text(held) } })

export function sentences(input: Parameters<typeof resolveConfig>[0]): string[] {
  return resolveConfig(input).problems.map(({ sentence }) => sentence)
}

function text(held: string | object): string {
  return typeof held === 'string' ? held : JSON.stringify(held)
}
