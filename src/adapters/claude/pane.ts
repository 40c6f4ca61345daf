import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Driver, SessionStart } from '../../ports.ts'
import type { Tmux } from '../tmux.ts'
import { commandLine } from './command-line.ts'
import { claudeHeadless, MARK } from './headless.ts'
import { PANE_WRAPPER, TURN_FILES } from './wrapper.ts'

/** Claude Code in a pane of our own tmux server, where a person may look and type. A run keeps its pane. */
export function claudePane(tmux: Tmux): Driver {
  return {
    ...claudeHeadless,
    async start({ place, spec, environment, prompt, resume }: SessionStart) {
      const file = (name: keyof typeof TURN_FILES) => join(place.directory, TURN_FILES[name])
      await mkdir(place.directory, { recursive: true, mode: 0o700 })
      await writeFile(file('prompt'), prompt, { mode: 0o600 })
      const program = (await claudeHeadless.clientProgram(spec.client, environment)) ?? spec.client
      const client = [program, ...commandLine(spec, resume, null)]
      const files = [file('claim'), file('prompt'), file('exit')]
      const command = ['/bin/sh', '-c', PANE_WRAPPER, 'rehoboam-session', ...files, ...client]
      const session = runOf(place.directory)
      const pane = await tmux.paneOf(session)
      if (pane) {
        await tmux.setEnvironment(session, MARK, place.directory)
        return tmux.respawnPane(pane, spec.project, command)
      }
      const inPane = { ...environment, [MARK]: place.directory, TERM: 'screen-256color' }
      await tmux.newPane({ session, directory: spec.project, command, environment: inPane })
    },
    async paneOf(place) {
      const pane = await tmux.paneOf(runOf(place.directory))
      return pane ? `${tmux.socket}:${pane}` : null
    },
    async type(place, text) {
      const pane = await tmux.paneOf(runOf(place.directory))
      if (pane) await tmux.type(pane, text)
    },
  }
}

/** `runs/<id>/turns/<n>`: the run's id is the name of its tmux session. */
function runOf(turnDirectory: string): string {
  return basename(dirname(dirname(turnDirectory)))
}
