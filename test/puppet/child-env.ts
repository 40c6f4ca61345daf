import { VERSION } from './version.ts'

/** What a process that an agent starts knows about it. */
export function commandEnv(session: string): NodeJS.ProcessEnv {
  return { ...childEnv(session, 'agent'), GIT_EDITOR: 'true' }
}

/** What a hook knows: the same, and where the project is, which the agent's own `cd` does not move. */
export function hookEnv(session: string, project: string, effort: string | undefined): NodeJS.ProcessEnv {
  const env = { ...childEnv(session, 'harness'), CLAUDE_PROJECT_DIR: project }
  return effort === undefined ? env : { ...env, CLAUDE_EFFORT: effort }
}

function childEnv(session: string, role: 'agent' | 'harness'): NodeJS.ProcessEnv {
  return {
    ...process.env,
    AI_AGENT: `claude-code_${VERSION.replaceAll('.', '-')}_${role}`,
    CLAUDECODE: '1',
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
    CLAUDE_CODE_SESSION_ATTENDED: '0',
    CLAUDE_CODE_SESSION_ID: session,
    CLAUDE_PID: String(process.pid),
    COREPACK_ENABLE_AUTO_PIN: '0',
    NoDefaultCurrentDirectoryInExePath: '1',
  }
}
