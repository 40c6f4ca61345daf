import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { RehoboamError } from '../../contract/errors.ts'
import { homeOf } from '../../contract/home.ts'

/** The user's repository may say otherwise in its configuration; what we do there must not run or change anything else. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  // With "true" a file with mixed line ends could not be kept at all.
  'core.safecrlf=false',
  'i18n.commitEncoding=UTF-8',
  // With it, git prints the check of a signature in front of the log.
  'log.showSignature=false',
  // A journal that names a checkpoint is on the disk: after a power cut the checkpoint must be there too. By itself git
  // syncs neither loose objects nor refs. All of one command's objects together cost one sync.
  'core.fsync=committed',
  'core.fsyncMethod=batch',
]

// Local work only, nothing over a network: a minute is a hung file system or filter, even on a slow machine.
const TIME_LIMIT_MS = 60_000
// About a million file names.
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024

/**
 * Names the state directory that a git works for, and the process that started it. A git outlives a daemon that is killed,
 * and the next daemon finds it by these.
 */
export const GIT_OF = 'REHOBOAM_GIT_OF'
export const GIT_BY = 'REHOBOAM_GIT_BY'

type GitOptions = {
  directory: string
  input?: string | Uint8Array
  environment?: Record<string, string>
  settings?: string[]
  timeLimitMs?: number
  /** More output than this is cut, and `cut` says so; without it, it is an error. */
  cutAfterBytes?: number
}

/** `whenAsked`: done for each line `?` with which a script begins; then it can read a line, or none when that failed. */
type ScriptOptions = GitOptions & { whenAsked?: () => Promise<void> }

type GitResult = { code: number; out: Buffer; err: string; cut: boolean }

/** The git program, for whoever has this environment: their PATH and home, none of their GIT_ variables. */
export class Git {
  readonly #environment: Record<string, string>
  readonly home: string

  constructor(environment: Record<string, string | undefined>) {
    const kept = Object.entries(environment).filter(([name, value]) => value !== undefined && !name.startsWith('GIT_'))
    this.home = homeOf(environment)
    this.#environment = {
      ...(Object.fromEntries(kept) as Record<string, string>),
      [GIT_OF]: this.home,
      [GIT_BY]: String(process.pid),
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_OPTIONAL_LOCKS: '0',
      // A checkpoint of a partial clone must not begin a download.
      GIT_NO_LAZY_FETCH: '1',
    }
  }

  /** Fails when git does. */
  async run(words: string[], options: GitOptions): Promise<Buffer> {
    const result = await this.attempt(words, options)
    if (result.code !== 0) throw failure(words, options.directory, result)
    return result.out
  }

  /** The first line of the output: ids and the like. */
  async line(words: string[], options: GitOptions): Promise<string> {
    return (await this.run(words, options)).toString('utf8').split('\n')[0] ?? ''
  }

  /** What git answered, whatever it was. */
  async attempt(words: string[], options: GitOptions): Promise<GitResult> {
    const { directory, input, environment, settings = [], timeLimitMs = TIME_LIMIT_MS, cutAfterBytes } = options
    const set = [...SETTINGS, ...settings].flatMap(setting => ['-c', setting])
    const limit = cutAfterBytes ?? OUTPUT_LIMIT_BYTES
    const ended = await runPastWorktrees('git', ['--no-pager', ...set, ...words], {
      cwd: directory,
      env: { ...this.#environment, ...environment },
      timeout: timeLimitMs,
      maxBuffer: limit,
      input,
    })
    const { out } = ended
    const err = ended.err.toString('utf8')
    if (ended.isMaxBuffer && cutAfterBytes !== undefined) return { code: 0, out, err, cut: true }
    if (ended.exitCode !== undefined && !ended.isMaxBuffer) return { code: ended.exitCode, out, err, cut: false }
    throw await abruptEnd(words, directory, ended, limit)
  }

  /**
   * Runs several commands as one process of ours, because starting a process costs a daemon as much as git's own work. `name`
   * is the command that an error names. Returns what the script answered, whatever it was. Throws when it could not run.
   */
  async script(name: string, script: string, words: string[], options: ScriptOptions): Promise<GitResult> {
    const { directory, environment, input, whenAsked, settings = [], timeLimitMs = TIME_LIMIT_MS } = options
    const ended = await runPastWorktrees('/bin/sh', ['-c', script, 'git', ...words], {
      cwd: directory,
      env: { ...this.#environment, ...environment, ...asVariables([...SETTINGS, ...settings]) },
      timeout: timeLimitMs,
      maxBuffer: OUTPUT_LIMIT_BYTES,
      input,
      whenAsked,
    })
    const { exitCode: code, out } = ended
    if (code !== undefined && !ended.isMaxBuffer) return { code, out, err: ended.err.toString('utf8'), cut: false }
    throw await abruptEnd([name], directory, ended, OUTPUT_LIMIT_BYTES)
  }

  /** Runs a script and returns its output. Throws when the script fails. */
  async runScript(name: string, script: string, words: string[], options: ScriptOptions): Promise<string> {
    const result = await this.script(name, script, words, options)
    if (result.code !== 0) throw failure([name], options.directory, result)
    return result.out.toString('utf8')
  }
}

type Ended = {
  out: Buffer
  err: Buffer
  /** Undefined: it did not start, or was ended. */
  exitCode?: number
  timedOut: boolean
  isMaxBuffer: boolean
  code?: string
  signal?: string
}

type Start = {
  cwd: string
  env: Record<string, string>
  timeout: number
  maxBuffer: number
  input: string | Uint8Array | undefined
  whenAsked?: (() => Promise<void>) | undefined
}

// Another git makes its few files within milliseconds. A git that was killed meanwhile never finishes: then the error stands.
const LONGEST_WAIT_MS = 500

/**
 * Runs a program, and runs it again while it fails because another git is just making a worktree. Every git reads the files of
 * all worktrees, and fails when one of these files is still empty.
 */
async function runPastWorktrees(program: string, words: string[], start: Start): Promise<Ended> {
  for (let waitMs = 5; ; waitMs *= 2) {
    const ended = await run(program, words, start)
    if (!/failed to read .*\/commondir/.test(ended.err.toString('utf8')) || waitMs > LONGEST_WAIT_MS) return ended
    await delay(waitMs)
  }
}

/** Node's own, because git is started more often than anything else, and only its output is wanted: execa takes 2 ms more of the daemon each time. */
function run(program: string, words: string[], { input, whenAsked, ...options }: Start): Promise<Ended> {
  return new Promise(resolve => {
    const child = execFile(program, words, { ...options, encoding: 'buffer' }, (error, out, err) => {
      if (!error) return resolve({ out, err, exitCode: 0, timedOut: false, isMaxBuffer: false })
      const { code, signal, killed } = error
      const isMaxBuffer = String(code) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
      resolve({
        out,
        err,
        ...(typeof code === 'number' ? { exitCode: code } : { code: String(code ?? '') }),
        ...(signal && { signal }),
        timedOut: killed === true && !isMaxBuffer,
        isMaxBuffer,
      })
    })
    // It may end without reading all of it.
    child.stdin?.on('error', () => {})
    if (!whenAsked) return child.stdin?.end(input)
    child.stdout?.on('data', said => {
      // It waits for the answer, so that this is all that it has said.
      if (String(said) !== '?\n') return child.stdin?.end()
      whenAsked().then(
        () => child.stdin?.write('\n'),
        () => child.stdin?.end(),
      )
    })
  })
}

/** As `-c` gives them, for every git below. */
function asVariables(settings: string[]): Record<string, string> {
  const each = settings.map((setting, n) => {
    const at = setting.indexOf('=')
    return { [`GIT_CONFIG_KEY_${n}`]: setting.slice(0, at), [`GIT_CONFIG_VALUE_${n}`]: setting.slice(at + 1) }
  })
  return Object.assign({ GIT_CONFIG_COUNT: String(settings.length) }, ...each)
}

/** Names between NULs, as bytes: a file name need not be text. */
export function names(out: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let from = 0; from < out.length; ) {
    const end = out.indexOf(0, from)
    const to = end === -1 ? out.length : end
    found.push(out.subarray(from, to))
    from = to + 1
  }
  return found
}

