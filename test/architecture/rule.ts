import { posix } from 'node:path'
import { rooms } from './rules.ts'
import type { Import, Source, Visit } from './source.ts'

/** Everything that a rule may look at besides the file itself. */
export interface House {
  files: ReadonlySet<string>
  /** What package.json names there. It names no other dependencies: the build bundles what src imports. */
  devDependencies: ReadonlySet<string>
}

/** Code, read once for all rules: parsing costs more than everything else together. */
export interface Code extends Source {
  tree: Visit[]
  imports: Import[]
}

export interface Finding {
  line?: number
  text: string
}

export type TextRule = (source: Source, house: House) => Finding[]
export type CodeRule = (code: Code, house: House) => Finding[]

/** `src/core/loop/loop-machine.ts` stands in core; ports is the one room that is a single file. */
export function roomOf(path: string): string | undefined {
  const [top, first = '', ...rest] = path.split('/')
  if (top !== 'src') return undefined
  const room = rest.length > 0 ? first : first === 'ports.ts' ? 'ports' : ''
  return Object.hasOwn(rooms, room) ? room : undefined
}

/** The path that a relative import means; undefined when it names a package or a node: module. */
export function target(from: Source, { specifier }: Import): string | undefined {
  return specifier?.startsWith('.') ? posix.join(posix.dirname(from.path), specifier) : undefined
}
