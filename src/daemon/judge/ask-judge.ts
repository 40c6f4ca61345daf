import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { judgingFlags, structuredOutputIn } from '../../adapters/claude/judging.ts'
import { LoopDirectory } from '../../adapters/loop-directory.ts'
import type { RunEvent, SessionSpec } from '../../contract/event.ts'
import { type Judgement, Mark, Verdict } from '../../contract/loop.ts'
import { parseStreamLine } from '../../contract/stream.ts'
import type { EffectOf } from '../../core/effect.ts'
import { criteriaOf } from '../../core/judge/criteria.ts'
import { JUDGE_SCHEMA, judgePrompt } from '../../core/judge/judge-prompt.ts'
import { costLeft } from '../../core/loop/loop-moves.ts'
import { costLeft as poolCostLeft } from '../../core/parent/parent-moves.ts'
import { oneLine } from '../../core/plain-text.ts'
import { composePrompt, promptHead } from '../../core/prompt.ts'
import { reportOf } from '../../core/session/session-report.ts'
import type { Driver } from '../../ports.ts'
import type { Agents } from '../agents/agents.ts'
import type { Run } from '../runtime/live-run.ts'
import { drivenOf } from '../runtime/run-kinds.ts'
import { sessionIdOf } from '../runtime/stable-id.ts'
import type { WardOutside } from '../ward/check-commit.ts'

// A judge that reads for longer has lost its way; one that costs more was asked too much.
const TIME_MS = 600_000
const COST_USD = 1
const END_GRACE_MS = 5_000

const Answer = z.object({
  criteria: z.array(z.object({ id: z.string(), mark: Mark, evidence: z.string() })).max(500),
  verdict: Verdict,
  because: z.string(),
})

/** What the judge uses of the daemon. */
export type JudgeOutside = Pick<
  WardOutside,
  'home' | 'disk' | 'repository' | 'environments' | 'directoryOf' | 'textsOf'
> & {
  /** Starts the judge's session. */
  driver: Driver
  stopping: AbortSignal
  agents: Agents
}

/** A fresh session that reads and judges. Started once for each time it is asked, also across restarts: it costs money. */
export async function judgeIteration(
  outside: JudgeOutside,
  run: Run,
  key: string,
  effect: EffectOf<'ask-judge'>,
  signal: AbortSignal,
): Promise<RunEvent> {
  const state = drivenOf(run)
  const anchor = await outside.textsOf(run.id).get(state.prompt)
  const criteria = criteriaOf(anchor)
  const { answer, costUsd } = await ask(outside, run, key, effect, signal)
  const parsed = Answer.safeParse(answer)
  const judgement: Judgement = parsed.success
    ? {
        verdict: parsed.data.verdict,
        criteria: criteria.map(({ id }) => parsed.data.criteria.find(found => found.id === id)?.mark ?? 'UNKNOWN'),
        report: await outside.textsOf(run.id).put(reportText(parsed.data)),
        costUsd,
        failed: false,
      }
    : { verdict: 'continue', criteria: [], report: await outside.textsOf(run.id).put(FAILED), costUsd, failed: true }
  return { type: 'judged', effect: key, iteration: effect.iteration, judgement }
}

const FAILED = 'The judge gave no answer that can be used; the loop goes on as if it had said continue.'

function reportText({ criteria, verdict, because }: z.infer<typeof Answer>): string {
  const lines = criteria.map(({ id, mark, evidence }) => `- ${oneLine(id, 20)} ${mark}: ${oneLine(evidence, 500)}`)
  return [`The judge says ${verdict}: ${oneLine(because, 1000)}`, ...lines].join('\n')
}

