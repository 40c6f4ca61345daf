import { Hono } from 'hono'
import { readConfigFiles } from '../../adapters/config-files.ts'
import { examine } from '../../adapters/examine.ts'
import { resolveConfig } from '../../config/resolve.ts'
import { DoctorRequest } from '../../contract/api.ts'
import type { Finding } from '../../contract/doctor.ts'
import type { InitListing, SettingsPlace } from '../../contract/hook-settings.ts'
import { bodyOf } from './answers.ts'
import type { House } from './house.ts'
import { listing } from './init-routes.ts'

export function doctorRoutes(house: House): Hono {
  const app = new Hono()
  app.post('/', async c => {
    const { directory, environment, program } = await bodyOf(c, DoctorRequest)
    const files = await readConfigFiles(directory, environment)
    const { values, problems } = resolveConfig({ env: environment, cwd: directory, ...files })
    const { version, pid, port, socket } = house.registration
    const own: Finding[] = [
      { what: 'daemon', state: 'ok', text: `version ${version}, process ${pid}`, mend: null },
      { what: 'port', state: 'ok', text: `127.0.0.1:${port}`, mend: null },
      { what: 'socket', state: 'ok', text: socket, mend: null },
      ...house
        .warnings()
        .map((text): Finding => ({ what: 'daemon', state: 'warn', text, mend: 'rehoboam daemon logs' })),
      ...problems.map(({ severity, sentence }): Finding => {
        return {
          what: 'config',
          state: severity === 'error' ? 'bad' : 'warn',
          text: sentence,
          mend: 'rehoboam config list',
        }
      }),
    ]
    return c.json([
      ...own,
      ...(await examine(house.home, environment, values)),
      ...hookFindings(await listing({ directory, environment, program })),
    ])
  })
  return app
}

const INIT: Record<SettingsPlace, string> = {
  local: 'rehoboam init',
  shared: 'rehoboam init --shared',
  user: 'rehoboam init --user',
}

/** Whether the user's own sessions here report, and whether by hooks that this program would write. */
function hookFindings({ files, notes }: InitListing): Finding[] {
  const held = files.filter(({ hooks, state }) => hooks > 0 || state === 'unreadable')
  const found = held.map(({ place, path, state, sentence }): Finding => {
    const mend = state === 'current' ? null : state === 'unreadable' ? 'mend the file by hand' : INIT[place]
    return { what: 'hooks', state: mend ? 'warn' : 'ok', text: `${path}: ${sentence}`, mend }
  })
  const none: Finding = {
    what: 'hooks',
    state: 'warn',
    text: 'your own sessions in this project do not report',
    mend: 'rehoboam init, or rehoboam init --user for all projects',
  }
  const off = notes.map((text): Finding => ({ what: 'hooks', state: 'warn', text, mend: 'take disableAllHooks out' }))
  return [...(found.length > 0 ? found : [none]), ...off]
}
