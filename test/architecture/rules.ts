/** The house rules as data. A room that needs more than this says why in the commit that changes this file. */
export interface Room {
  /** Other rooms that its files may import, `import type` included. `core/effect` is a part of a room. */
  imports: string[]
  /** Rooms whose entries (files that stand directly in the room's folder) it may load by `import()`. */
  loads?: string[]
  /** npm packages. The build bundles them. */
  packages: string[]
  /** Runs in a browser: no node: modules, none of Node's globals. */
  browser?: true
}

const faces = ['contract', 'client', 'view']

export const rooms: Record<string, Room> = {
  contract: { imports: [], packages: ['zod'], browser: true },
  config: { imports: ['contract'], packages: ['zod', 'jsonc-parser'], browser: true },
  core: { imports: ['contract'], packages: ['unbash'], browser: true },
  view: { imports: ['contract'], packages: [], browser: true },
  client: { imports: ['contract'], packages: [] },
  ports: { imports: ['contract', 'core/effect'], packages: [] },
  adapters: {
    imports: ['contract', 'config', 'ports'],
    packages: ['execa', 'zod', 'hono', '@hono/node-server', 'unbash'],
  },
  daemon: {
    imports: ['contract', 'config', 'core', 'ports', 'adapters'],
    packages: ['hono', '@hono/node-server', '@modelcontextprotocol/sdk', 'execa', 'zod'],
  },
  cli: { imports: [...faces, 'config'], loads: ['daemon', 'tui', 'rehearsal'], packages: ['commander', 'execa'] },
  tui: { imports: [...faces, 'config'], packages: ['ink', 'react'] },
  web: { imports: faces, packages: ['react', 'react-dom', '@xyflow/react', 'uplot', '@xterm/xterm'], browser: true },
  rehearsal: { imports: ['contract'], packages: ['zod'] },
}

/** Outside src: tests, scripts and benches import any room, and these packages beside the rooms' own. */
export const toolPackages = ['vitest', 'vite', '@vitejs/plugin-react', 'esbuild', 'fast-check', 'playwright-core']

/** The launcher starts what the build put beside it in dist/, which no file of src is named after. */
export const loadsBuiltFiles = ['src/cli/launcher.ts']

/** What would make core's decisions depend on anything but (state, event). */
export const impureNames = [
  ...['Date', 'Temporal', 'performance', 'crypto', 'Promise', 'console', 'fetch', 'process', 'globalThis'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'Buffer', 'require'],
]

export const nodeNames = ['process', 'Buffer', 'require', '__dirname', '__filename', 'setImmediate']

/** Above this a file holds more than one concept. Most are 50 to 150 lines. */
export const LINE_LIMIT = 400

/** Names that say nothing about what is inside, alone or as the last word (`run-manager`). */
export const emptyNames = ['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'service', 'services', 'types']

/** Text that is true on one machine only. Written in pieces, so that this file passes its own rule. */
export const machineText = [
  { what: 'a path of one machine', pattern: new RegExp(`(?<![\\w.~}-])/(?:${['work', 'root'].join('|')})/[\\w.]`) },
  { what: 'the host name of a package registry', pattern: new RegExp(`\\b${'registry'}\\.[a-z0-9-]+\\.[a-z]{2,}\\b`) },
]
