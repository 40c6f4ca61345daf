import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from '../support/real-client.ts'
import type { Ended } from '../support/real-process.ts'

// What the real client did, in files: test/client/recordings has its performances, which the puppet must equal, and
// test/fixtures/stream the raw lines of some scenes, which the parser is tested with. record.ts writes both.

export type Recording = { version: string; performances: Record<string, unknown> }

export const RECORD_AGAIN = 'node test/client/record.ts'

/** The version of the client that `npm ci` installs. */
export const CLIENT_VERSION: string = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  .devDependencies['@anthropic-ai/claude-code']

export function recordingPath(group: string): string {
  return join(import.meta.dirname, 'recordings', `${group}.json`)
}

export function readRecording(group: string): Recording {
  return JSON.parse(readFileSync(recordingPath(group), 'utf8'))
}

export function fixturePath(name: string): string {
  return join(import.meta.dirname, '../fixtures/stream', `${name.replace(/[^A-Za-z0-9]+/g, '-')}.ndjson`)
}

export function readFixture(name: string): string[] {
  return readFileSync(fixturePath(name), 'utf8').trim().split('\n')
}

/** The raw lines, with everything made neutral that belongs to one machine, one moment or one run. */
export function neutralLines(bench: Bench, ended: Ended[]): string[] {
  const uuids = new Map<string, string>()
  const neutral = (line: string) =>
    line
      .replaceAll(bench.home.cwd, '/home/dev/shop')
      .replaceAll(bench.home.home, '/home/dev')
      .replaceAll(bench.home.cwd.replace(/[^A-Za-z0-9]/g, '-'), '-home-dev-shop')
      .replaceAll(`127.0.0.1:${bench.model.port}`, '127.0.0.1:4000')
      .replace(/cc-socks\/\d+\.sock/g, 'cc-socks/1.sock')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-01T00:00:00.000Z')
      .replace(/("(?:\w*_ms|end_time|resetsAt)"):\d+/g, '$1:1')
      .replace(/("run_id"|"runId"):"[^"]+"/g, '$1:"run-1"')
      .replace(/resets \d+(:\d+)?[ap]m \([^)]*\)/g, 'resets 10pm (UTC)')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, id => {
        if (!uuids.has(id)) uuids.set(id, `00000000-0000-4000-8000-${String(uuids.size + 1).padStart(12, '0')}`)
        return uuids.get(id)!
      })
  const lines = ended.flatMap(({ raw }) => raw.map(neutral))
  const [task] = lines.flatMap(line => /"task_id":"(\w+)"/.exec(line)?.[1] ?? [])
  return task ? lines.map(line => line.replaceAll(task, 'b00000001')) : lines
}
