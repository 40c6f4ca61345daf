import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program that a lane of tests uses and that npm cannot install. */
export interface Need {
  /** Any one of these on the PATH will do. */
  programs: string[]
  /** Debian's and Homebrew's names for it. */
  apt: string
  brew: string
  lane: string
}

/** The browser lane will bring its Chromium here. */
export const needs: Need[] = [
  { programs: ['git'], apt: 'git', brew: 'git', lane: 'worktrees, checkpoints, merges' },
  { programs: ['tmux'], apt: 'tmux', brew: 'tmux', lane: 'panes and the terminal dashboard' },
  { programs: ['make'], apt: 'make', brew: 'make', lane: 'wards of projects with a Makefile' },
  { programs: ['pip3'], apt: 'python3-pip', brew: 'python', lane: 'wards of Python projects' },
]

export type Remedy = { do: 'nothing' } | { do: 'install'; packages: string[] } | { do: 'tell'; sentence: string }

export function remedy(missing: Need[], machine: { root: boolean; apt: boolean; platform: string }): Remedy {
  if (missing.length === 0) return { do: 'nothing' }
  if (machine.root && machine.apt) return { do: 'install', packages: missing.map(({ apt }) => apt) }
  const what = missing.map(({ programs, lane }) => `${programs.join(' or ')} (for ${lane})`).join(', ')
  return { do: 'tell', sentence: `missing: ${what}. Type: ${command(missing, machine.platform)}` }
}

export function missingOn(path: string, table = needs): Need[] {
  return table.filter(({ programs }) => !programs.some(program => isOn(path, program)))
}

export function isOn(path: string, program: string): boolean {
  return path.split(delimiter).some(folder => folder !== '' && isExecutable(join(folder, program)))
}

function command(missing: Need[], platform: string): string {
  if (platform === 'darwin') return `brew install ${missing.map(({ brew }) => brew).join(' ')}`
  return `sudo apt-get install ${missing.map(({ apt }) => apt).join(' ')} (or the same with your system's package manager)`
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
