import { execa } from 'execa'

// A version manager's shim may take seconds on a busy machine; one that takes longer waits for something that will not come.
const LIMIT_MS = 20_000
const LONGEST = 200

/** What each program calls its version there; null for one that is not there. Some choose it by the directory. */
export async function toolVersions(
  tools: string[],
  directory: string,
  environment: Record<string, string>,
): Promise<Record<string, string | null>> {
  const said = tools.map(async tool => [tool, await versionOf(tool, directory, environment)])
  return Object.fromEntries(await Promise.all(said))
}

async function versionOf(tool: string, cwd: string, environment: Record<string, string>): Promise<string | null> {
  const { stdout, failed } = await execa(tool, [tool === 'go' ? 'version' : '--version'], {
    cwd,
    // To ask for a version is no reason to fetch one.
    env: { ...environment, COREPACK_ENABLE_NETWORK: '0', GOTOOLCHAIN: 'local' },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: LIMIT_MS,
    maxBuffer: 10_000,
  })
  return failed ? null : stdout.slice(0, LONGEST)
}
