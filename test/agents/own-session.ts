import type { AgentSummary } from '../../src/contract/agent.ts'
import { agentsOf } from '../inbox/scene.ts'
import { openPane, type Pane } from '../support/real-pane.ts'
import { REAL_CLIENT, type TempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

/** A session that a user started themselves in a tmux of their own, with our hooks in their settings. */
export async function ownSession(home: TempHome): Promise<Pane & { agent: AgentSummary }> {
  const { code, err } = await home.rehoboam(['init', '--user'])
  if (code !== 0) throw new Error(err)
  const { REHOBOAM_CLAUDE: _, ...env } = home.env
  const program = [REAL_CLIENT, '--permission-mode', 'manual']
  const pane = await openPane({ program, cwd: home.project, env: { ...env, TERM: 'xterm-256color' } })
  try {
    await pane.waitForText('? for shortcuts')
    const agent = await until(
      async () => (await agentsOf(home)).find(({ pane: known, run }) => known !== null && run === null),
      'the session to be known with its pane',
    )
    return Object.assign(pane, { agent })
  } catch (error) {
    await pane.close()
    throw error
  }
}
