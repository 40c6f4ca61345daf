import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { AgentSummary } from '../../src/contract/agent.ts'
import { onTerminal } from '../cli/terminal.ts'
import { PROGRAM } from '../support/programs.ts'
import type { Measured } from './measured.ts'

const run = promisify(execFile)

const COLOUR = new RegExp(`${'\x1b'}\\[\\d*m`, 'g')
// What moves a cursor, hides, or turns the direction of text. A terminal of tmux ends its lines with both characters.
const RAW = /[\p{Cc}--\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/v

/** Every page that shows what agents wrote: what in it a terminal would obey. Without one, and on one with colours. */
export async function shownAfter(daemon: Measured, showpiece: string, countOfOthers = 5): Promise<string[]> {
  const agents = await daemon.ask<AgentSummary[]>('GET', '/v1/agents')
  const others = agents.map(({ id }) => id).filter(id => id !== showpiece)
  const pages = [
    ['agents'],
    ['inbox'],
    ['agents', '--json'],
    ['inbox', '--json'],
    ['show', showpiece],
    ['show', showpiece, '--json'],
    ['logs', showpiece],
    ['logs', showpiece, '--json'],
    ...others.slice(-countOfOthers).map(session => ['show', session]),
    ...others.slice(-countOfOthers).map(session => ['logs', session]),
    ['daemon', 'logs'],
  ]
  // Of the others nobody knows what they have left to show.
  const isFull = ([page, id]: string[]) => page !== 'daemon' && (page !== 'logs' || id === showpiece)
  const wrong: string[] = []
  for (const args of pages) {
    const { stdout, stderr } = await run(process.execPath, [PROGRAM, ...args], {
      env: daemon.environment,
      cwd: daemon.project,
      maxBuffer: 100_000_000,
    })
    if (isFull(args) && stdout.length < 50) wrong.push(`${args.join(' ')} shows nothing: ${stdout}${stderr}`)
    wrong.push(...rawIn(args, stdout + stderr))
  }
  const home = { root: daemon.root, project: daemon.project, env: { ...daemon.environment, LANG: 'C.UTF-8' } }
  for (const args of [['agents'], ['inbox'], ['show', showpiece], ['logs', showpiece]]) {
    const { bytes, title } = await onTerminal(home, args)
    wrong.push(...rawIn(args, bytes.replaceAll('\r\n', '\n').replace(COLOUR, '')))
    if (title.includes('owned')) wrong.push(`${args.join(' ')} set the title`)
  }
  return wrong
}

function rawIn(args: string[], text: string): string[] {
  const at = text.search(RAW)
  return at < 0 ? [] : [`${args.join(' ')}: ${JSON.stringify(text.slice(Math.max(0, at - 80), at + 40))}`]
}
