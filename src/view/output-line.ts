import type { Block, StreamLine } from '../contract/stream.ts'
import { plainBlock, plainLine } from './plain.ts'
import { costWords, durationWords, numberOf } from './words.ts'

/** One thing to read out of a session's output. `tone` lets a face choose a colour. */
export type OutputLine = { tone: 'say' | 'tool' | 'fail' | 'note'; text: string }

/** What a line of output says to a person; most of the protocol says nothing. */
export function outputLines(line: StreamLine): OutputLine[] {
  switch (line.type) {
    case 'init':
      return [{ tone: 'note', text: `session ${plainLine(line.session)}, model ${plainLine(line.model)}` }]
    case 'assistant':
      return line.blocks.flatMap(block => blockLines(block, line.parent !== null))
    case 'tool-results':
      return line.results
        .filter(result => result.isError)
        .map(result => ({ tone: 'fail', text: `failed: ${plainLine(result.text)}` }))
    case 'api-retry':
      return [{ tone: 'note', text: `the model did not answer (${retryWords(line)}), trying again` }]
    case 'result': {
      const figures = `${numberOf(line.turns, 'turn')}, ${durationWords(line.durationMs)}, ${costWords(line.costUsd)}`
      return [{ tone: line.isError ? 'fail' : 'note', text: `turn ended (${plainLine(line.subtype)}): ${figures}` }]
    }
    case 'garbage':
      return [{ tone: 'fail', text: `unreadable output: ${plainLine(line.reason)}` }]
    default:
      return []
  }
}

function blockLines(block: Block, isSubagent: boolean): OutputLine[] {
  const indent = isSubagent ? '  ' : ''
  if (block.kind === 'text') {
    const text = plainBlock(block.text).trim()
    return text ? [{ tone: 'say', text: `${indent}${text}` }] : []
  }
  if (block.kind === 'tool-use')
    return [{ tone: 'tool', text: `${indent}${plainLine(block.name, 60)}  ${inputWords(block.input)}` }]
  return []
}

/** The one field that tells a person most about a tool call. */
function inputWords(input: Record<string, unknown>): string {
  for (const name of ['command', 'file_path', 'path', 'pattern', 'url', 'query', 'description', 'prompt']) {
    const value = input[name]
    if (typeof value === 'string' && value) return plainLine(value, 120)
  }
  return plainLine(JSON.stringify(input), 120)
}

function retryWords(line: Extract<StreamLine, { type: 'api-retry' }>): string {
  return plainLine(line.errorStatus ? `${line.errorStatus} ${line.error}` : line.error, 80)
}
