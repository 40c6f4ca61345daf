import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { Lines } from '../../src/adapters/split-lines.ts'
import { parseStreamLine, type StreamLine } from '../../src/contract/stream.ts'
import { reportOf } from '../../src/core/session/session-report.ts'
import { Random } from '../runtime/lane/random.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { mostBytesAfter } from './measured.ts'
import { spoiltLine } from './spoilt-line.ts'

const SEED = 31_415_926
const [FIRST, ALL] = PLAYS_ALL ? [10_000, 50_000] : [2_000, 10_000]
const LINE_LIMIT = 200_000

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

const RECORDED = recorded(join(import.meta.dirname, '../fixtures'))

function recorded(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /stream.*ndjson$/.test(name))
  return files.flatMap(name => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
}

const TYPES: Record<StreamLine['type'], true> = {
  init: true,
  assistant: true,
  'tool-results': true,
  'api-retry': true,
  'rate-limit': true,
  'background-tasks': true,
  result: true,
  other: true,
  garbage: true,
}

test(`${ALL} spoilt lines in pieces of any size: each is kept as something, nothing throws, memory stays (seed ${SEED}) [fuzz-stream] [fuzz-memory]`, () => {
  const random = new Random(SEED)
  const lines = new Lines(LINE_LIMIT, 0)
  const kept = { known: 0, other: 0, garbage: 0, tooLong: 0 }
  const wrong: string[] = []
  let [sent, sentBytes, given, end] = [0, 0, 0, 0]
  const take = (found: Iterable<{ line: string | null; offset: number }>) => {
    for (const { line, offset } of found) {
      given += 1
      end = offset
      const parsed: StreamLine =
        line === null ? { type: 'garbage', reason: 'a line over the limit' } : parseStreamLine(line)
      if (!TYPES[parsed.type]) wrong.push(`${parsed.type} for ${line?.slice(0, 200)}`)
      const report = reportOf(parsed, offset)
      if (report && !Number.isFinite('costUsd' in report ? report.costUsd : 0))
        wrong.push(`no cost: ${line?.slice(0, 200)}`)
      kept[line === null ? 'tooLong' : parsed.type === 'other' || parsed.type === 'garbage' ? parsed.type : 'known'] +=
        1
    }
  }
  const feed = (count: number) => {
    while (sent++ < count) {
      const line = Buffer.concat([spoiltLine(random, random.pick(RECORDED)), Buffer.from('\n')])
      sentBytes += line.length
      for (let at = 0; at < line.length; ) {
        const to = Math.min(line.length, at + random.between(1, 70_000))
        take(lines.push(line.subarray(at, to)))
        at = to
      }
    }
    sent = count
  }
  feed(FIRST)
  const early = memory()
  feed(ALL)
  const late = memory()
  expect(wrong).toEqual([])
  // Every line comes out as one, and the last one ends where the bytes end: nothing is lost and nothing is made up.
  expect({ given, end }).toEqual({ given: ALL, end: sentBytes })
  expect(
    Object.values(kept).every(count => count > ALL / 1000),
    JSON.stringify(kept),
  ).toBe(true)
  expect(late, `${early} bytes after ${FIRST}, ${late} after ${ALL}`).toBeLessThan(mostBytesAfter(early, ALL - FIRST))
})

function memory(): number {
  gc()
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test.each([
  ['not JSON', '{"type":"result"', { type: 'garbage', reason: 'not JSON' }],
  ['nothing', '', { type: 'garbage', reason: 'an empty line' }],
  ['no object', '[{"type":"result"}]', { type: 'garbage', reason: 'not a JSON object' }],
  ['an unknown type', '{"type":"weather","session_id":"s"}', { type: 'other', name: 'weather', session: 's' }],
  ['a type that is none', '{"type":{"a":1},"session_id":7}', { type: 'other', name: 'unknown' }],
  ['nothing inside', '{}', { type: 'other', name: 'unknown' }],
  ['no session', '{"type":"result","subtype":"success"}', { type: 'other', name: 'result/success' }],
])('a line with %s is kept for what it is [fuzz-stream]', (_, line, expected) => {
  expect(parseStreamLine(line)).toMatchObject(expected)
})

test('a line nested a hundred thousand deep is kept, whatever part of it is [fuzz-stream]', () => {
  const deep = `${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`
  const whole = `{"type":"assistant","session_id":"s","message":{"content":[{"type":"tool_use","id":"t","name":"n","input":{"x":${deep}}}]}}`
  for (const line of [deep, whole, `{"type":"user","session_id":"s","message":${deep}}`]) {
    expect(TYPES[parseStreamLine(line).type]).toBe(true)
    expect(JSON.stringify(parseStreamLine(line)).length).toBeLessThan(5_000)
  }
})
