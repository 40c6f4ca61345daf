import { mkdtemp, readFile, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import type { ConfigValues } from '../config/keys.ts'
import type { Finding } from '../contract/doctor.ts'

/** The client that our facts were checked with; another one usually works too, and where not, this says where to look. */
const CHECKED_CLIENT = '2.1.325'
const NODE_WANTED = 24
// Journals, transcripts and worktrees; below this the next long run ends with a full disk.
const DISK_WANTED_MB = 500

// The first that merges without a checkout.
const GIT_WANTED = [2, 38] as const

// Too short: on a busy machine a program that only starts slowly is reported as missing (bad). Too long: a program that hangs is
// not reported, because the command that asks waits 30 s for the whole report.
const ANSWERS_WITHIN_MS = 20_000

type Env = Record<string, string>

/** Everything outside of us that we need, looked at through the caller's own environment. */
export async function examine(home: string, env: Env, config: ConfigValues): Promise<Finding[]> {
  return Promise.all([
    node(),
    clientFinding(config.claude, env),
    git(env),
    tmux(env),
    stateDirectory(home),
    disk(home),
    clock(home),
    shared(config['hooks.http'] === 'on'),
  ])
}

function node(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= NODE_WANTED) return ok('node', process.version)
  return bad('node', `${process.version} is too old`, `install Node ${NODE_WANTED} or newer`)
}

async function clientFinding(client: string, env: Env): Promise<Finding> {
  const version = await versionOf(client, ['--version'], env)
  if (!version)
    return bad(
      'client',
      `${client} is not there or does not run`,
      'npm install -g @anthropic-ai/claude-code, or rehoboam config set claude <path>',
    )
  const number = /\d+\.\d+\.\d+/.exec(version)?.[0] ?? version
  if (number === CHECKED_CLIENT) return ok('client', `${client} ${number}`)
  return { what: 'client', state: 'ok', text: `${client} ${number} (checked with ${CHECKED_CLIENT})`, mend: null }
}

async function git(env: Env): Promise<Finding> {
  const version = await versionOf('git', ['--version'], env)
  if (!version) return bad('git', 'git is not there', 'install git with your package manager')
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  const canForecast =
    Number(major) > GIT_WANTED[0] || (Number(major) === GIT_WANTED[0] && Number(minor) >= GIT_WANTED[1])
  if (canForecast) return ok('git', version)
  const text = `${version} is older than ${GIT_WANTED.join('.')}: what works in worktrees cannot be merged`
  return { what: 'git', state: 'warn', text, mend: 'install a newer git with your package manager' }
}

async function tmux(env: Env): Promise<Finding> {
  const version = await versionOf('tmux', ['-V'], env)
  if (version) return ok('tmux', version)
  return {
    what: 'tmux',
    state: 'warn',
    text: 'tmux is not there: the driver pane cannot be used',
    mend: 'install tmux with your package manager',
  }
}

async function stateDirectory(home: string): Promise<Finding> {
  try {
    const found = await stat(home)
    if (found.mode & 0o077)
      return { what: 'state', state: 'warn', text: `${home} can be read by others`, mend: `chmod 700 '${home}'` }
    await rm(await mkdtemp(join(home, 'doctor-')), { recursive: true })
    return ok('state', home)
  } catch (error) {
    return bad('state', `${home}: ${(error as Error).message}`, 'make it writable for you, or set REHOBOAM_HOME')
  }
}

async function disk(home: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(home)
  const free = Math.round((bavail * bsize) / 1e6)
  if (free >= DISK_WANTED_MB) return ok('disk', `${free} MB free`)
  return {
    what: 'disk',
    state: free < 50 ? 'bad' : 'warn',
    text: `only ${free} MB free at ${home}`,
    mend: 'free some space',
  }
}

/** Times in journals come from this clock: one that jumps makes waits wrong. */
async function clock(home: string): Promise<Finding> {
  const probe = await mkdtemp(join(home, 'clock-'))
  const { mtimeMs } = await stat(probe)
  await rm(probe, { recursive: true })
  const apart = Math.abs(mtimeMs - Date.now())
  if (apart < 2_000) return ok('clock', 'agrees with the file system')
  return {
    what: 'clock',
    state: 'warn',
    text: `differs from the file system's by ${Math.round(apart / 1000)} s`,
    mend: 'set the clock, e.g. by NTP',
  }
}

/** Others on this machine could take our port while we are down and answer hooks in our name. */
async function shared(usesPort: boolean): Promise<Finding> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const people = passwd.split('\n').filter(line => {
    const [, , uid, , , , shell = ''] = line.split(':')
    return Number(uid) >= 1000 && Number(uid) < 60_000 && !/(nologin|false)$/.test(shell)
  })
  if (people.length <= 1) return ok('machine', 'nobody else seems to use it')
  if (!usesPort)
    return ok('machine', `${people.length} people have accounts here; hooks.http is off, so hooks do not use the port`)
  return {
    what: 'machine',
    state: 'warn',
    text: `${people.length} people have accounts here`,
    mend: 'if you do not trust them: rehoboam config set hooks.http off, then rehoboam daemon stop',
  }
}

async function versionOf(name: string, words: string[], env: Env): Promise<string | null> {
  const { stdout, failed } = await execa(name, words, {
    env,
    extendEnv: false,
    reject: false,
    timeout: ANSWERS_WITHIN_MS,
  })
  return failed ? null : (stdout.split('\n')[0]?.slice(0, 100) ?? null)
}

function ok(what: string, text: string): Finding {
  return { what, state: 'ok', text, mend: null }
}

function bad(what: string, text: string, mend: string): Finding {
  return { what, state: 'bad', text, mend }
}
