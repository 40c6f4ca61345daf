import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { gitRepository } from '../../src/adapters/git/git-repository.ts'

export const RUN = 'run00001'

/** A place of its own with a user who has told git who they are, under a path that trips up whoever forgets to quote. */
export function scratch(options: { identity?: boolean } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'rehoboam-git-')))
  const [home, project] = [join(root, 'home'), join(root, `Bücher & "it's" here`)]
  for (const path of [home, project]) mkdirSync(path)
  const config = options.identity === false ? '' : '[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n'
  writeFileSync(join(home, '.gitconfig'), `${config}[init]\n\tdefaultBranch = main\n`)
  const environment: Record<string, string> = { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' }

  /** git as the user types it. */
  const git = (words: string[], directory = project, more: Record<string, string> = {}): string =>
    execFileSync('git', words, {
      cwd: directory,
      env: { ...environment, ...more },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const write = (path: string, text: string | Uint8Array, directory = project) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  return {
    root,
    home,
    project,
    environment,
    repository: gitRepository(environment),
    /** The repository through a shell script that stands in for git. `real`: the git that the script may run. */
    repositoryThrough(script: (real: string) => string, more: Record<string, string> = {}) {
      write('bin/git', `#!/bin/sh\n${script(`'${join(git(['--exec-path']).trim(), 'git')}'`)}\n`, root)
      chmodSync(join(root, 'bin/git'), 0o755)
      return gitRepository({ ...environment, ...more, PATH: `${join(root, 'bin')}:${environment.PATH}` })
    },
    git,
    write,
    read: (path: string) => readFileSync(join(project, path), 'utf8'),
    /** A repository with one commit of these files. */
    commit(files: Record<string, string> = { 'a.txt': 'one\n' }, directory = project): string {
      mkdirSync(directory, { recursive: true })
      git(['init', '--quiet'], directory)
      for (const [path, text] of Object.entries(files)) write(path, text, directory)
      git(['add', '--all', '--force'], directory)
      git(['-c', 'user.name=Ada Lovelace', '-c', 'user.email=ada@example.org', 'commit', '-qm', 'first'], directory)
      return git(['rev-parse', 'HEAD'], directory).trim()
    },
    /** The files of a commit with their content. */
    filesOf(commit: string, directory = project): Record<string, string> {
      const paths = git(['ls-tree', '-r', '-z', '--name-only', commit], directory).split('\0').filter(Boolean)
      return Object.fromEntries(paths.map(path => [path, git(['show', `${commit}:${path}`], directory)]))
    },
    pathsOf: (commit: string, directory = project): string[] =>
      git(['ls-tree', '-r', '-z', '--name-only', commit], directory).split('\0').filter(Boolean),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  }
}

/** Every file below with its kind, mode, time and content; of the repository all but objects and refs of ours. */
export function everything(directory: string): Record<string, string> {
  const found: Record<string, string> = {}
  const walk = (at: string) => {
    for (const name of readdirSync(at)) {
      const path = join(at, name)
      const short = relative(directory, path)
      if (/(^|\/)\.git\/(objects|refs\/rehoboam)$/.test(short)) continue
      const { mode, mtimeMs } = lstatSync(path)
      const directoryHere = lstatSync(path).isDirectory()
      // A directory's own time moves with a lock file that comes and goes; its names are in this list anyway. The shared
      // half of a split index is touched by whoever reads it, "git status" too.
      const time = name.startsWith('sharedindex.') ? '' : mtimeMs
      found[short] = directoryHere ? `${mode}` : `${mode} ${time} ${digest(path)}`
      if (directoryHere) walk(path)
    }
  }
  walk(directory)
  return found
}

function digest(path: string): string {
  const content = lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path)
  return createHash('sha256').update(content).digest('hex')
}
