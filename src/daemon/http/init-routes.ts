import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Hono } from 'hono'
import type { z } from 'zod'
import { changeSettings, readSettings, settingsPath } from '../../adapters/settings-file.ts'
import { disablesHooks, hooksState, startedFiles } from '../../config/hook-settings/hooks-installed.ts'
import { withHooks } from '../../config/hook-settings/install.ts'
import { withoutHooks } from '../../config/hook-settings/remove.ts'
import { RehoboamError } from '../../contract/errors.ts'
import {
  ANY_PROGRAM,
  type HooksState,
  type InitChange,
  InitChangeRequest,
  type InitListing,
  InitRequest,
  SettingsPlace,
  thisProgram,
} from '../../contract/hook-settings.ts'
import { bodyOf } from './answers.ts'

/** Our hooks in the settings files of a user's own sessions. */
export function initRoutes(): Hono {
  const app = new Hono()
  app.post('/list', async c => c.json(await listing(await bodyOf(c, InitRequest))))
  app.post('/install', async c => c.json(await install(await bodyOf(c, InitChangeRequest))))
  app.post('/remove', async c => c.json(await remove(await bodyOf(c, InitChangeRequest))))
  return app
}

type Request = z.infer<typeof InitRequest>
type ChangeRequest = z.infer<typeof InitChangeRequest>

async function install(request: ChangeRequest): Promise<InitChange> {
  await requireDirectory(request.directory)
  const { place, path, program } = fileOf(request, request.place)
  let before = 0
  let hooks = 0
  const changed = await changeSettings(path, file => {
    const text = withHooks(file.text === null ? { directories: file.missingDirectories } : { text: file.text }, program)
    before = hooksState(file.text, program).hooks
    hooks = hooksState(text, program).hooks
    return { text }
  })
  const did = !changed ? 'nothing' : before > 0 ? 'updated' : 'installed'
  return { place, path, did, hooks, notes: await notesFor(request, place) }
}

async function remove(request: ChangeRequest): Promise<InitChange> {
  const { place, path } = fileOf(request, request.place)
  let hooks = 0
  await changeSettings(path, file => {
    if (file.text === null) return { gone: true, directories: 0 }
    const removed = withoutHooks(file.text)
    hooks = removed.hooks
    // Somebody has put a link in the place of the file that we made: what it points to is theirs.
    return removed.made && !file.isLink ? { gone: true, ...removed.made } : { text: removed.text }
  })
  return { place, path, did: hooks > 0 ? 'removed' : 'nothing', hooks, notes: await notesFor(request, place) }
}

export async function listing(request: Request): Promise<InitListing> {
  const looked = await Promise.all(
    SettingsPlace.options.map(async place => {
      const { path, program } = fileOf(request, place)
      try {
        const { text } = await readSettings(path)
        return { place, path, ...standing(text, program), isOff: disablesHooks(text) }
      } catch (error) {
        if (!(error instanceof RehoboamError)) throw error
        return { place, path, state: 'unreadable' as const, hooks: 0, sentence: error.message, isOff: false }
      }
    }),
  )
  const notes = looked
    .filter(({ isOff }) => isOff)
    .map(({ path }) => `${path} says disableAllHooks: the client runs no hooks until that is taken out`)
  return { files: looked.map(({ isOff, ...file }) => file), notes }
}

/** As the text says it; and of what it starts, whether it is there. */
function standing(text: string | null, program: string): HooksState {
  const state = hooksState(text, program)
  const gone = text === null || state.hooks === 0 ? undefined : startedFiles(text).find(path => !existsSync(path))
  if (gone === undefined) return state
  return { ...state, state: 'outdated', sentence: `${state.hooks} hooks that do nothing: ${gone} is gone` }
}

/** What else must be known after a change: of the other files, and of what keeps hooks from running. */
async function notesFor(request: Request, changed: SettingsPlace): Promise<string[]> {
  const { files, notes } = await listing(request)
  const others = files.filter(({ place, hooks }) => place !== changed && hooks > 0)
  return [...others.map(({ path, hooks }) => `${path} holds ${hooks} of our hooks too`), ...notes]
}

function fileOf({ directory, environment, program }: Request, place: SettingsPlace) {
  const path = settingsPath(place, directory, environment)
  return { place, path, program: place === 'shared' ? ANY_PROGRAM : thisProgram(program) }
}

async function requireDirectory(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => null)
  if (found?.isDirectory()) return
  throw new RehoboamError('directory-missing', `${directory} is not a directory; make it first, or name another`)
}
