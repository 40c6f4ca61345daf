// A process of its own that takes tasks until there is none: what it got, one a line. It says that it is up, and waits
// until a file is there, so that all claimers begin at once.
import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Daemon } from '../../src/client/ask.ts'

const [run = '', script = '', version = '', up = '', go = ''] = process.argv.slice(2)
const daemon = new Daemon(process.env, { node: process.execPath, script, version })
const body = { run, directory: process.cwd(), task: null, text: null }
writeFileSync(up, '')
while (!existsSync(go)) await delay(5)
for (;;) {
  const task = await daemon.ask<{ id: string }>({ method: 'POST', path: '/v1/tasks/claim', body }).catch(error => {
    if (error.code === 'task-none') return null
    throw error
  })
  if (!task) break
  console.log(task.id)
}
