import type { SessionSpec } from '../../contract/event.ts'
import { childId } from '../../contract/ids.ts'
import { sessionNamed, turnsBefore } from '../../core/quest/quest-state.ts'
import type { ParentOutside } from '../parent/parent-outside.ts'
import type { Children, NewRun, RunChild } from '../parent/run-child.ts'
import type { Run } from '../runtime/live-run.ts'
import { questOf } from '../runtime/run-kinds.ts'
import { sessionIdOf } from '../runtime/stable-id.ts'
import { together } from '../runtime/together.ts'
import { leftBy, openRolePlace, specOfRole } from './role-place.ts'
import { firstPrompt, nextPrompt } from './role-prompt.ts'

/** The children of a quest are sessions, each of a role on a step. */
export function questChildren(outside: ParentOutside): Children {
  return {
    titleOf(run, child) {
      const { role, step } = sessionNamed(questOf(run), child)
      return `${role} on ${step}`
    },
    create: (run, effect, key) => newSession(outside, run, effect, key),
    async resume(run, _, effect) {
      await openRolePlace(outside, run, effect)
      const { noQuestions } = questOf(run).spec
      return { text: await nextPrompt(outside, run, effect), maxCostUsd: effect.maxCostUsd, noQuestions }
    },
    hasSignalled: (run, child) => sessionNamed(questOf(run), child).signal !== null,
    leave: async (run, _, effect, key) => ({ heard: [], ...(await leftBy(outside, run, key, effect)) }),
  }
}

async function newSession(outside: ParentOutside, run: Run, effect: RunChild, key: string): Promise<NewRun> {
  // git and the disk take their time: what does not wait for each other is done at once.
  const [project, prompt] = await together([
    openRolePlace(outside, run, effect),
    firstPrompt(outside, run, effect).then(text => outside.textsOf(childId(run.id, effect.child)).put(text)),
  ])
  const quest = questOf(run)
  const session = sessionNamed(quest, effect.child)
  const role = specOfRole(run, session.role)
  const spec: SessionSpec = {
    ...quest.spec,
    session: sessionIdOf(`role ${key}`),
    project,
    driver: role.driver ?? quest.spec.driver,
    model: role.model ?? quest.spec.model,
    ...(role.effort !== null && { effort: role.effort }),
    ...(role.tools.length > 0 && { tools: role.tools }),
    maxTimeMs: null,
    maxCostUsd: effect.maxCostUsd,
    endsWithTurn: true,
    questTools: true,
  }
  const part = { role: session.role, step: session.step, before: turnsBefore(quest, session) }
  return { kind: 'session', spec, prompt, part }
}
