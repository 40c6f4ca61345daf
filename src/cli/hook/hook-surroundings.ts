import type { Surroundings } from '../../contract/agent.ts'

/** What the client does not say about itself, from the environment that it gives its hooks. */
export function surroundings(env: NodeJS.ProcessEnv): Surroundings {
  const pid = Number(env.CLAUDE_PID)
  return {
    pid: Number.isInteger(pid) && pid > 1 ? pid : null,
    pane: paneOf(env),
    entrypoint: short(env.CLAUDE_CODE_ENTRYPOINT, 100),
    configDirectory: short(env.CLAUDE_CONFIG_DIR ?? (env.HOME ? `${env.HOME}/.claude` : undefined), 4096),
    run: short(env.REHOBOAM_RUN, 80),
    loopDirectory: short(env.REHOBOAM_LOOP_DIR, 4096),
    team: teamOf(env),
  }
}

/** `<socket name>:%N`: TMUX is `<socket path>,<server pid>,<session>`. */
function paneOf(env: NodeJS.ProcessEnv): string | null {
  const socket = env.TMUX?.split(',')[0]?.split('/').pop()
  return socket && env.TMUX_PANE ? short(`${socket}:${env.TMUX_PANE}`, 300) : null
}

function teamOf(env: NodeJS.ProcessEnv): Surroundings['team'] {
  const name = short(env.CLAUDE_CODE_TEAM_NAME, 200)
  const [agentId, agentName, agentType] = [
    env.CLAUDE_CODE_AGENT_ID,
    env.CLAUDE_CODE_AGENT_NAME,
    env.CLAUDE_CODE_AGENT_TYPE,
  ]
  if (!name && !agentName && !agentType) return null
  return {
    name: name ?? '',
    agentId: short(agentId, 200) ?? '',
    agentName: short(agentName, 200) ?? '',
    agentType: short(agentType, 200) ?? '',
  }
}

function short(text: string | undefined, longest: number): string | null {
  return text ? text.slice(0, longest) : null
}
