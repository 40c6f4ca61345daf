import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LOOP_FILES } from '../../../src/adapters/loop-directory.ts'
import type { Note } from '../../runtime/lane/doom.ts'
import { cut } from '../../runtime/lane/power-cut.ts'
import type { Random } from '../../runtime/lane/random.ts'
import type { World } from '../../runtime/lane/world.ts'
import { git } from '../projects.ts'

/**
 * What a power cut leaves of the repositories: every checkpoint whose making was reported, and of one that was being made
 * its ref with all of it, or no ref and any part of its objects. (Objects are synced before their ref is.) The logs of a
 * loop directory are never synced: any beginning of them is left, or nothing.
 */
export function cutRepositories(world: World, random: Random): void {
  const sure = new Set(notesOf(world).flatMap(note => (note.op === 'checkpointed' ? [note.commit] : [])))
  for (let n = 0; existsSync(world.project(n)); n++) {
    const project = world.project(n)
    cutRepository(project, sure, random)
    for (const name of LOOP_FILES.filter(file => file.endsWith('.log'))) {
      if (existsSync(join(project, '.rehoboam', name))) cut(join(project, '.rehoboam', name), undefined, random)
    }
    // What a cut has left no later one takes away.
    for (const commit of checkpointsOf(project).map(({ commit }) => commit)) {
      appendFileSync(world.notes, `${JSON.stringify({ op: 'checkpointed', path: project, commit } satisfies Note)}\n`)
    }
  }
}

function checkpointsOf(project: string): { commit: string; ref: string }[] {
  const lines = git(project, 'for-each-ref', '--format=%(objectname) %(refname)', 'refs/rehoboam/').split('\n')
  return lines.filter(Boolean).map(line => {
    const [commit = '', ref = ''] = line.split(' ')
    return { commit, ref }
  })
}

function cutRepository(project: string, sure: Set<string>, random: Random): void {
  for (const { commit, ref } of checkpointsOf(project)) {
    if (!sure.has(commit) && random.chance(0.5)) git(project, 'update-ref', '-d', ref)
  }
  const kept = new Set(git(project, 'rev-list', '--glob=refs/*', '--objects').split(/[ \n]/))
  for (const id of looseObjects(project)) {
    if (!kept.has(id) && random.chance(0.6)) rmSync(join(project, '.git/objects', id.slice(0, 2), id.slice(2)))
  }
  // Locks of processes that are gone: a person removes them, or git does; ours never are on the user's own index.
  rmSync(join(project, '.git/index.lock'), { force: true })
}

function looseObjects(project: string): string[] {
  const objects = join(project, '.git/objects')
  return readdirSync(objects)
    .filter(name => /^[0-9a-f]{2}$/.test(name))
    .flatMap(name => readdirSync(join(objects, name)).map(rest => name + rest))
    .filter(id => /^[0-9a-f]{40}$/.test(id))
}

function notesOf(world: World): Note[] {
  if (!existsSync(world.notes)) return []
  return readFileSync(world.notes, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}
