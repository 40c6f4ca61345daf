import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noteHome } from './temp-home.ts'
import { THRIFTY } from './thrifty.ts'

/** A home of its own for one client, so that no test sees what another one, or the developer, left behind. */
export type ClientHome = {
  home: string
  cwd: string
  /** The whole environment that a client is started with; the caller's is never passed on. */
  env(modelUrl: string): Record<string, string>
  transcript(session: string): string
  [Symbol.asyncDispose](): Promise<void>
}

// Any text will do as a key. The client asks before it uses one that it has not seen, unless its last 20 characters are listed.
const KEY = 'rehearsal-key-0123456789-0123456789'

export async function clientHome(): Promise<ClientHome> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'rehoboam-client-')))
  noteHome(home)
  const cwd = join(home, 'project')
  await mkdir(cwd)
  await writeFile(join(home, '.claude.json'), JSON.stringify(settled(cwd)))
  return {
    home,
    cwd,
    env: modelUrl => ({
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: home,
      TMPDIR: home,
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '1',
      DISABLE_AUTOUPDATER: '1',
      IS_SANDBOX: '1',
      ...THRIFTY,
    }),
    transcript: session => join(home, '.claude', 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'), `${session}.jsonl`),
    // The client may still write its last lines while it is being killed.
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  }
}

/** What an interactive client remembers after somebody went through its first screens. */
function settled(cwd: string) {
  return {
    hasCompletedOnboarding: true,
    theme: 'dark',
    bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: { [cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  }
}
