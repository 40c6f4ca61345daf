import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { AuditLog } from '../../src/adapters/audit-log.ts'
import type { AuditEntry } from '../../src/contract/question.ts'
import { Inbox } from '../../src/daemon/inbox/inbox.ts'
import { ownQuestion } from '../../src/daemon/inbox/own-question.ts'

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

test('an entry that could not be written is said to its writer, and the next one is written [audit-read]', async () => {
  const missing = join(directory(), 'later')
  const log = new AuditLog(join(missing, 'audit.ndjson'))
  await expect(log.add(entry('lost'))).rejects.toThrow()
  mkdirSync(missing)
  await log.add(entry('kept'))
  expect((await log.recent(10)).map(({ text }) => text)).toEqual(['kept'])
})

test('while nothing can be written a question that is answered is open again, for everybody, and one that is closed is closed [audit-read]', async () => {
  const failed = vi.fn()
  process.on('unhandledRejection', failed)
  onTestFinished(() => void process.off('unhandledRejection', failed))
  const shown: number[] = []
  const inbox = new Inbox({
    write: () => Promise.reject(new Error('the disk is full')),
    now: () => 1,
  })
  inbox.listen(() => void shown.push(inbox.list().length))
  const about = { kind: 'question', run: null, agent: null, step: null, text: 'Which?', project: '/p' } as const
  const answer = inbox.ask(ownQuestion({ ...about, id: 'one', askedAt: 1 }))
  await expect(inbox.answer('one', { kind: 'allow' }, 'cli')).rejects.toThrow('full')
  inbox.close('one', 'pane')
  expect([await answer, shown]).toEqual([null, [1, 0, 1, 0]])
  await nextRound()
  expect(failed).not.toHaveBeenCalled()
})
