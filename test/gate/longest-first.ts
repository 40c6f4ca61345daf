import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What takes longest, longest first: started last, one of these would be waited for by everybody. The runner itself goes by
 * what it remembers of the last time, and on a fresh clone by size, which says nothing: some of these are the shortest files.
 */
const LONGEST = [
  'test/quest/kill',
  'test/pool/kill',
  'test/quest/whole',
  'test/quest/trouble',
  'test/quest/again',
  'test/quest/panes',
  'test/quest/several',
  'test/tui/day',
  'test/quest/hands',
  'test/quest/faults',
  'test/loop/random-kill',
  'test/runtime/random-kill',
  'test/loop/not-the-end',
  'test/session/unheard',
  'test/fuzz/hooks',
  'test/fuzz/api',
  'test/loop/run',
  'test/agents/dropped',
  'test/inbox/pane-answers',
  'test/daemon/kill-points',
  'test/loop/takeover',
  'test/loop/killed',
  'test/loop/proof',
  'test/pool/trouble',
  'test/pool/whole',
  'test/cli/runs',
  'test/cli/papers',
  'test/loop/left-running',
  'test/client/hooks',
  'test/client/conformance',
  'test/cli/demo',
  'test/hooks/spool',
  'test/daemon/followers',
  'test/session/stuck',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex(name => moduleId.includes(`/${name}.test.`))
      return place < 0 ? LONGEST.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
