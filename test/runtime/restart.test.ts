import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realDisk } from '../../src/adapters/disk.ts'
import { seal } from '../../src/adapters/journal/seal.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { textsIn } from '../../src/adapters/texts.ts'
import { Inbox } from '../../src/daemon/inbox/inbox.ts'
import { Accounts } from '../../src/daemon/sessions/accounts.ts'
import { detail } from '../../src/daemon/watch/show.ts'
import { until } from '../support/until.ts'
import { CREATED, ended, KEY, makeRuns, RUN, told } from './house.ts'

test('a restart replays without performing, then performs exactly what has no outcome yet [runtime-replay]', async () => {
  await using house = makeRuns()
  await house.runs.load()
  house.runs.recover(house.perform)
  const run = await house.runs.create(RUN, CREATED)
  await run.post(told(1))
  const live = run.record
  const second = house.again()
  await second.runs.load()
  expect(second.performed).toEqual([])
  expect(second.runs.find(RUN).record).toEqual(live)
  second.runs.recover(second.perform)
  await until(() => second.performed.length === 1, 'the effect')
  expect(second.performed[0]).toEqual({ key: KEY, effect: live.pending[KEY] })
  await second.runs.close()
  const third = house.again()
  await third.runs.load()
  expect(third.runs.find(RUN).record).toEqual(live)
  await third.runs.close()
})

test('an effect whose outcome is written down is not performed again [runtime-replay]', async () => {
  await using house = makeRuns()
  await house.runs.load()
  const run = await house.runs.create(RUN, CREATED)
  await run.post(ended(1))
  const again = house.again()
  await again.runs.load()
  again.runs.recover(again.perform)
  await again.runs.find(RUN).post(told(1))
  expect(again.performed).toEqual([])
  await again.runs.close()
})

test('an effect that fails is tried again until its outcome is known, and the log says why [runtime-replay]', async () => {
  await using house = makeRuns()
  await house.runs.load()
  let tries = 0
  house.runs.recover(async (run, { key }) => {
    tries += 1
    if (tries < 3) throw new Error('the disk is full')
    await run.post({ type: 'session-ended', effect: key, turn: 1, exit: { how: 'vanished' }, outputBytes: 0 })
  })
  await house.runs.create(RUN, CREATED)
  await until(() => house.events().length === 2, 'the outcome')
  expect(tries).toBe(3)
  expect(house.log.filter(line => line.includes('run-session') && line.includes('the disk is full'))).toHaveLength(2)
})

test('an outcome that cannot be written is kept and posted until it is [runtime-replay]', async () => {
  await using house = makeRuns()
  await house.runs.load()
  const run = await house.runs.create(RUN, CREATED)
  house.fault.append = true
  const posted = house.runs.postSurely(run, ended())
  await until(() => house.log.length > 0, 'the first failure')
  house.fault.append = false
  await posted
  expect(house.events().at(-1)?.type).toBe('session-ended')
  expect(house.log[0]).toMatch(/no space left on device.*free some disk space/)
})

test('timers are set again after a restart, fire when they are due or as soon as they can, and once [runtime-timers]', async () => {
  await using house = makeRuns()
  await house.runs.load()
  house.runs.recover(house.perform)
  const limited = { ...CREATED, spec: { ...(CREATED as { spec: object }).spec, maxTimeMs: 60_000 } } as typeof CREATED
  const run = await house.runs.create(RUN, limited)
  const due = run.record.at + 60_000
  expect(house.timers()).toEqual([due])
  const again = house.again()
  await again.runs.load()
  again.runs.recover(again.perform)
  expect(again.timers()).toEqual([due])
  again.moveTo(due - 1)
  expect(again.events()).toHaveLength(1)
  again.moveTo(due + 86_400_000)
  await until(() => again.events().length === 2, 'the timer')
  expect(again.events()[1]).toMatchObject({ type: 'timer-fired', timer: 'max-time', at: due + 86_400_000 })
  const third = house.again()
  await third.runs.load()
  third.runs.recover(third.perform)
  expect(third.timers()).toEqual([])
  await Promise.all([again.runs.close(), third.runs.close()])
})

