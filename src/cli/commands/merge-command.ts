import { Command } from 'commander'
import type { MergeAnswer, MergeRequest } from '../../contract/merge-api.ts'
import { plainLine } from '../../view/plain.ts'
import { type Face, wholeEnvironment } from '../face.ts'
import { eventId } from '../hook/event-id.ts'
import { runPath } from '../run-path.ts'

export function mergeCommand(face: Face): Command {
  return new Command('merge')
    .description('bring the result of a run with worktrees into the branch that you have checked out')
    .argument('<run>')
    .option('--squash', 'as one commit, without the history of its agents')
    .option('--no-ward', 'without the checks that follow when your branch has moved since the run began')
    .option('--json', 'for scripts')
    .action(async (id: string, options: { squash?: boolean; ward: boolean; json?: boolean }) => {
      face.mayChange('merge')
      const answer = await merged(face, id, {
        request: eventId(),
        squash: options.squash === true,
        ward: options.ward,
        environment: wholeEnvironment(face.env),
      })
      if (options.json) return face.out.json(answer)
      const branch = plainLine(answer.branch)
      if (answer.state === 'nothing') return face.out.line(`the run has changed nothing: ${branch} stays as it is`)
      if (answer.state === 'already') return face.out.line(`${branch} has it already, at ${answer.commit.slice(0, 10)}`)
      const files = answer.files === 1 ? '1 file' : `${answer.files} files`
      face.out.line(`${branch} is now at ${answer.commit.slice(0, 10)}: ${files} changed${wardWords(answer.ward)}`)
      face.out.note('git reset --keep HEAD~1 takes it back')
    })
}

type Done = Exclude<MergeAnswer, { state: 'under-way' }>

/** Checks may take their time: the same request goes on waiting for the one that is under way. */
async function merged(face: Face, id: string, body: MergeRequest): Promise<Done> {
  for (let asked = 1; ; asked++) {
    const answer = await face.daemon.ask<MergeAnswer>({ method: 'POST', path: runPath(id, '/merge'), body })
    if (answer.state !== 'under-way') return answer
    if (asked === 1) face.out.note('your branch has moved since the run began: the checks run on what would come out')
  }
}

function wardWords(ward: 'green' | 'old-reds' | null): string {
  if (ward === null) return ''
  return ward === 'green' ? ', checks green' : ', only checks red that were red before'
}
