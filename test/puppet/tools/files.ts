import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { done, failed, misused, type Outcome } from './outcome.ts'

type Input = Record<string, unknown>

/** The file tools. They remember what was read, because the client does not overwrite what the model has not seen. */
export class FileTools {
  private readonly seen = new Set<string>()
  /** Where the shell is: what it says of a path that is not there depends on it. */
  cwd: string

  constructor(cwd: string) {
    this.cwd = cwd
  }

  read({ file_path, offset, limit }: Input): Outcome {
    const path = this.path(file_path)
    if (!existsSync(path)) return failed(`File does not exist. Note: your current working directory is ${this.cwd}.`)
    if (statSync(path).isDirectory()) return failed(`EISDIR: illegal operation on a directory, read '${path}'`)
    const content = readFileSync(path, 'utf8')
    this.seen.add(path)
    const lines = content.split('\n')
    const first = Math.max(1, Number(offset ?? 1))
    const shown = lines.slice(first - 1, first - 1 + Number(limit ?? 2000))
    const numbered = shown.map((line, n) => `${first + n}\t${line}`).join('\n')
    const file = {
      filePath: file_path,
      content: shown.join('\n'),
      numLines: shown.length,
      startLine: first,
      totalLines: lines.length,
    }
    return done(numbered, { type: 'text', file })
  }

  /** A call that is not even tried: the model has not seen what it wants to change, or it is not there. */
  wrong(tool: string, input: Input): Outcome | undefined {
    const path = this.path(input.file_path)
    if (tool === 'Write') return this.existed(path) && !this.seen.has(path) ? UNREAD : undefined
    if (tool !== 'Edit') return undefined
    if (!existsSync(path)) return misused(`File does not exist. Note: your current working directory is ${this.cwd}.`)
    if (!this.seen.has(path)) return UNREAD
    return wrongEdit(readFileSync(path, 'utf8'), String(input.old_string), input.replace_all === true)
  }

  write({ file_path, content }: Input): Outcome {
    const path = this.path(file_path)
    const existed = this.existed(path)
    const originalFile = existed ? readFileSync(path, 'utf8') : null
    this.put(path, String(content))
    const detail = {
      type: existed ? 'update' : 'create',
      filePath: file_path,
      content,
      structuredPatch: [],
      originalFile,
      userModified: false,
    }
    return done(existed ? updated(file_path) : `File created successfully at: ${file_path} ${CURRENT}`, detail)
  }

  edit({ file_path, old_string, new_string, replace_all }: Input): Outcome {
    const path = this.path(file_path)
    const originalFile = readFileSync(path, 'utf8')
    const [before, after] = [String(old_string), String(new_string)]
    this.put(path, originalFile.split(before).join(after))
    const detail = {
      filePath: file_path,
      oldString: before,
      newString: after,
      originalFile,
      structuredPatch: [],
      userModified: false,
      replaceAll: replace_all === true,
    }
    return done(updated(file_path), detail)
  }

  /** An empty file holds nothing that the model would have to have seen. */
  private existed(path: string): boolean {
    return existsSync(path) && statSync(path).size > 0
  }

  private put(path: string, content: string): void {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    this.seen.add(path)
  }

  private path(given: unknown): string {
    return resolve(this.cwd, String(given))
  }
}

const UNREAD = misused('File has not been read yet. Read it first before writing to it.')

function wrongEdit(content: string, before: string, everywhere: boolean): Outcome | undefined {
  const count = content.split(before).length - 1
  if (count === 0) return misused(`String to replace not found in file.\nString: ${before}`)
  if (count === 1 || everywhere) return undefined
  return misused(
    `Found ${count} matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: ${before}`,
  )
}

const CURRENT = '(file state is current in your context — no need to Read it back)'

function updated(path: unknown): string {
  return `The file ${path} has been updated successfully. ${CURRENT}`
}
