import type { Stamped } from '../../contract/event.ts'
import type { Happening } from '../../contract/watch.ts'
import { cellText } from '../../view/cell-text.ts'
import { eventTeller } from '../../view/run-words.ts'
import { durationWords } from '../../view/words.ts'
import { folderOf } from '../agent-cells.ts'
import { cellsOf, cutRow, type Row, span } from '../row.ts'
import type { Context, Screen } from '../screen.ts'

/** What has happened, the newest last; it goes on by itself unless somebody has scrolled back. */
export function eventsScreen(context: Context): Screen {
  const { board, columns, rows, ui } = context
  const told = board.happenings.filter(isTold)
  const most = Math.max(0, told.length - rows)
  const back = Math.min(ui.scrolls.events ?? 0, most)
  const shown = told.slice(Math.max(0, told.length - rows - back), told.length - back)
  const omitted = board.omitted ? `, ${board.omitted} more came too fast to be shown` : ''
  return {
    title: `events  ${told.length}${omitted}${back ? `, ${back} back` : ''}`,
    rows:
      shown.length === 0 ? [[], [span('  Nothing has happened yet.', 'dim')]] : shown.map(one => line(one, context)),
    grid: [],
    chosen: null,
    target: {},
    keys: [['↑↓', 'scroll']],
    scroll: { most, page: rows, fromEnd: true },
  }

  function line(happening: Happening, { board: all }: Context): Row {
    const time = new Date(happening.at).toTimeString().slice(0, 8)
    const who = happening.kind === 'run' ? happening.run : folderOf(all.agents.get(happening.agent)?.project ?? '')
    const id = happening.kind === 'run' ? '' : happening.agent.slice(0, 8)
    const widths = columns >= 100 ? [9, 20, 9] : [9, 14]
    const cells = [
      [span(` ${time}`, 'dim' as const)],
      [span(cellText(who, 80))],
      ...(columns >= 100 ? [[span(id, 'dim' as const)]] : []),
    ]
    return cutRow(cellsOf([...cells, wordsOf(happening)], widths), columns)
  }
}

function isTold(happening: Happening): boolean {
  return happening.kind === 'hook' || textOf(happening.event) !== null
}

// Each by itself: what came before one of these is not known here.
function textOf(event: Stamped): string | null {
  return eventTeller()(event)
}

function wordsOf(happening: Happening): Row {
  if (happening.kind === 'run') return [span(cellText(textOf(happening.event) ?? '', 300), 'working')]
  const { name, words, ms, failed, subagent } = happening
  const took = ms ? `  ${durationWords(ms)}` : ''
  const who = subagent ? 'subagent ' : ''
  const tone = failed || name === 'StopFailure' ? 'failed' : name === 'PermissionRequest' ? 'attention' : 'text'
  return [span(`${who}${cellText(name, 40)}`, tone), span(`  ${cellText(words, 300)}`, 'dim'), span(took, 'dim')]
}
