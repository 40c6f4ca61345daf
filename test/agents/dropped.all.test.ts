import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentSummary } from '../../src/contract/agent.ts'
import { bash, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import { historyOf } from '../hooks/hook.ts'
import { agentThat } from '../inbox/own-pane.ts'
import { openPane, pressed, typed } from '../support/real-pane.ts'
import { REAL_CLIENT, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { SCENES } from './lost-hooks.ts'

/** Stands between the client and our hook, and loses the events that a file names. */
const DROPPER = `#!/bin/sh
body=$(cat)
name=$(printf %s "$body" | sed -n 's/.*"hook_event_name":"\\([A-Za-z]*\\)".*/\\1/p')
grep -qx "$name" "$(dirname "$0")/drops" && exit 0
printf %s "$body" | "$@"
`

test('whichever hook is lost, the status is right or shown as unsure, and never at rest while a tool runs [agent-drop]', async () => {
  await using home = await tempHome({
    client: 'real',
    scenario: turns(
      { prompt: 'scene' },
      bash('touch up; until [ -e go ]; do sleep 0.05; done'),
      use(tool('Write', { file_path: 'made.txt', content: 'x' })),
      say('Over.'),
    ),
  })
  await home.daemon.ready()
  expect((await home.rehoboam(['init'])).code).toBe(0)
  const drops = lossyHooks(home)
  const { REHOBOAM_CLAUDE: _, ...env } = home.env
  const args = ['--permission-mode', 'manual', '--allowedTools', 'Bash']
  await using pane = await openPane({ program: [REAL_CLIENT], args, cwd: home.project, env })
  await agentThat(home, ({ status }) => status === 'waiting', 'it to wait')
  for (const { name, drops: lost } of SCENES) {
    writeFileSync(drops, lost.map(event => `${event}\n`).join(''))
    for (const file of ['up', 'go', 'made.txt']) rmSync(join(home.project, file), { force: true })
    const startedAtMs = Date.now()
    await typed(pane, `scene ${name}`)
    await until(() => existsSync(join(home.project, 'up')), `${name}: the tool to run`)
    // Unsure alone is no answer: it may still be that of the scene before.
    await agentThat(home, found => isOr(found, 'working') && !isAtRest(found), `${name}: working, or unsure`)
    for (let looks = 0; looks < 10; looks++) {
      const [found] = await home.daemon.ask<AgentSummary[]>({ path: '/v1/agents' })
      expect([name, found?.status]).not.toEqual([name, expect.stringMatching(/^(?:waiting|done)$/)])
    }
    writeFileSync(join(home.project, 'go'), '')
    await pane.waitForText(/Do you want to create/)
    await agentThat(home, found => isOr(found, 'attention'), `${name}: attention, or unsure`)
    await pressed(pane, /Do you want to create/, () => 'Enter')
    await until(() => existsSync(join(home.project, 'made.txt')), `${name}: the file`)
    await agentThat(home, found => isOr(found, 'waiting'), `${name}: waiting, or unsure`)
    // The client's note tells of the end too. A Stop that is heard later would end the turn of the next scene.
    if (!lost.includes('Stop')) await until(() => hasStopped(home, startedAtMs), `${name}: its Stop to be heard`)
  }
})

/** Right, or says that our witnesses disagree. */
function isOr({ status, unsure }: AgentSummary, wanted: AgentSummary['status']): boolean {
  return status === wanted || unsure !== null
}

function isAtRest({ status }: AgentSummary): boolean {
  return status === 'waiting' || status === 'done'
}

async function hasStopped(home: TempHome, sinceMs: number): Promise<boolean> {
  return (await historyOf(home)).some(({ name, at }) => name === 'Stop' && Date.parse(at) >= sinceMs)
}

/** Lets every hook of ours in the project go through the dropper. Gives the file that names what is lost. */
function lossyHooks(home: TempHome): string {
  const script = join(home.root, 'dropper')
  writeFileSync(script, DROPPER)
  chmodSync(script, 0o755)
  writeFileSync(join(home.root, 'drops'), '')
  const path = join(home.project, '.claude', 'settings.local.json')
  const settings = JSON.parse(readFileSync(path, 'utf8')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>
  }
  for (const hook of Object.values(settings.hooks).flatMap(groups => groups.flatMap(({ hooks }) => hooks))) {
    hook.command = `"${script}" ${hook.command}`
  }
  writeFileSync(path, JSON.stringify(settings))
  return join(home.root, 'drops')
}
