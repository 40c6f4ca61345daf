import { describe, expect, test } from 'vitest'
import { decide } from '../../src/core/inbox/rules/decide.ts'
import { places } from './place-table.ts'
import { programs } from './program-table.ts'
import { bash, rules } from './rules.ts'
import { groups, usual } from './shell-table.ts'
import { tricks } from './trick-table.ts'

for (const { holds, claim, rules: own, rows } of [...groups, ...places, ...programs, ...tricks]) {
  describe(`${claim} [${holds}]`, () => {
    const held = rules(...(own ?? usual))
    for (const [effect, command] of rows) {
      test(`${effect}: ${JSON.stringify(command.slice(0, 100))} (${command.length})`, () => {
        expect(decide(bash(command), held)).toMatchObject({ effect, why: expect.stringMatching(/./) })
      })
    }
  })
}
