/** One server of an `--mcp-config` file that can be reached over HTTP; the puppet starts no other kind. */
export type ServerConfig = { name: string; url: string; headers: Record<string, string> }

export function serversIn(config: unknown, env: NodeJS.ProcessEnv): ServerConfig[] {
  const { mcpServers } = (isObject(config) ? config : {}) as { mcpServers?: unknown }
  return Object.entries(isObject(mcpServers) ? mcpServers : {}).flatMap(([name, server]) => {
    if (!isObject(server) || server.type !== 'http' || typeof server.url !== 'string') return []
    const headers = Object.entries(isObject(server.headers) ? server.headers : {})
    return {
      name,
      url: filled(server.url, env),
      headers: Object.fromEntries(headers.map(([key, value]) => [key, filled(String(value), env)])),
    }
  })
}

/** `${NAME}` and `${NAME:-default}`; a name that is not there stays as it is written. */
function filled(text: string, env: NodeJS.ProcessEnv): string {
  return text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (whole, name, other) => env[name] ?? other ?? whole)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
