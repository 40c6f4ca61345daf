import { expect, test } from 'vitest'
import * as z from 'zod'
import { eventId } from '../../src/cli/hook/event-id.ts'

test('the ids of events of one moment are UUIDs that differ in what a person types of them [hook-id-short]', () => {
  const ids = Array.from({ length: 50 }, eventId)
  for (const id of ids) expect(z.uuid().safeParse(id).success).toBe(true)
  // Two of fifty with the same beginning are rarer than one run in a million.
  expect(new Set(ids.map(id => id.slice(0, 8))).size).toBe(50)
})
