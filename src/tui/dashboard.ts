import { writeSync } from 'node:fs'
import { Box, render, Text, useApp, useInput, usePaste, useWindowSize } from 'ink'
import { createElement, useEffect, useRef, useState } from 'react'
import type { Daemon } from '../client/ask.ts'
import { attach } from '../client/pane.ts'
import { depthOf, paint } from './paint.ts'
import { plainDashboard } from './plain.ts'
import { Store } from './store.ts'
import { strokesOf } from './stroke.ts'

export type Face = {
  daemon: Daemon
  environment: Record<string, string>
  directory: string
  /** How many colours, as a power of two; 1: no escape for a colour is ever written. */
  colourBits: number
  /** For screen readers, and for terminals that cannot be drawn on: lines, one after the other. */
  isPlain: boolean
  mayChange(command: string): void
  /** Rings and says in the title how many wait, where that is wanted. */
  ring(questions: string[], isQuiet: boolean): void
}

// A person sees no more, and every frame costs.
const FRAMES_PER_SECOND = 30
const FRAME_MS = 1000 / FRAMES_PER_SECOND
// Times on the screen grow older by themselves.
const TICK_MS = 1_000
// A line that a terminal thinks wider than we do must not push the others away: it is not wrapped while we draw.
const NO_WRAP = '\u001b[?7l'
const WRAP = '\u001b[?7h'

/** The terminal dashboard. Resolves with the exit code when its user leaves it. */
export async function dashboard(face: Face): Promise<number> {
  if (face.isPlain) return plainDashboard(face)
  const stop = new AbortController()
  let failure: Error | null = null
  const restoreWrap = () => writeSync(1, WRAP)
  process.once('exit', restoreWrap)
  const screen = createElement(Screen, { face, stop, failed: error => fail(error) })
  const app = render(screen, {
    alternateScreen: true,
    exitOnCtrlC: false,
    incrementalRendering: true,
    maxFps: FRAMES_PER_SECOND,
    patchConsole: false,
  })
  const fail = (error: Error) => {
    failure ??= error
    app.unmount()
  }
  process.on('uncaughtException', fail)
  const leave = () => app.unmount()
  process.once('SIGTERM', leave)
  process.once('SIGHUP', leave)
  process.once('SIGINT', leave)
  writeSync(1, NO_WRAP)
  try {
    await app.waitUntilExit()
  } finally {
    stop.abort()
    restoreWrap()
    process.removeListener('exit', restoreWrap)
    process.removeListener('uncaughtException', fail)
  }
  if (failure) throw failure
  return 0
}

type Props = { face: Face; stop: AbortController; failed(error: Error): void }

function Screen({ face, stop, failed }: Props) {
  const { columns, rows } = useWindowSize()
  const { exit, suspendTerminal } = useApp()
  const [lines, setLines] = useState<string[]>([])
  const size = useRef({ columns, rows })
  size.current = { columns, rows }
  const stage = useRef<{ store: Store; wake(): void } | null>(null)
  stage.current ??= stageOf(face, {
    size: () => size.current,
    show: setLines,
    quit: () => exit(),
    showPane: pane =>
      suspendTerminal(() => {
        writeSync(1, WRAP)
        attach(pane, process.env)
        writeSync(1, NO_WRAP)
      }),
  })
  const { store, wake } = stage.current
  useInput((input, key) => store.press(strokesOf(input, key)))
  usePaste(text => store.press([{ paste: text }]))
  useEffect(() => {
    const tick = setInterval(wake, TICK_MS)
    store.follow(stop.signal).catch(failed)
    return () => clearInterval(tick)
  }, [store, wake, stop, failed])
  // A new size is a new picture, at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size is read by whoever draws.
  useEffect(wake, [wake, columns, rows])
  return createElement(
    Box,
    { flexDirection: 'column', height: rows, width: columns, overflow: 'hidden' },
    ...lines.map((line, n) => createElement(Text, { key: n, wrap: 'truncate' }, line || ' ')),
  )
}

type Stage = {
  size(): { columns: number; rows: number }
  show(lines: string[]): void
  quit(): void
  showPane(pane: string): Promise<void>
}

/** Draws when something may look different, not more often than anybody sees, and nothing when nothing does. */
function stageOf(face: Face, stage: Stage): { store: Store; wake(): void } {
  const depth = depthOf(face.colourBits)
  let shown = ''
  let drawnAt = 0
  let isDue = false
  const draw = () => {
    isDue = false
    drawnAt = performance.now()
    const lines = store.draw(stage.size()).rows.map(row => paint(row, depth))
    const whole = lines.join('\n')
    if (whole === shown) return
    shown = whole
    stage.show(lines)
  }
  const wake = () => {
    if (!isDue) setTimeout(draw, Math.max(0, FRAME_MS - (performance.now() - drawnAt)))
    isDue = true
  }
  const store = new Store({
    ...face,
    now: () => Date.now(),
    changed: wake,
    quit: stage.quit,
    showPane: stage.showPane,
    // The terminal keeps it, also over ssh; one that does not know the sequence shows nothing.
    copy: text => void process.stdout.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`),
  })
  return { store, wake }
}
