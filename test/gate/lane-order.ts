import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { LANES, type Lane } from '../../scripts/lanes/lane.ts'

/**
 * The files that take longest, longest first. One of these that starts last keeps everybody waiting. The runner itself goes
 * by what it remembers of the last time, and on a fresh clone by size, which says nothing. `npm test` prints the slowest files.
 */
const LONGEST = ['test/quest/whole', 'test/quest/trouble', 'test/tui/day', 'test/loop/run', 'test/pool/whole']

/** Files run lane by lane, and the longest files of a lane first. */
export class LaneOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const lane = ({ project }: TestSpecification) => LANES.indexOf(project.name as Lane)
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex(name => moduleId.includes(`/${name}.`))
      return place < 0 ? LONGEST.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => lane(a) - lane(b) || rank(a) - rank(b))
  }
}
