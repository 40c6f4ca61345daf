import { HOOK_ROWS } from '../../src/contract/hook-settings.ts'

const EVENTS = [...new Set(HOOK_ROWS.map(({ event }) => event))]

/** Which hooks never reach the daemon: each of them alone, and all but the first. */
export const SCENES: { name: string; drops: string[] }[] = [
  ...EVENTS.filter(event => event !== 'SessionStart' && event !== 'SessionEnd').map(event => ({
    name: event,
    drops: [event],
  })),
  { name: 'all but SessionStart', drops: EVENTS.filter(event => event !== 'SessionStart') },
]
