import { Command } from 'commander'
import { RehoboamError } from '../../contract/errors.ts'
import type { PlanRequest } from '../../contract/quest.ts'
import type { RunDetail, RunSummary } from '../../contract/run.ts'
import { changesIn, planText } from '../../view/plan-text.ts'
import { planLines } from '../../view/quest-lines.ts'
import { inEditor } from '../editor.ts'
import type { Face } from '../face.ts'
import { runPath } from '../run-path.ts'

/** The plan of a quest, and what a person may do with its steps. */
export function stepCommands(face: Face): Command[] {
  return [plan(face), retry(face), skip(face)]
}

function plan(face: Face): Command {
  return new Command('plan')
    .description('show the requirements and the steps of a quest, or change the steps that have not begun')
    .argument('<run>')
    .option('--edit', 'in your editor ($VISUAL or $EDITOR)')
    .option('--json', 'for scripts')
    .action(async (id: string, { edit, json }: { edit?: boolean; json?: boolean }) => {
      if (edit) face.mayChange('plan')
      const run = edit ? await editedAndSaid(face, id) : await face.daemon.ask<RunDetail>({ path: runPath(id) })
      const { quest } = ofQuest(run)
      if (json) return face.out.json({ id: run.id, requirements: quest.requirements, steps: quest.steps })
      const lines = planLines(quest)
      if (lines.length === 0) face.out.line('there is no plan yet')
      for (const line of lines) face.out.line(line)
      const asked = quest.questions.find(question => question.kind === 'plan' && question.answer === null)
      if (!asked) return
      const question = asked.id.slice(0, 8)
      face.out.note(
        `it waits for you: rehoboam allow ${question} approves, rehoboam answer ${question} "<what to change>" sends it back`,
      )
    })
}

async function editedAndSaid(face: Face, id: string): Promise<RunDetail> {
  const { run, isChanged } = await editedPlan(face, id)
  if (!isChanged) face.out.note('nothing is changed')
  return run
}

/** Until it is taken, or left as it was: a refusal stands above the text in the editor, and nothing that was typed is lost. */
export async function editedPlan(
  face: Pick<Face, 'daemon' | 'env'>,
  id: string,
): Promise<{ run: RunDetail; isChanged: boolean }> {
  const run = await face.daemon.ask<RunDetail>({ path: runPath(id) })
  const before = ofQuest(run).quest.steps.filter(({ status }) => status === 'pending' || status === 'ready')
  let shown = planText(run.id, before)
  let isRefused = false
  for (;;) {
    const text = inEditor(face.env, 'plan.md', shown)
    if (text === null)
      throw new RehoboamError(
        'usage',
        'there is no editor, or no terminal for it; set EDITOR and type this on a terminal',
      )
    if (text === shown) {
      if (isRefused) throw new RehoboamError('plan-refused', 'the plan stays as it was')
      return { run, isChanged: false }
    }
    const read = changesIn(text, before)
    const wrong = 'wrong' in read ? read.wrong : await refusal(face, run.id, read.change)
    if (wrong === null) return { run: await face.daemon.ask<RunDetail>({ path: runPath(run.id) }), isChanged: true }
    isRefused = true
    shown = `# Not taken: ${wrong.replace(/\s+/g, ' ')}\n# Mend it and save, or leave without a change to give up.\n${withoutRefusal(text)}`
  }
}

/** Why the daemon does not take it; null when it has. */
async function refusal(face: Pick<Face, 'daemon'>, id: string, change: PlanRequest): Promise<string | null> {
  if (change.steps.length === 0 && change.drop.length === 0) return null
  try {
    await face.daemon.ask<RunDetail>({ method: 'POST', path: runPath(id, '/plan'), body: change })
    return null
  } catch (error) {
    if (error instanceof RehoboamError && ['plan-refused', 'bad-request'].includes(error.code)) return error.message
    throw error
  }
}

function withoutRefusal(text: string): string {
  return text.replace(/^# Not taken: .*\n# Mend it .*\n/, '')
}

function retry(face: Face): Command {
  return new Command('retry')
    .description('try a step of a quest again that waits for a person or was left out')
    .argument('<run>')
    .argument('<step>')
    .option('--json', 'for scripts')
    .action(async (id: string, step: string, { json }: { json?: boolean }) => {
      face.mayChange('retry')
      const run = await face.daemon.ask<RunSummary>({ method: 'POST', path: runPath(id, '/retry'), body: { step } })
      if (json) face.out.json(run)
      else face.out.line(`run ${run.id}: ${step} is tried again`)
    })
}

function skip(face: Face): Command {
  return new Command('skip')
    .description('leave a step of a quest out, with everything that depends on it')
    .argument('<run>')
    .argument('<step>')
    .option('--json', 'for scripts')
    .action(async (id: string, step: string, { json }: { json?: boolean }) => {
      face.mayChange('skip')
      const body = { step }
      const run = await face.daemon.ask<RunSummary & { skipped: string[] }>({
        method: 'POST',
        path: runPath(id, '/skip'),
        body,
      })
      if (json) face.out.json(run)
      else face.out.line(`run ${run.id}: left out: ${run.skipped.join(', ')}`)
    })
}

function ofQuest(run: RunDetail): RunDetail & { quest: NonNullable<RunDetail['quest']> } {
  if (run.quest) return { ...run, quest: run.quest }
  throw new RehoboamError('usage', `run ${run.id} is a ${run.kind} and has no plan; rehoboam runs lists the quests`)
}
