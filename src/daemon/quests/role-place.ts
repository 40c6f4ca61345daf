import { realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { isChild, rootOf } from '../../contract/ids.ts'
import type { RoleSpec } from '../../contract/quest.ts'
import { globMatches } from '../../core/inbox/rules/glob.ts'
import { oneLine } from '../../core/plain-text.ts'
import { roleNamed, sessionNamed, workOf } from '../../core/quest/quest-state.ts'
import type { ParentOutside } from '../parent/parent-outside.ts'
import type { RunChild } from '../parent/run-child.ts'
import type { Run } from '../runtime/live-run.ts'
import { questOf } from '../runtime/run-kinds.ts'
import { setupOf } from '../worktrees/setup-of.ts'
import type { Workplace } from '../worktrees/workplaces.ts'

/** Where the sessions of roles work: on the branch of their step, or in a worktree that is thrown away. */

export function specOfRole(run: Run, name: string): RoleSpec {
  const role = roleNamed(questOf(run), name)
  if (!role) throw new Error(`run ${run.id} has no role ${name}`)
  return role
}

/** Makes it, or finds it as it was left; gives the project's directory in it. */
export async function openRolePlace(outside: ParentOutside, run: Run, effect: RunChild): Promise<string> {
  const { spec } = questOf(run)
  const { from, bring } = effect
  const { step, role, name } = sessionNamed(questOf(run), effect.child)
  if (specOfRole(run, role).changes === 'nothing') return disposable(outside, run, name, step, from)
  const branch = { run: run.id, task: step }
  const { directory, root } = await open(outside, run, step, from)
  if (bring !== null) {
    const subject = `Rehoboam: the result of the others, for ${step}`
    await outside.repository.bringIn({ repository: spec.project, path: root, branch, from: bring, subject })
  }
  return directory
}

async function open(outside: ParentOutside, run: Run, step: string, base: string): Promise<Workplace> {
  const { spec, environment } = questOf(run)
  return outside.workplaces.open({
    branch: { run: run.id, task: step },
    project: spec.project,
    base,
    environment: outside.environments.of(run.id, spec.session, environment).environment,
    setup: await setupOf(outside, run),
    runDirectory: outside.directoryOf(run.id),
    signal: outside.stopping,
  })
}

/**
 * Ports and temporary files of the worktree that a role's session works in: the same after a restart. Returns null when the run
 * is not a session of a quest.
 */
export async function roleEnvironment(outside: ParentOutside, child: Run): Promise<Record<string, string> | null> {
  const { state } = child.record
  const run = outside.runs.get(rootOf(child.id))
  if (state.kind !== 'session' || !isChild(child.id) || !run || state.label.step === undefined) return null
  const { role, step } = state.label
  if (specOfRole(run, role).changes === 'nothing') return {}
  const known = outside.workplaces.known({ run: run.id, task: step })
  return (known ?? (await open(outside, run, step, questOf(run).tip!))).environment
}

/** What it sees is what is there now; whatever it changes is gone. It keeps its path, by which its session is found again. */
async function disposable(outside: ParentOutside, run: Run, name: string, step: string, from: string): Promise<string> {
  const { spec } = questOf(run)
  const work = workOf(questOf(run), step)
  const isStep = questOf(run).steps.some(({ id }) => id === step)
  const commit = (isStep ? work?.commit : null) ?? from
  const path = disposablePath(outside, run, name)
  const made = await outside.repository.cleanWorktree({ repository: spec.project, commit, path })
  const located = await outside.repository.locate(spec.project)
  return join(made.path, located ? relative(located.root, await realpath(spec.project)) : '')
}

function disposablePath({ home }: ParentOutside, run: Run, name: string): string {
  return join(home, 'worktrees', `${run.id}-${name}`)
}

/** Nobody reads there any more. */
export async function removeDisposables(outside: ParentOutside, run: Run): Promise<void> {
  const { children, spec } = questOf(run)
  for (const { name, role } of children) {
    if (specOfRole(run, role).changes !== 'nothing') continue
    const path = disposablePath(outside, run, name)
    await outside.repository.removeWorktree({ repository: spec.project, path }).catch(error => {
      outside.log(`run ${run.id}: ${(error as Error).message}`)
    })
  }
}

type LeftByRole = { commit: string | null; notes: string[] }

/** What a session left in its worktree, as the newest commit of its branch; without what its role may not change. */
export async function leftBy(outside: ParentOutside, run: Run, key: string, effect: RunChild): Promise<LeftByRole> {
  const { step, role } = sessionNamed(questOf(run), effect.child)
  const { changes } = specOfRole(run, role)
  if (changes === 'nothing') return { commit: null, notes: [] }
  const { spec } = questOf(run)
  const branch = { run: run.id, task: step }
  const place = { repository: spec.project, path: outside.workplaces.pathOf(branch), branch }
  const iteration = Number(key.split(':')[1])
  const subject = `Rehoboam: ${role} on ${step}`
  const { commit } = await outside.repository.commitLeft({ ...place, iteration, subject })
  if (changes === 'everything') return { commit, notes: [] }
  const before = workOf(questOf(run), step)?.commit ?? effect.from
  if (commit === before) return { commit, notes: [] }
  const changed = await outside.repository.changedFiles({ directory: spec.project, from: before, to: commit })
  const paths = changed.flatMap(change => ('was' in change ? [change.path, change.was] : [change.path]))
  const wrong = paths.filter(path => !questOf(run).quest.testFiles.some(glob => globMatches(glob, path, true)))
  if (wrong.length === 0) return { commit, notes: [] }
  await outside.repository.putBack({ ...place, commit: before, paths: wrong })
  // No other effect has the number of the event that follows ours: that is what the session itself said.
  const kept = await outside.repository.commitLeft({
    ...place,
    iteration: iteration + 1,
    subject: `Rehoboam: what ${role} may not change is as it was`,
  })
  const named = wrong.slice(0, 10).map(path => oneLine(path, 200))
  const note = `${role} on ${step} changed what is not a test, and that was put back: ${named.join(', ')}`
  return { commit: kept.commit, notes: [await outside.textsOf(run.id).put(note)] }
}
