import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { RUN, scratch } from '../git/scratch.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { world } from './world.ts'

/** A server test as projects have it: on the port that it is told, with a file where temporary files go. */
const SERVER_TEST = `
import { createServer } from 'node:http'
import { mkdtempSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
const ports = [0, 1, 19].map(n => Number(process.env.REHOBOAM_PORT_BASE) + n)
if (String(ports[0]) !== process.env.PORT) throw new Error('PORT is not the first of the block')
const pidfile = join(process.env.TMPDIR, 'server.pid')
if (existsSync(pidfile)) throw new Error('somebody else is here')
writeFileSync(pidfile, String(process.pid))
const servers = await Promise.all(ports.map(port => new Promise((resolve, reject) => {
  const server = createServer((_, answer) => answer.end(String(process.pid)))
  server.once('error', reject)
  server.listen(port, '127.0.0.1', () => resolve(server))
})))
process.stdout.write('up\\n')
await new Promise(resolve => process.stdin.once('data', resolve))
for (const port of ports) {
  const said = await (await fetch('http://127.0.0.1:' + port)).text()
  if (said !== String(process.pid)) throw new Error('another server answers on ' + port)
}
process.exit(0)
`

// Each is a Node process with three servers.
const COUNT = PLAYS_ALL ? 10 : 4

test('worktrees run the same server test at once, each on its own ports; after a restart they are the same [worktree-ports]', async () => {
  using place = scratch()
  place.commit({ 'server.test.mjs': SERVER_TEST })
  const { open, workplaces } = await world(place)
  const ids = Array.from({ length: COUNT }, (_, n) => `T${n}`)
  const opened = []
  for (const id of ids) opened.push(await open(id, null))
  const running = opened.map(({ directory, environment }) => {
    const options = { cwd: directory, env: { ...place.environment, ...environment } }
    const ran = promisify(execFile)(process.execPath, ['server.test.mjs'], options)
    return { ran, up: new Promise(resolve => ran.child.stdout?.once('data', resolve)) }
  })
  // All of them are up at the same time, or one of them says why it is not.
  await Promise.all(running.map(({ ran, up }) => Promise.race([up, ran])))
  for (const { ran } of running) ran.child.stdin?.end('go\n')
  await Promise.all(running.map(({ ran }) => ran))

  const bases = opened.map(({ environment }) => Number(environment.REHOBOAM_PORT_BASE))
  expect(new Set(bases).size).toBe(COUNT)
  expect(bases.every(base => base % 20 === 0)).toBe(true)
  const later = await world(place)
  expect((await later.open('T3', null)).environment).toEqual(opened[3]!.environment)
  expect(await workplaces.release({ run: RUN, task: 'T0' }, place.project)).toEqual({ removed: true })
  const others = bases.slice(1).map(String)
  expect(others).not.toContain((await later.open('another', null)).environment.PORT)
})
