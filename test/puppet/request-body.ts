import type { Message } from './message.ts'
import type { Settings } from './settings.ts'
import { STRUCTURED_OUTPUT } from './tools/structured-output.ts'

export const TOOLS = ['Bash', 'Edit', 'Read', 'Write']

/** What is asked of the model: the same fields that the client sends, with far fewer words in them. */
export function requestBody(settings: Settings, history: Message[]): Record<string, unknown> {
  return {
    model: settings.model,
    max_tokens: 32_000,
    system: [{ type: 'text', text: systemPrompt(settings) }],
    tools: offered(settings).map(name => ({ name, description: name, input_schema: { type: 'object' } })),
    messages: history.map(({ role, content }) => ({ role, content })),
  }
}

export function offered(settings: Settings): string[] {
  const { tools = TOOLS, disallowed, servers, schema } = settings
  const own = TOOLS.filter(name => tools.includes(name))
  const foreign = servers.flatMap(server => server.tools.map(tool => `mcp__${server.name}__${tool}`)).sort()
  return [...own, ...(schema ? [STRUCTURED_OUTPUT] : []), ...foreign].filter(name => !disallowed.includes(name))
}

function systemPrompt({ cwd, appendSystemPrompt }: Settings): string {
  const facts = `# Environment\nYou have been invoked in the following environment: \n - Primary working directory: ${cwd}\n - Platform: ${process.platform}`
  return [facts, appendSystemPrompt].filter(Boolean).join('\n\n')
}
