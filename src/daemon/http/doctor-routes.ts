import { Hono } from 'hono'
import { readConfigFiles } from '../../adapters/config-files.ts'
import { examine } from '../../adapters/examine.ts'
import { ConfigRequest } from '../../contract/api.ts'
import { resolveConfig } from '../../contract/config.ts'
import type { Finding } from '../../contract/doctor.ts'
import type { House } from '../house.ts'
import { bodyOf } from './answers.ts'

export function doctorRoutes(house: House): Hono {
  const app = new Hono()
  app.post('/', async c => {
    const { directory, environment } = await bodyOf(c, ConfigRequest)
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
    return c.json([...own, ...(await examine(house.home, environment, values.claude))])
  })
  return app
}
