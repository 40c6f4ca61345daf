/** The project's own checks, run by us. A command is a line for `/bin/sh`, run in the project's directory. */
export type WardCommand = {
  command: string
  /** Where it comes from, for the person who agrees to it: `package.json`, `Makefile at the git root`. */
  from: string
}

/** What stands in one directory, as far as finding the ward needs it. */
export type WardFiles = {
  names: string[]
  /** The texts of the few files that define checks, by name. */
  texts: Record<string, string>
  /** Whether a folder for tests holds some of Python's. */
  pythonTests: boolean
}

/** The commands as a run keeps them: frozen at its start, agreed to by their hash. */
export type FoundWard = { commands: WardCommand[]; hash: string }

/**
 * `red`: it ran and says no. `hung`: ended by its time limit. `could-not-run`: a missing tool, or no test to run, which says
 * nothing about the work and is a question for a person.
 */
export type CommandEnd = 'green' | 'red' | 'hung' | 'could-not-run'

export type CommandResult = {
  command: string
  how: CommandEnd
  /** Null when it was ended by a signal, or never started. */
  code: number | null
  /** In a sentence, when `how` and `code` do not say it all. */
  why: string | null
  durationMs: number
  /** It was red and is green now, with nothing changed. */
  flaky: boolean
  /** The file with what it printed the last time. */
  output: string
}

export type WardResult = { results: CommandResult[]; cancelled: boolean }

/** One file that differs between the base and a checkpoint. Null: it is not there. Paths from the tree's root. */
export type ChangedFile = { path: string; before: string | null; after: string | null }
