import { done, failed, type Outcome } from './outcome.ts'

/** The tool by which a session that was started with `--json-schema` gives its answer. */
export const STRUCTURED_OUTPUT = 'StructuredOutput'

/** Said once to a model that wants to stop without having called the tool. */
export const CALL_IT =
  '[structured-output-enforce] You MUST call the StructuredOutput tool to complete this request. Call this tool now.'

/** Checks only that nothing required is missing. The client checks the whole schema. */
export function provide({ required = [] }: { required?: string[] }, input: Record<string, unknown>): Outcome {
  const missing = required.find(name => input[name] === undefined)
  if (missing) return failed(`Output does not match required schema: root: must have required property '${missing}'`)
  const text = 'Structured output provided successfully'
  return done(text, text)
}
