import { basename, dirname, join } from 'node:path'
import type { Driver, TurnPlace } from '../../ports.ts'
import { hasTmuxChanged, type Tmux } from '../tmux.ts'
import { claudeHeadless, MARK, prepare } from './headless.ts'
import { PANE_WRAPPER, TURN_FILES } from './wrapper.ts'

// A server that is ending may refuse several attempts. After the last one `start` throws, and its caller tries again later.
const ATTEMPTS = 3

/** Claude Code in a pane of our own tmux server, where a person may look and type. A run keeps its pane. */
export function claudePane(tmux: Pick<Tmux, keyof Tmux>): Driver {
  return {
    ...claudeHeadless,
    async start(session) {
      const { place, spec, environment } = session
      const file = (name: keyof typeof TURN_FILES) => join(place.directory, TURN_FILES[name])
      const client = await prepare(session, tmux.socket)
      const files = [file('claim'), file('prompt'), file('exit')]
      const command = ['/bin/sh', '-c', PANE_WRAPPER, 'rehoboam-session', ...files, ...client]
      const name = nameOf(place)
      const inPane = { ...environment, [MARK]: place.directory, TERM: 'screen-256color' }
      const open = async () => {
        const pane = await tmux.paneOf(name)
        if (!pane) return tmux.newPane({ session: name, directory: spec.project, command, environment: inPane })
        await tmux.setEnvironment(name, MARK, place.directory)
        return tmux.respawnPane(pane, spec.project, command)
      }
      for (let attempt = 1; ; attempt++) {
        try {
          await open()
          return
        } catch (error) {
          if (attempt === ATTEMPTS || !hasTmuxChanged(error)) throw error
        }
        // The failed attempt may have started the client. Another attempt would kill it.
        if ((await claudeHeadless.look(place)).is !== 'absent') return
      }
    },
    async paneOf(place) {
      const pane = await tmux.paneOf(nameOf(place))
      return pane ? `${tmux.socket}:${pane}` : null
    },
    closePane: place => tmux.killSession(nameOf(place)),
    tidyPanes: runs => tmux.tidy(new Set(runs.map(sessionName))),
    async type(place, text) {
      const pane = await tmux.paneOf(nameOf(place))
      if (pane) await tmux.type(pane, text)
    },
  }
}

/** `runs/<id>/turns/<n>`: the run's id is the name of its tmux session. */
function nameOf({ directory }: TurnPlace): string {
  return sessionName(basename(dirname(dirname(directory))))
}

/** A dot is tmux's own, between a window and a pane. */
function sessionName(run: string): string {
  return run.replaceAll('.', '_')
}
