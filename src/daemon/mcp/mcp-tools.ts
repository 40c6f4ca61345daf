import * as z from 'zod'
import {
  GetStepInput,
  PublishedSignal,
  QUEST_TOOLS,
  type QuestTool,
  SetRequirementsInput,
  SetStepsInput,
  SignalInput,
  type ToolAnswer,
} from '../../contract/quest-tools.ts'
import type { QuestDesk, QuestSession } from '../quests/quest-desk.ts'

type JsonSchema = { type: 'object'; properties: Record<string, object>; required?: string[] }

type Tool = {
  description: string
  readOnly: boolean
  schema(session: QuestSession): JsonSchema
  call(desk: QuestDesk, session: QuestSession, input: unknown): Promise<ToolAnswer>
}

const TOOLS: Record<QuestTool, Tool> = {
  'signal-back': {
    description:
      'Ends your work here and says how it stands. Call it exactly once, as the last thing that you do: a session that ends without it counts as a crash. ' +
      'What you have not committed is committed for you. A refusal says what to send instead; then call again.',
    readOnly: false,
    schema: signalSchema,
    call: (desk, at, input) => desk.signal(at, parsed(SignalInput, input)),
  },
  'get-step': {
    description:
      'What is known of a step: its text, files, requirements, what it waits on, and what earlier roles left. Without an id: of your own.',
    readOnly: true,
    schema: () => published(GetStepInput),
    call: (desk, at, input) => desk.getStep(at, parsed(GetStepInput, input)),
  },
  'set-requirements': {
    description:
      'Writes the requirements of the quest, all of them: behaviours as given, when, then. Until you signal complete a second call replaces the first; then they are locked.',
    readOnly: false,
    schema: () => published(SetRequirementsInput),
    call: (desk, at, input) => desk.setRequirements(at, parsed(SetRequirementsInput, input)),
  },
  'set-steps': {
    description:
      'Writes steps of the plan: adds new ones, writes pending ones anew by their id, drops pending ones. A plan that cannot work (unknown or double ids, cycles) is refused with the path that is wrong, and nothing of it is taken.',
    readOnly: false,
    schema: () => published(SetStepsInput),
    call: (desk, at, input) => desk.setSteps(at, parsed(SetStepsInput, input)),
  },
}

/** As `tools/list` says it. */
export function listedTools(session: QuestSession) {
  return session.tools.map(name => ({
    name,
    description: TOOLS[name].description,
    inputSchema: TOOLS[name].schema(session),
    annotations: { readOnlyHint: TOOLS[name].readOnly, destructiveHint: false, openWorldHint: false },
    // Else the client keeps it behind its own search for tools, and an agent that does not search never signals.
    _meta: { 'anthropic/alwaysLoad': true },
  }))
}

/** Input that is not what the tool wants is an answer too: the model reads it and calls again. */
export async function callTool(
  desk: QuestDesk,
  session: QuestSession,
  name: string,
  input: unknown,
): Promise<ToolAnswer> {
  const known = QUEST_TOOLS.find(tool => tool === name)
  if (!known || !session.tools.includes(known)) {
    const what = known ? `${known} is not a tool of your role` : 'there is no such tool'
    return refused(`${what}; yours are ${session.tools.join(', ')}`)
  }
  try {
    return await TOOLS[known].call(desk, session, input)
  } catch (error) {
    if (error instanceof BadInput) return refused(error.message)
    throw error
  }
}

function refused(why: string): ToolAnswer {
  return { accepted: false, text: `Refused, nothing has changed: ${why}.` }
}

class BadInput extends Error {}

function parsed<T extends z.ZodType>(schema: T, input: unknown): z.infer<T> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  // The first few: whoever mends those sees the rest, and a thousand wrong steps must not cost a thousand lines.
  const issues = result.error.issues.slice(0, 5).map(({ path, message }) => {
    const place = path.join('.').slice(0, 200)
    return place ? `${place}: ${message}` : message
  })
  throw new BadInput(issues.join('; ').slice(0, 2000))
}

/** What each kind needs beside the step. Fields that none of a role's signals has are not shown to it. */
function signalSchema({ maySignal, mayAsk }: QuestSession): JsonSchema {
  const whole = published(PublishedSignal)
  const options = SignalInput.options.filter(({ shape }) => maySignal.includes(shape.signal.value))
  const used = new Set(['signal', ...options.flatMap(({ shape }) => Object.keys(shape))])
  const properties = Object.fromEntries(Object.entries(whole.properties).filter(([name]) => used.has(name)))
  const asks = used.has('targetRole') && { targetRole: { ...properties.targetRole, enum: mayAsk } }
  return { ...whole, properties: { ...properties, ...asks, signal: { ...properties.signal, enum: maySignal } } }
}

function published(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return rest as JsonSchema
}
