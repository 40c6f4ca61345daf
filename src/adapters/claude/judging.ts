import type { StreamLine } from '../../contract/stream.ts'

/**
 * A session that only reads and answers in a given shape. `--restricted` keeps the project's and the user's settings out,
 * so that neither their hooks nor their instructions speak to it.
 */
export function judgingFlags(schema: object, readable: string | null): string[] {
  return [
    '--restricted',
    '--strict-mcp-config',
    '--tools',
    'Read,Grep,Glob',
    '--json-schema',
    JSON.stringify(schema),
    ...(readable === null ? [] : ['--add-dir', readable]),
  ]
}

/** The answer in that shape; undefined for every other line. */
export function structuredOutputIn(line: StreamLine): Record<string, unknown> | undefined {
  if (line.type !== 'assistant' || line.parent !== null) return undefined
  const call = line.blocks.findLast(block => block.kind === 'tool-use' && block.name === 'StructuredOutput')
  return call?.kind === 'tool-use' ? call.input : undefined
}
