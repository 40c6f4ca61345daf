import { emitKeypressEvents } from 'node:readline'
import { attach } from '../client/find-pane.ts'
import { cellText } from '../view/cell-text.ts'
import type { Face } from './dashboard.ts'
import { Store } from './dashboard-store.ts'
import { textOf } from './row.ts'
import type { NamedKey, Stroke } from './stroke.ts'

const TICK_MS = 1_000

/**
 * The same dashboard as lines: nothing is drawn over, nothing has a colour. After a key the view is told anew; in
 * between only what needs somebody is said, when it begins to.
 */
export async function plainDashboard(face: Face): Promise<number> {
  const stop = new AbortController()
  const left = Promise.withResolvers<number>()
  const { stdin, stdout } = process
  let told = ''
  const say = (line: string) => void stdout.write(`${line}\n`)
  const tell = () => {
    const { rows } = store.draw({ columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 })
    const lines = rows.map(row => textOf(row).replace(RULES, ' ').trimEnd()).filter(Boolean)
    const page = lines.join('\n')
    if (page === told) return
    told = page
    say(page)
    say('')
  }
  let isPressed = true
  let isWaiting = false
  const seen = new Set<string>()
  // What keys have asked for is told when it is there, which may be a moment after the key.
  const changed = () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      announce()
      if (isPressed && !store.board.isEmpty) tell()
      isPressed = isPressed && store.board.isEmpty
    }, 150)
  }
  const store: Store = new Store({
    ...face,
    now: () => Date.now(),
    changed,
    quit: () => left.resolve(0),
    async showPane(pane) {
      stdin.setRawMode?.(false)
      attach(pane, process.env)
      stdin.setRawMode?.(true)
    },
    async editPlan(run) {
      stdin.setRawMode?.(false)
      try {
        return await face.editPlan(run)
      } finally {
        stdin.setRawMode?.(true)
      }
    },
    // A screen reader reads it out, and that is how it is copied.
    copy: () => {},
  })
  /** What is new and waits for somebody, a line each; and what came of a key. */
  const announce = () => {
    const { board, ui } = store
    for (const { id, kind, text } of board.inbox.questions) {
      if (!seen.has(id)) say(`needs you: ${kind}: ${cellText(text, 400)}`)
      seen.add(id)
    }
    if (board.away && !seen.has('away'))
      say(board.away.why ? cellText(board.away.why, 400) : 'the daemon is away, waiting')
    if (board.away) seen.add('away')
    else if (seen.delete('away')) say('the daemon is back')
    if (ui.notice && !seen.has(ui.notice.text)) isPressed = true
  }
  emitKeypressEvents(stdin)
  stdin.setRawMode?.(true)
  const onKey = (text: string | undefined, key: { name?: string; ctrl?: boolean; shift?: boolean }) => {
    isPressed = true
    told = ''
    store.press(strokeOf(text, key))
  }
  stdin.on('keypress', onKey)
  process.once('SIGTERM', () => left.resolve(143))
  process.once('SIGHUP', () => left.resolve(129))
  process.once('SIGINT', () => left.resolve(130))
  const tick = setInterval(changed, TICK_MS)
  store.follow(stop.signal).catch(error => left.reject(error))
  try {
    return await left.promise
  } finally {
    clearInterval(tick)
    stop.abort()
    stdin.removeListener('keypress', onKey)
    stdin.setRawMode?.(false)
    stdin.pause()
  }
}

/** Lines and bars are for eyes. */
const RULES = /[─│▌┌┐└┘├┤┬┴┼]+/g

const NAMES: Record<string, NamedKey> = {
  up: 'up',
  down: 'down',
  left: 'left',
  right: 'right',
  pageup: 'pageUp',
  pagedown: 'pageDown',
  home: 'home',
  end: 'end',
  return: 'enter',
  enter: 'enter',
  escape: 'escape',
  backspace: 'backspace',
  tab: 'tab',
}

function strokeOf(text: string | undefined, key: { name?: string; ctrl?: boolean; shift?: boolean }): Stroke[] {
  if (key.ctrl && key.name) return [{ ctrl: key.name }]
  const named = NAMES[key.name ?? '']
  if (named) return [{ key: named === 'tab' && key.shift ? 'backTab' : named }]
  return text && !/\p{Cc}/u.test(text) ? [{ char: text }] : []
}