async function ask(outside: JudgeOutside, run: Run, key: string, effect: EffectOf<'ask-judge'>, signal: AbortSignal) {
  const state = drivenOf(run)
  const directory = join(outside.directoryOf(run.id), 'judges', key.replaceAll(':', '.'))
  const scratch = join(directory, 'scratch')
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  const place = { directory, session: sessionIdOf(`judge ${key}`) }
  outside.agents.hide(place.session)
  const { environment } = outside.environments.of(run.id, place.session, state.environment)
  if ((await outside.driver.look(place)).is === 'absent') {
    const readable = effect.commit === null ? null : await checkpointAt(outside, run, effect.commit)
    const left = (state.kind === 'pool' ? poolCostLeft(state) : costLeft(state)) ?? COST_USD
    const spec: SessionSpec = {
      ...state.spec,
      session: place.session,
      project: scratch,
      driver: 'headless',
      permissionMode: null,
      allowedTools: [],
      arguments: judgingFlags(JUDGE_SCHEMA, readable),
    }
    const head = promptHead(run.id, { role: 'judge', iteration: effect.iteration }, 1)
    const prompt = composePrompt(head, null, [await promptFor(outside, run, effect, readable)])
    await outside.driver.start({
      place,
      spec,
      maxCostUsd: Math.min(left, COST_USD),
      environment,
      prompt,
      resume: false,
      hooks: null,
      toolsPort: null,
    })
  }
  return follow(outside, place, state.spec.lineLimitBytes, signal)
}

async function follow(
  outside: JudgeOutside,
  place: { directory: string; session: string },
  lineLimitBytes: number,
  signal: AbortSignal,
) {
  let answer: unknown
  let costUsd = 0
  const timer = setTimeout(() => void outside.driver.end(place, END_GRACE_MS), TIME_MS)
  const cancelled = () => void outside.driver.end(place, END_GRACE_MS)
  signal.addEventListener('abort', cancelled)
  try {
    await outside.driver.follow(place, {
      from: 0,
      lineLimitBytes,
      signal: outside.stopping,
      onStarted: () => {},
      onLine: (line, offset) => {
        const parsed = line === null ? null : parseStreamLine(line)
        if (!parsed) return
        answer = structuredOutputIn(parsed) ?? answer
        const report = reportOf(parsed, offset)
        if (report?.kind === 'result') costUsd += report.costUsd
      },
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancelled)
  }
  return { answer, costUsd }
}

/** The checkpoint in a worktree of its own: what the judge reads is not what somebody edits meanwhile. */
async function checkpointAt(outside: JudgeOutside, run: Run, commit: string): Promise<string> {
  const path = join(outside.home, 'worktrees', `${run.id}-judge`)
  const made = await outside.repository.cleanWorktree({ repository: drivenOf(run).spec.project, commit, path })
  return made.path
}

async function promptFor(outside: JudgeOutside, run: Run, effect: EffectOf<'ask-judge'>, directory: string | null) {
  const state = drivenOf(run)
  const texts = outside.textsOf(run.id)
  const read = async (ref: string | null | undefined) => (ref ? await texts.get(ref) : '')
  const anchor = await texts.get(state.prompt)
  // A pool has no iterations of its own: what its workers did is in the diff.
  const iterations = state.kind === 'loop' ? state.iterations : []
  const iteration = iterations.find(({ n }) => n === effect.iteration)
  const wrong = iterations.filter(({ markedWrong }) => markedWrong)
  return judgePrompt({
    anchor,
    criteria: criteriaOf(anchor),
    progress: (await new LoopDirectory(state.loop.directory, outside.disk).read('progress.md', 1_000_000)) ?? '',
    diff: await diffSinceBase(outside, run, effect.commit),
    ward: [await read(effect.ward), await read(state.lastWard?.changes)].filter(Boolean).join('\n\n'),
    lastMessage: await read(iteration?.facts?.lastMessage),
    own: state.loop.judgePrompt === null ? null : await texts.get(state.loop.judgePrompt),
    mistakes: await Promise.all(
      wrong.map(async ({ n, verdict, claim, markedWrong }) => {
        const said = verdict ?? (claim ? `complete (${claim})` : 'stalled')
        return `iteration ${n}, ${said}: ${await read(markedWrong)}`
      }),
    ),
    directory,
  })
}

async function diffSinceBase(outside: JudgeOutside, run: Run, commit: string | null): Promise<string> {
  const { base, spec } = drivenOf(run)
  if (!base || commit === null) return ''
  const { text } = await outside.repository.diff({
    directory: spec.project,
    from: base.commit,
    to: commit,
    stat: false,
  })
  return text
}
