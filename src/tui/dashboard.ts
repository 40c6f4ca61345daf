import { writeSync } from 'node:fs'
import { render, useApp, useInput, usePaste, useWindowSize } from 'ink'
import { createElement, useEffect, useRef } from 'react'
import type { Daemon } from '../client/ask.ts'
import { attach } from '../client/find-pane.ts'
import { Canvas } from './canvas.ts'
import { Store } from './dashboard-store.ts'
import { depthOf, paint } from './paint.ts'
import { plainDashboard } from './plain-dashboard.ts'
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
  /** Opens the plan of a quest in its user's editor, on this terminal; says whether it was changed. */
  editPlan(run: string): Promise<boolean>
  /** Rings and says in the title how many wait, where that is wanted. */
  ring(questions: string[], isQuiet: boolean): void
}

// A person sees no more, and every frame costs.
const FRAMES_PER_SECOND = 30
const FRAME_MS = 1000 / FRAMES_PER_SECOND
// A line that a terminal thinks wider than we do must not push the others away: it is not wrapped while we draw.
const BEGIN = '\u001b[?7l\u001b[?25l'
const END = '\u001b[?7h\u001b[?25h'

/** A terminal. */
export type Terminal = { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream }

/** The terminal dashboard. Resolves with the exit code when its user leaves it. */
export async function dashboard(face: Face, terminal: Terminal = process): Promise<number> {
  if (face.isPlain) return plainDashboard(face)
  const stop = new AbortController()
  let failure: Error | null = null
  const restore = () => writeSync(1, END)
  process.once('exit', restore)
  const screen = createElement(Screen, { face, terminal, stop, failed: error => fail(error) })
  const app = render(screen, {
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    alternateScreen: true,
    exitOnCtrlC: false,
    incrementalRendering: true,
    // We decide ourselves when there is a frame; a second one who waits would only make keys late.
    maxFps: 1_000,
    patchConsole: false,
  })
  // What is drawn once we leave would stand over what was on the terminal before.
  let code = 0
  const leave = (as = 0) => {
    code = as
    stop.abort()
    app.unmount()
  }
  const fail = (error: Error) => {
    failure ??= error
    leave()
  }
  process.on('uncaughtException', fail)
  process.once('SIGTERM', () => leave(143))
  process.once('SIGHUP', () => leave(129))
  process.once('SIGINT', () => leave(130))
  writeSync(1, BEGIN)
  try {
    await app.waitUntilExit()
  } finally {
    stop.abort()
    restore()
    process.removeListener('exit', restore)
    process.removeListener('uncaughtException', fail)
  }
  if (failure) throw failure
  return code
}

type Props = { face: Face; terminal: Terminal; stop: AbortController; failed(error: Error): void }

/**
 * Ink has the terminal: the other screen, keys, pastes, its size, and giving it away for a while. It does not draw: laying
 * out and comparing a screen of 200x60 takes it 40 ms and more, and we know which lines are new.
 */
function Screen({ face, terminal, stop, failed }: Props) {
  const { columns, rows } = useWindowSize()
  const { exit, suspendTerminal } = useApp()
  const size = useRef({ columns, rows })
  size.current = { columns, rows }
  const stage = useRef<ReturnType<typeof stageOf> | null>(null)
  stage.current ??= stageOf(face, {
    size: () => size.current,
    canvas: new Canvas(terminal.stdout),
    over: stop.signal,
    quit: () => {
      stop.abort()
      exit()
    },
    lend: use =>
      suspendTerminal(async () => {
        writeSync(1, END)
        try {
          await use()
        } finally {
          writeSync(1, BEGIN)
        }
      }),
  })
  const { store, rest, redraw } = stage.current
  useInput((input, key) => store.press(strokesOf(input, key)))
  usePaste(text => store.press([{ paste: text }]))
  useEffect(() => {
    store.follow(stop.signal).catch(error => {
      if (!stop.signal.aborted) failed(error)
    })
    return rest
  }, [store, rest, stop, failed])
  // A new size is a new picture, at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size is read by whoever draws.
  useEffect(redraw, [redraw, columns, rows])
  return null
}

type Stage = {
  /** Somebody leaves: nothing is drawn any more. */
  over: AbortSignal
  size(): { columns: number; rows: number }
  canvas: Canvas
  quit(): void
  /** Gives the terminal to somebody else until they are done with it. */
  lend(use: () => void | Promise<void>): Promise<void>
}

/** Draws when something may look different, not more often than anybody sees, and nothing when nothing does. */
function stageOf(face: Face, stage: Stage) {
  const depth = depthOf(face.colourBits)
  let drawnAt = 0
  let isDue = false
  let isLent = false
  let tick: NodeJS.Timeout | undefined
  const draw = () => {
    isDue = false
    if (stage.over.aborted || isLent) return
    drawnAt = performance.now()
    const { rows, oldInMs } = store.draw(stage.size())
    stage.canvas.show(
      rows.map(row => paint(row, depth)),
      wake,
    )
    // Times that are shown grow older by themselves.
    clearTimeout(tick)
    tick = setTimeout(wake, oldInMs).unref()
  }
  const wake = () => {
    if (!isDue) setTimeout(draw, Math.max(0, FRAME_MS - (performance.now() - drawnAt)))
    isDue = true
  }
  const redraw = () => {
    stage.canvas.forget()
    wake()
  }
  const lend = async (use: () => void | Promise<void>) => {
    isLent = true
    try {
      await stage.lend(use)
    } finally {
      isLent = false
      redraw()
    }
  }
  const store = new Store({
    ...face,
    now: () => Date.now(),
    changed: wake,
    quit: stage.quit,
    showPane: pane => lend(() => void attach(pane, process.env)),
    async editPlan(run) {
      let isChanged = false
      await lend(async () => {
        isChanged = await face.editPlan(run)
      })
      return isChanged
    },
    // The terminal keeps it, also over ssh; one that does not know the sequence shows nothing.
    copy: text => void process.stdout.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`),
  })
  return { store, redraw, rest: () => clearTimeout(tick) }
}
