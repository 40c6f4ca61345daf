import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Note } from '../../runtime/lane/doom.ts'
import type { Random } from '../../runtime/lane/random.ts'
import type { World } from '../../runtime/lane/world.ts'
import { git } from '../projects.ts'

/**
 * What a power cut leaves of the repositories: every checkpoint whose making was reported, and of one that was being made
 * its ref with all of it, or no ref and any part of its objects. (Objects are synced before their ref is.)
 */
export function cutRepositories(world: World, random: Random): void {
  const sure = new Set(notesOf(world).flatMap(note => (note.op === 'checkpointed' ? [note.commit] : [])))
  for (let n = 0; existsSync(world.project(n)); n++) cut(world.project(n), sure, random)
}

function cut(project: string, sure: Set<string>, random: Random): void {
  const refs = git(project, 'for-each-ref', '--format=%(objectname) %(refname)', 'refs/rehoboam/').split('\n')
  for (const line of refs.filter(Boolean)) {
    const [commit = '', ref = ''] = line.split(' ')
    if (!sure.has(commit) && random.chance(0.5)) git(project, 'update-ref', '-d', ref)
  }
  const kept = new Set(git(project, 'rev-list', '--all', '--objects').split(/[ \n]/))
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
