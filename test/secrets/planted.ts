import { randomBytes } from 'node:crypto'

/** A value that stands nowhere else on this machine. */
const secret = (door: string) => `planted-${door}-${randomBytes(9).toString('base64url')}`

/** Credentials and other values in the environment of whoever types a command. */
export function plantEnvironment(): Record<string, string> {
  const names = [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'GOOGLE_API_KEY',
    'GITHUB_TOKEN',
    'DATABASE_PASSWORD',
    'npm_config__authToken',
    'HARMLESS_LOOKING',
    'NODE_REPL_HISTORY',
  ]
  return Object.fromEntries(names.map(name => [name, secret(name)]))
}

/** The same in a place where it is easily overlooked: as a password inside an address. */
export function plantProxies(): { environment: Record<string, string>; secrets: Record<string, string> } {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
  const secrets = Object.fromEntries(names.map(name => [name, secret(name)]))
  const address = (password: string) => `http://user:${password}@127.0.0.1:9`
  return { secrets, environment: Object.fromEntries(names.map(name => [name, address(secrets[name]!)])) }
}

/** What people and agents say. */
export function plantTexts() {
  return {
    prompt: secret('prompt'),
    tell: secret('tell'),
    resume: secret('resume'),
    agent: secret('agent'),
    toolInput: secret('tool-input'),
    toolResult: secret('tool-result'),
    stderr: secret('stderr'),
  }
}

/** What comes in through the wrong door, or in the wrong shape. */
export function plantMistakes() {
  return { projectFile: secret('project-file'), body: secret('body'), flag: secret('flag'), feed: secret('feed') }
}

/**
 * Where a text may stand, and why. Everything else is a leak. All of these are 0600 in 0700 directories, and no journal,
 * log or list is among them.
 */
export const ALLOWED: Record<keyof ReturnType<typeof plantTexts>, string[]> = {
  // A text must be there after a restart, and reaches the client by its stdin, which is this file.
  prompt: ['runs/RUN/texts/HASH', 'runs/RUN/turns/N/prompt.md'],
  tell: ['runs/RUN/texts/HASH', 'runs/RUN/turns/N/prompt.md'],
  resume: ['runs/RUN/texts/HASH', 'runs/RUN/turns/N/prompt.md'],
  // A session's stdout is a file so that it outlives the daemon; what an agent says and does is in it.
  agent: ['runs/RUN/turns/N/output.ndjson'],
  toolInput: ['runs/RUN/turns/N/output.ndjson'],
  toolResult: ['runs/RUN/turns/N/output.ndjson'],
  stderr: ['runs/RUN/turns/N/errors.log'],
}
