import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import { floors } from './floors.ts'
import { type CodeRule, type Finding, roomOf, target } from './rule.ts'
import { loadsBuiltFiles, rooms, toolPackages } from './rules.ts'
import type { Import } from './source.ts'

/** Who may import whom, which packages, and that what is imported is there. */
export const directions: Record<string, CodeRule> = {
  'imports-exist': (code, house) => {
    if (loadsBuiltFiles.includes(code.path)) return []
    return code.imports.flatMap(found => {
      const path = target(code, found)
      if (found.specifier === undefined) return code.path.startsWith('src/') ? at(found, 'imports a computed name') : []
      if (path === undefined || house.files.has(path)) return []
      return at(found, `imports ${found.specifier}, which does not exist`)
    })
  },

  'room-known': code =>
    code.path.startsWith('src/') && !roomOf(code.path)
      ? [{ text: 'stands in no room of test/architecture/rules.ts' }]
      : [],

  direction: code => {
    const from = roomOf(code.path)
    if (!from) return []
    return code.imports.flatMap(found => {
      const path = target(code, found)
      if (!path || roomOf(path) === from || mayImport(from, path)) return []
      if (found.how === 'dynamic' && mayLoad(from, path)) return []
      return at(found, `${from} may not ${found.how === 'dynamic' ? 'load' : 'import'} ${path}`)
    })
  },

  'folder-known': code => {
    const own = folderOf(code.path)
    if (!own || floorOf(own) !== undefined) return []
    return [{ text: `stands in no folder of test/architecture/floors.ts` }]
  },

  'folder-direction': code => {
    const own = folderOf(code.path)
    const from = own && floorOf(own)
    if (!own || from === undefined) return []
    return code.imports.flatMap(found => {
      const path = target(code, found)
      const other = path && folderOf(path)
      if (!other || other.room !== own.room || other.folder === own.folder) return []
      const to = floorOf(other)
      if (to === undefined || to < from) return []
      return at(found, `${own.room}/${own.folder} may not import ${path}, which is on a floor above or beside it`)
    })
  },

  'browser-safe': code => {
    const room = rooms[roomOf(code.path) ?? '']
    if (!room?.browser) return []
    return code.imports
      .filter(({ specifier }) => specifier !== undefined && isNodeModule(specifier))
      .flatMap(found => at(found, `imports ${found.specifier}, but this room runs in a browser too`))
  },

  packages: (code, house) => {
    const room = roomOf(code.path)
    const listed = room ? rooms[room]?.packages : everyPackage
    return code.imports.flatMap(found => {
      const name = packageOf(found)
      if (!name) return []
      if (!listed?.includes(name))
        return at(found, `imports ${name}, which is not on the list of ${room ?? 'packages'}`)
      if (house.devDependencies.has(name)) return []
      return at(found, `imports ${name}, which package.json does not name as a development dependency`)
    })
  },
}

type FolderAt = { room: string; folder: string }

/** The folder that holds the file, in a room whose folders have floors. */
function folderOf(path: string): FolderAt | undefined {
  const [, room = '', folder = '', ...rest] = path.split('/')
  if (roomOf(path) === undefined || !Object.hasOwn(floors, room)) return undefined
  return { room, folder: rest.length > 0 ? folder : '.' }
}

/** Counted from below; undefined when the folder is in no list. */
function floorOf({ room, folder }: FolderAt): number | undefined {
  const index = floors[room]!.findIndex(floor => floor.some(({ name }) => name === folder))
  return index < 0 ? undefined : index
}

const everyPackage = [...toolPackages, ...Object.values(rooms).flatMap(room => room.packages)]

/** `core/effect` allows core/effect.ts and what stands in core/effect/. */
function mayImport(from: string, path: string): boolean {
  return rooms[from]!.imports.some(part => {
    if (!part.includes('/')) return roomOf(path) === part
    return path === `src/${part}.ts` || path.startsWith(`src/${part}/`)
  })
}

function mayLoad(from: string, path: string): boolean {
  return (rooms[from]!.loads ?? []).some(room => posix.dirname(path) === `src/${room}`)
}

function isNodeModule(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier)
}

function packageOf({ specifier }: Import): string | undefined {
  if (!specifier || specifier.startsWith('.') || isNodeModule(specifier)) return undefined
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function at({ line }: Import, text: string): Finding[] {
  return [{ line, text }]
}
