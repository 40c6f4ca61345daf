import { resolve } from 'node:path'
import { Command } from 'commander'
import type { DiffAnswer, PruneAnswer, RestoreAnswer } from '../../contract/checkpoint-api.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { shellWord } from '../../contract/shell-word.ts'
import { plainBlock, plainLine } from '../../view/plain.ts'
import { bytesWords } from '../../view/words.ts'
import type { Face } from '../face.ts'
import { runPath } from '../run-path.ts'

/** What a loop left in git: look at it, take it out, clear it away. */
export function checkpointCommands(face: Face): Command[] {
  return [diff(face), restore(face), prune(face)]
}

function diff(face: Face): Command {
  return new Command('diff')
    .description('what a loop has changed, from before its start to its last checkpoint')
    .argument('<run>')
    .option('--stat', 'only which files, and how much')
    .option('--json', 'for scripts')
    .action(async (id: string, { stat, json }: { stat?: boolean; json?: boolean }) => {
      const path = `${runPath(id, '/diff')}${stat ? '?stat=1' : ''}`
      const found = await face.daemon.ask<DiffAnswer>({ path })
      if (json) return face.out.json(found)
      if (!found.text.trim()) return face.out.line(`nothing has changed up to iteration ${found.iteration}`)
      for (const line of plainBlock(found.text).trimEnd().split('\n')) face.out.line(line)
      if (found.cut) face.out.note(`there is more; git diff ${found.from} ${found.to} shows all of it`)
    })
}

function restore(face: Face): Command {
  return new Command('restore')
    .description('take an iteration’s checkpoint out, into a new branch or worktree; your own files stay as they are')
    .argument('<run>')
    .argument('<iteration>', 'its number; 0 is what was there before')
    .option('--branch <name>', 'the new branch (default: rehoboam-restored/<run>-<iteration>)')
    .option('--worktree <directory>', 'a new worktree instead')
    .option('--json', 'for scripts')
    .action(async (id: string, text: string, options: { branch?: string; worktree?: string; json?: boolean }) => {
      face.mayChange('restore')
      if (!/^\d{1,9}$/.test(text)) throw new RehoboamError('usage', `"${text}" is not the number of an iteration`)
      if (options.branch && options.worktree) throw new RehoboamError('usage', 'give --branch or --worktree, not both')
      const worktree = options.worktree ? resolve(options.worktree) : null
      const body = { iteration: Number(text), branch: options.branch ?? null, worktree }
      const done = await face.daemon.ask<RestoreAnswer>({ method: 'POST', path: runPath(id, '/restore'), body })
      if (options.json) return face.out.json(done)
      if (done.worktree) return face.out.line(`iteration ${text} is in ${plainLine(done.worktree, 4096)}`)
      // Not git switch: a loop in place leaves files that are in its way.
      const show = `${gitIn(done.directory)} show ${shellWord(done.branch ?? done.commit)}`
      face.out.line(`iteration ${text} is branch ${done.branch}; ${show} shows what it changed`)
    })
}

/** As it is typed here. */
function gitIn(directory: string): string {
  return process.cwd() === directory ? 'git' : `git -C ${shellWord(directory)}`
}

function prune(face: Face): Command {
  return new Command('prune')
    .description('remove worktrees of ours that nobody needs any more, and say what is kept')
    .option('--checkpoints <run>', 'also the checkpoints of this ended run, which may be the only copy of its work')
    .option('--json', 'for scripts')
    .action(async ({ checkpoints, json }: { checkpoints?: string; json?: boolean }) => {
      face.mayChange('prune')
      const body = { checkpoints: checkpoints ?? null }
      const { removed, kept } = await face.daemon.ask<PruneAnswer>({ method: 'POST', path: '/v1/prune', body })
      if (json) return face.out.json({ removed, kept })
      for (const { what, bytes } of removed) {
        face.out.line(`removed ${plainLine(what, 4096)}${bytes === null ? '' : ` (${bytesWords(bytes)})`}`)
      }
      for (const { what, why } of kept) face.out.line(`kept ${plainLine(what, 4096)}: ${plainLine(why)}`, 'note')
      if (removed.length + kept.length === 0) face.out.line('there is nothing to remove')
    })
}
