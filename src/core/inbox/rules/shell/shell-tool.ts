import { fieldOf } from '../file-tool.ts'
import { judgeFile } from '../files.ts'
import { type Ground, isInside, pathFrom, turnsBack } from '../ground.ts'
import type { RulesInForce } from '../in-force.ts'
import { asks, type Finding, shown } from '../permission.ts'
import { deniedBy, judgeCommand } from './command.ts'
import { type CommandRules, commandRules } from './command-rules.ts'
import { Directories } from './directory.ts'
import type { Part } from './parts.ts'
import { readCommandLine } from './source.ts'
import type { ShellWord } from './word.ts'

// What the client's shell tools are known to take. Another field may change what the command does.
const FIELDS = ['command', 'description', 'timeout', 'timeout_ms', 'run_in_background']

export function judgeShellTool(tool: string, input: unknown, rules: RulesInForce, ground: Ground): Finding[] {
  const command = fieldOf(input, 'command')
  const commands = commandRules(tool, rules, ground)
  const denied = commands.deny.get('')?.[0]
  if (denied) return [{ effect: 'deny', rule: denied.id, why: `rule ${denied.id} denies ${denied.tool}` }]
  if (typeof command !== 'string' || command.trim() === '') return [asks('there is no command in it')]
  const { parts, unclear } = readCommandLine(command)
  const findings = [
    strangeField(input),
    unclear,
    isInside(ground.cwd, ground.root) ? null : 'it would run outside the project',
  ]
    .filter(why => why !== null)
    .map(why => asks(why))
  const line: Line = { directories: new Directories(ground), commands, rules, ground }
  // After the first ask only a denial can still change anything.
  for (const part of parts) findings.push(...judgePart(part, line, findings.some(isAsk)))
  return findings
}

/** What all parts of one command line are judged by. */
type Line = { directories: Directories; commands: CommandRules; rules: RulesInForce; ground: Ground }

function strangeField(input: unknown): string | null {
  const other = Object.keys(input as object).find(field => !FIELDS.includes(field) && fieldOf(input, field) !== false)
  return other === undefined ? null : `it comes with ${shown(other)}, which rules do not know`
}

function judgePart(part: Part, line: Line, asked: boolean): Finding[] {
  const { directories, commands, ground } = line
  switch (part.type) {
    case 'unclear':
      return [asks(part.why)]
    case 'file':
      return judgeRedirection(part.use, part.word, line)
    case 'if-so':
      directories.ifSo()
      return []
    case 'if-not':
      directories.ifNot()
      return []
    case 'command': {
      const place = { directories: directories.possible, ground }
      const finding = asked ? deniedBy(part.words, commands.deny) : judgeCommand(part.words, commands, place)
      const known = part.words[0]?.guess !== 'cd' || directories.change(part.words, part.repeats)
      const lost = known ? [] : [asks('where cd leads cannot be said, or it is outside the project')]
      return finding === null ? lost : [finding, ...lost]
    }
  }
}

/** To /dev/null is nothing. Any other file is read or written as by a tool, from wherever the command may stand. */
function judgeRedirection(use: 'Read' | 'Write', word: ShellWord, { directories, rules, ground }: Line): Finding[] {
  const { value } = word
  if (value === '/dev/null') return []
  if (value === null) return [judgeFile(use, null, rules, ground)]
  const plain = /^[A-Za-z0-9_./@%+,:-][\w./@%+,: -]*$/.test(value) && !turnsBack(value)
  return directories.possible.map(directory => {
    const finding = judgeFile(use, pathFrom(directory, value, ground), rules, ground)
    return plain || finding.effect !== 'allow' ? finding : asks(`${shown(word.text)} is not plainly one file`)
  })
}

function isAsk({ effect }: Finding): boolean {
  return effect === 'ask'
}
