import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { AuditLog } from '../../src/adapters/audit-log.ts'
import type { AuditEntry } from '../../src/contract/inbox.ts'

function entry(text: string): AuditEntry {
  const about = { question: null, agent: null, run: null, answer: null, rule: null }
  return { at: '2026-01-01T00:00:00.000Z', what: 'closed', by: 'pane', text, ...about }
}

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'audit-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

test('who reads the audit log sees what is only being written [audit-read]', async () => {
  const log = new AuditLog(join(directory(), 'audit.ndjson'))
  for (const text of ['one', 'two', 'three']) void log.add(entry(text))
  expect((await log.recent(2)).map(({ text }) => text)).toEqual(['two', 'three'])
})

test('an entry that could not be written is said to its writer, and the next one is written [audit-write-failed]', async () => {
  const missing = join(directory(), 'later')
  const log = new AuditLog(join(missing, 'audit.ndjson'))
  await expect(log.add(entry('lost'))).rejects.toThrow()
  mkdirSync(missing)
  await log.add(entry('kept'))
  expect((await log.recent(10)).map(({ text }) => text)).toEqual(['kept'])
})
