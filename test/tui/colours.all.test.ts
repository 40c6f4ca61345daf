import { expect, test } from 'vitest'
import { tempHome } from '../support/temp-home.ts'
import { dashboardIn } from './terminal.ts'

test('as many colours as the terminal has, and none where none is wanted [tui-screens]', async () => {
  await using home = await tempHome()
  // In a tmux the terminal would be what that tmux says.
  const depths: [env: Record<string, string | undefined>, has: RegExp, hasNot: RegExp][] = [
    [{ TMUX: undefined, TERM: 'xterm-256color' }, /\^\[[\d;]*38;5;245m/, /\^\[[\d;]*90m/],
    [{ TMUX: undefined, TERM: 'xterm' }, /\^\[[\d;]*90m/, /38;5;/],
    [{ NO_COLOR: '1' }, /nothing needs you/, /\^\[[\d;]*[1-9]\d*m/],
  ]
  for (const [env, has, hasNot] of depths) {
    await using terminal = await dashboardIn(home, { env })
    await terminal.open()
    const shown = (await terminal.tmux('capture-pane', '-p', '-e')).replaceAll('\u001b', '^')
    expect(shown).toMatch(has)
    expect(shown).not.toMatch(hasNot)
  }
})
