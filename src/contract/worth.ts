/** Why a run that is complete is not proven: one closed list, each with the words that a person reads. Loads no schemas. */
export const UNPROVEN = {
  'checks-changed': 'the checks were changed',
  'old-reds': 'checks fail that failed before',
  'no-checks': 'there are no checks',
  'no-git': 'without git green checks are no proof',
} as const
export type Unproven = keyof typeof UNPROVEN
