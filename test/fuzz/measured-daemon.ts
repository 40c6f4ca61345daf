// The real daemon, started with --expose-gc, that tells over IPC how much memory it holds once garbage is collected.
import { setTimeout } from 'node:timers/promises'
import { runDaemon } from '../../src/daemon/main.ts'
import { PROGRAM } from '../support/programs.ts'

declare const gc: () => void

process.on('message', async () => {
  let least = Number.POSITIVE_INFINITY
  // What a connection held is free only some turns after it was closed: until nothing becomes less any more.
  for (let calm = 0; calm < 5; calm++) {
    await setTimeout(10)
    gc()
    const { heapUsed, external } = process.memoryUsage()
    if (heapUsed + external < least * 0.999) calm = 0
    least = Math.min(least, heapUsed + external)
  }
  process.send!({ bytes: least })
})
// Whoever measured is gone: nobody would ever end this process.
process.on('disconnect', () => process.exit(1))
process.exit(await runDaemon('0.1.0', process.env, { script: PROGRAM }))
