// A process of its own that takes tasks until there is none: what it got, one a line.
import { Daemon } from '../../src/client/ask.ts'

const [run = '', script = '', version = ''] = process.argv.slice(2)
const daemon = new Daemon(process.env, { node: process.execPath, script, version })
const body = { run, directory: process.cwd(), task: null, text: null }
for (;;) {
  const task = await daemon.ask<{ id: string }>({ method: 'POST', path: '/v1/tasks/claim', body }).catch(error => {
    if (error.code === 'task-none') return null
    throw error
  })
  if (!task) break
  console.log(task.id)
}
