import { RehoboamError } from '../../contract/errors.ts'
import type { RunEvent, RunEventOf, SessionSpec } from '../../contract/event.ts'
import { childId } from '../../contract/ids.ts'
import type { RoleOutcome } from '../../contract/quest.ts'
import { ENDED } from '../../contract/run.ts'
import type { EffectOf } from '../../core/effect.ts'
import { childName, sessionNumbered } from '../../core/quest/state.ts'
import type { SessionRun } from '../../core/session/state.ts'
import { costOf } from '../../core/session/view.ts'
import { tellChild } from '../pools/tell-children.ts'
import type { Run } from '../runtime/run.ts'
import { sessionIdOf } from '../runtime/stable-id.ts'
import { together } from '../runtime/together.ts'
import { type QuestOutside, questOf } from './quest-outside.ts'
import { leftBy, openRolePlace, specOfRole } from './role-place.ts'
import { firstPrompt, nextPrompt } from './role-prompt.ts'

type RunRole = EffectOf<'run-role'>

/**
 * Starts a session of a role or sends it on, and follows it to its end: a run of its own, below the quest's. Done again, it finds
 * the session as it was made or sent on by this very effect, and only follows.
 */
export async function runRole(outside: QuestOutside, run: Run, key: string, effect: RunRole): Promise<RunEvent> {
  const { n } = effect
  const id = childId(run.id, childName(n))
  try {
    const known = outside.runs.get(id)
    if (known) await sendOn(outside, run, known, key, effect)
    else if (!isStopping(run)) await create(outside, run, id, key, effect)
  } catch (error) {
    // What git or a directory refuses is refused the next time too; anything else is tried again.
    if (!(error instanceof RehoboamError) || error.code === 'journal-write' || error.code === 'daemon-stopping')
      throw error
    const why = await outside.textsOf(run.id).put(`${effect.role} on ${effect.step}: ${error.message}`)
    return { type: 'role-not-started', effect: key, n, cause: 'not-started', why }
  }
  const child = outside.runs.get(id)
  // The quest was ended before it began.
  if (!child) return { type: 'role-ended', effect: key, n, outcome: NEVER }
  const session = sessionIn(child).spec.session
  if (sessionNumbered(questOf(run), n)?.id === null)
    await outside.postSurely(run, { type: 'role-started', effect: key, n, session })
  await obey(run, child)
  await follow(outside, run, child, key, n)
  const said = saidBy(child)
  // Its slot need not wait for what it left to be committed.
  const [{ commit, notes }] = await together([
    leftBy(outside, run, key, effect),
    outside.postSurely(run, () =>
      sessionNumbered(questOf(run), n)?.status === said.status
        ? null
        : { type: 'role-changed', effect: key, n, ...said },
    ),
  ])
  return { type: 'role-ended', effect: key, n, outcome: { ...outcomeOf(sessionIn(child)), commit, notes } }
}

const NEVER: RoleOutcome = {
  status: 'cancelled',
  cause: 'cancelled',
  costUsd: 0,
  turns: 0,
  commit: null,
  limitResetsAt: null,
  notes: [],
}

function outcomeOf(session: SessionRun): Omit<RoleOutcome, 'commit' | 'notes'> {
  const { status, cause, turn, limitResetsAt } = session
  return { status, cause, costUsd: costOf(session), turns: turn.n, limitResetsAt }
}

async function create(outside: QuestOutside, run: Run, id: string, key: string, effect: RunRole): Promise<void> {
  // git and the disk take their time: what does not wait for each other is done at once.
  const [project, prompt] = await together([
    openRolePlace(outside, run, effect),
    firstPrompt(outside, run, effect).then(text => outside.textsOf(id).put(text)),
  ])
  const quest = questOf(run)
  const role = specOfRole(run, effect.role)
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
  await outside.runs.create(id, {
    type: 'run-created',
    kind: 'session',
    run: id,
    request: sessionIdOf(`child ${key}`),
    spec,
    prompt,
    environment: quest.environment,
    part: { role: effect.role, step: effect.step, before: effect.before },
  })
}

/** With its history, and what it waited for. */
async function sendOn(outside: QuestOutside, run: Run, child: Run, key: string, effect: RunRole): Promise<void> {
  const isHeard = ({ request, resumedBy, status }: SessionRun) =>
    request === sessionIdOf(`child ${key}`) || resumedBy === key || status === 'active'
  if (isHeard(sessionIn(child))) return
  await openRolePlace(outside, run, effect)
  const text = await outside.textsOf(child.id).put(await nextPrompt(outside, run, effect))
  const { environment, spec } = questOf(run)
  await child.post(({ state }) => {
    if (isHeard(state as SessionRun)) return null
    const { maxCostUsd } = effect
    return { type: 'resume-requested', text, environment, by: key, maxCostUsd, noQuestions: spec.noQuestions }
  })
}

/** Whoever asked for it while the session was being made meant the session too. */
async function obey(run: Run, child: Run): Promise<void> {
  if (isStopping(run)) await tellChild(child, 'cancel')
  else if (questOf(run).isPaused) await tellChild(child, 'pause')
}

function isStopping(run: Run): boolean {
  const { wish } = questOf(run)
  return wish !== null && wish !== 'reject'
}

type Said = Pick<RunEventOf<'role-changed'>, 'status' | 'cause' | 'costUsd'>

/** Tells the quest what becomes of a session, and the session that its signal was taken, until it has ended. */
function follow(outside: QuestOutside, run: Run, child: Run, effect: string, n: number): Promise<void> {
  const { stopping } = outside
  return new Promise((resolve, reject) => {
    let last = 'active null'
    const look = () => {
      const said = saidBy(child)
      const words = `${said.status} ${said.cause}`
      if (ENDED.has(said.status)) {
        leave()
        resolve()
      } else if (words !== last) {
        last = words
        outside.postSurely(run, { type: 'role-changed', effect, n, ...said }).catch(reject)
      }
    }
    let isTaken = false
    const hear = () => {
      if (isTaken || !sessionNumbered(questOf(run), n)?.signal) return
      isTaken = true
      outside
        .postSurely(child, ({ state }) => (ENDED.has(state.status) ? null : { type: 'session-signalled' }))
        .catch(reject)
    }
    const unlisten = [child.listen(look), run.listen(hear)]
    const stop = () => {
      leave()
      reject(stopping.reason)
    }
    const leave = () => {
      for (const leaving of unlisten) leaving()
      stopping.removeEventListener('abort', stop)
    }
    if (stopping.aborted) return stop()
    stopping.addEventListener('abort', stop)
    hear()
    look()
  })
}

function saidBy(child: Run): Said {
  const session = sessionIn(child)
  return { status: session.status, cause: session.cause, costUsd: costOf(session) }
}

function sessionIn(child: Run): SessionRun {
  const { state } = child.record
  if (state.kind !== 'session') throw new Error(`run ${child.id} is no session`)
  return state
}
