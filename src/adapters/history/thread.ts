// The thread that owns the database of the history. It does what it is told, one after the other.
import { parentPort, workerData } from 'node:worker_threads'
import type { Order, Report } from './history.ts'
import { HistoryStore } from './history-store.ts'

const port = parentPort!
const report = (what: Report) => port.postMessage(what)
const store = new HistoryStore(workerData as string, log => report({ log }))

port.on('message', (order: Order) => {
  if (order === 'close') {
    store.close()
    port.close()
  } else if ('write' in order) {
    store.write(order.write)
    report({ written: order.write.length })
  } else if ('of' in order) report({ ask: order.ask, entries: store.of(order.of, order.limit) })
  else store.forgetBefore(order.forgetBefore)
})
