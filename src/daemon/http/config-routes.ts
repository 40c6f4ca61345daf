import { Hono } from 'hono'
import { projectConfigFile, readConfigFiles, setValue, unset, userConfigFile } from '../../adapters/config-files.ts'
import { configKey, parseValue } from '../../config/keys.ts'
import { configEntries, resolveConfig } from '../../config/resolve.ts'
import { ConfigRequest, ConfigSetRequest } from '../../contract/api.ts'
import { bodyOf } from './answers.ts'

export function configRoutes(): Hono {
  const app = new Hono()
  app.post('/list', async c => {
    const { directory, environment } = await bodyOf(c, ConfigRequest)
    const files = await readConfigFiles(directory, environment)
    const resolved = resolveConfig({ env: environment, cwd: directory, ...files })
    return c.json({ entries: configEntries(resolved), problems: resolved.problems })
  })
  app.post('/set', async c => {
    const { directory, environment, key, value, where } = await bodyOf(c, ConfigSetRequest)
    const file = where === 'project' ? projectConfigFile(directory) : userConfigFile(environment)
    // A key that is unknown today may be there from an older version: it can be taken out, not set.
    if (value === null) await unset(file, key)
    else await setValue(file, key, parseValue(configKey(key), value))
    return c.json({ path: file.path })
  })
  return app
}