export function failure(words: string[], directory: string, { code, err }: GitResult): RehoboamError {
  const said = tidy(err) || `exit code ${code}`
  const data = { directory, words: words.slice(0, 3), exitCode: code }
  const foreign = /detected dubious ownership in repository at '(.*)'/.exec(err)?.[1]
  if (foreign) {
    const trust = `git config --global --add safe.directory ${quoted(foreign)}`
    return new RehoboamError(
      'git-unsafe',
      `git refuses ${foreign}: it belongs to another user; if you trust it: ${trust}`,
      data,
    )
  }
  const lock = /Unable to create '(.*\.lock)': File exists/.exec(err)?.[1]
  if (lock) {
    const sentence = `another git works in ${directory} (${lock}); try again when it is done`
    return new RehoboamError('git-locked', sentence, data)
  }
  if (/No space left on device|Disk quota exceeded|Out of diskspace/.test(err)) {
    return new RehoboamError('git-disk-full', `git could not write in ${directory}: ${said}; free some space`, data)
  }
  if (/index file (?:corrupt|smaller)|bad index file|index uses .* extension|bad signature 0x/.test(err)) {
    const sentence = `the index of ${directory} is broken (${said}); there: rm "$(git rev-parse --git-path index)" && git reset`
    return new RehoboamError('git-broken', sentence, data)
  }
  return new RehoboamError('git-failed', `git ${words[0]} failed in ${directory}: ${said}`, data)
}

async function abruptEnd(words: string[], directory: string, ended: Ended, limit: number): Promise<RehoboamError> {
  const data = { directory, words: words.slice(0, 3) }
  if (ended.timedOut) {
    return new RehoboamError('git-timed-out', `git ${words[0]} did not end in time in ${directory}; try it there`, data)
  }
  if (ended.isMaxBuffer) {
    const sentence = `git ${words[0]} said more than ${limit} bytes in ${directory}; are files there that should be ignored?`
    return new RehoboamError('git-too-much', sentence, data)
  }
  if (ended.code === 'ENOENT' || ended.code === 'ENOTDIR') {
    const there = await stat(directory).catch(() => null)
    if (!there?.isDirectory()) return new RehoboamError('directory-missing', `${directory} is not there`, data)
    return new RehoboamError('git-missing', 'git is not on the PATH; install it with your package manager', data)
  }
  const why = ended.signal ? `was ended by ${ended.signal}` : `did not start (${ended.code || 'no reason given'})`
  return new RehoboamError('git-failed', `git ${words[0]} ${why} in ${directory}`, data)
}

/** What git says names files, and so holds whatever somebody called a file. */
function tidy(text: string): string {
  const line = text.replace(/\p{Cc}+/gu, ' ').trim()
  return line.length > 500 ? `${line.slice(0, 500)}...` : line
}

/** For a shell, in a sentence that tells somebody what to type. */
export function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`
}