test('a damaged journal is said in the log, in the journal and by show, and the run goes on [journal-damage]', async () => {
  await using house = makeRuns()
  await house.runs.load()
  await house.runs.create(RUN, CREATED)
  house.damage('{"v":1,"seq":2,"at":17')
  const again = house.again()
  await again.runs.load()
  expect(again.log).toEqual([`run ${RUN}: the last line is torn; 22 bytes set aside as ${asideOf(again.events())}`])
  expect(again.events().map(({ type }) => type)).toEqual(['run-created', 'journal-repaired'])
  expect(readFileSync(join(house.folder, RUN, asideOf(again.events())), 'utf8')).toBe('{"v":1,"seq":2,"at":17')
  const run = again.runs.find(RUN)
  const directoryOf = (id: string) => join(house.folder, id)
  const textsOf = (id: string) => textsIn(join(directoryOf(id), 'texts'), realDisk)
  const inbox = new Inbox({ write: async () => {}, now: () => 0 })
  const shown = await detail(run, { directoryOf, textsOf, accounts: new Accounts(systemClock), inbox })
  expect(shown.notes).toContain('its journal was damaged and is repaired; what was set aside is in its directory')
  await run.post(told(1))
  // Said once: the next start finds nothing new.
  const third = house.again()
  await third.runs.load()
  expect([third.log, third.runs.find(RUN).record.seq]).toEqual([[], 3])
  await Promise.all([again.runs.close(), third.runs.close()])
})

function asideOf(events: ReturnType<ReturnType<typeof makeRuns>['events']>): string {
  const repaired = events.find(event => event.type === 'journal-repaired')
  return repaired?.type === 'journal-repaired' ? repaired.aside : 'nothing was repaired'
}

test('a run that cannot be read is named with the reason at every start, is not touched, and stops no other [journal-damage] [journal-newer]', async () => {
  await using house = makeRuns()
  await house.runs.load()
  await house.runs.create(RUN, CREATED)
  const newer = seal({ v: 9, seq: 1, at: 1, type: 'run-created' })
  const broken = 'no journal at all\nreally\n'
  for (const [id, text] of [
    ['newer000', newer],
    ['broken00', broken],
  ] as const) {
    mkdirSync(join(house.folder, id))
    writeFileSync(join(house.folder, id, 'journal.ndjson'), text)
  }
  for (const _ of [1, 2]) {
    const again = house.again()
    await again.runs.load()
    expect(again.runs.all().map(({ id }) => id)).toEqual([RUN])
    expect(again.log.toSorted().map(line => line.slice(0, 27))).toEqual([
      'run broken00 cannot be read',
      'run newer000 cannot be read',
    ])
    expect(() => again.runs.find('newer000')).toThrow(/newer rehoboam; install that version/)
    expect(() => again.runs.find('broken00')).toThrow(/left as it is/)
    expect(again.runs.has('broken00')).toBe(true)
    await again.runs.close()
  }
  expect(readFileSync(join(house.folder, 'newer000', 'journal.ndjson'), 'utf8')).toBe(newer)
  expect(readFileSync(join(house.folder, 'broken00', 'journal.ndjson'), 'utf8')).toBe(broken)
})

test('a full disk at the end costs a snapshot, never an event [journal-snapshot]', async () => {
  await using house = makeRuns({ snapshotEvery: 10 })
  await house.runs.load()
  const run = await house.runs.create(RUN, CREATED)
  house.fault.replace = true
  for (let n = 0; n < 30; n++) await run.post(told(n))
  await house.runs.close()
  const again = house.again()
  await again.runs.load()
  expect(again.runs.find(RUN).record).toEqual(run.record)
  await again.runs.close()
})

test('state is stored every so many events, at an end, and when the daemon stops: a restart reads the rest only [journal-snapshot]', async () => {
  await using house = makeRuns({ snapshotEvery: 10 })
  await house.runs.load()
  const run = await house.runs.create(RUN, CREATED)
  for (let n = 0; n < 25; n++) await run.post(told(n))
  expect(house.story.filter(line => line === 'replaced state.json')).toHaveLength(2)
  await house.runs.close()
  expect(house.story.filter(line => line === 'replaced state.json')).toHaveLength(3)
  const stored = JSON.parse(readFileSync(join(house.folder, RUN, 'state.json'), 'utf8'))
  expect([stored.seq, stored.value]).toEqual([26, JSON.parse(JSON.stringify(run.record))])
})
