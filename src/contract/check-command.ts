import * as z from 'zod'

// Each comment goes to the end of its line, so that no text can be read in more than one way.
const DOES_NOTHING = /^(?:[\s;]|:(?=[\s;]|$)|#[^\n]*(?![^\n]))*$/

/** Blank, or nothing but comments and `:`. Such a check is always green, and would prove whatever is claimed. */
export function doesNothing(command: string): boolean {
  return DOES_NOTHING.test(command)
}

/** A check as somebody typed it. */
export const CheckCommand = z
  .string()
  .max(10_000)
  .refine(command => !doesNothing(command), {
    error:
      'a check that is blank or only a comment is always green and proves nothing; name a command such as "npm test", or go without checks (--no-ward)',
  })
