import { blocked } from './blocked.ts'
import { complete1 } from './complete-1.ts'
import { complete2 } from './complete-2.ts'
import { complete3 } from './complete-3.ts'
import { continue1 } from './continue-1.ts'
import { continue2 } from './continue-2.ts'
import { continue3 } from './continue-3.ts'
import { fresh1 } from './fresh-1.ts'
import { fresh2 } from './fresh-2.ts'
import { fresh3 } from './fresh-3.ts'
import { fresh4 } from './fresh-4.ts'
import { fresh5 } from './fresh-5.ts'
import { fresh6 } from './fresh-6.ts'
import type { JudgeCase } from './judge-case.ts'
import { stalled } from './stalled.ts'

/** The labelled set. Written before the heuristic that is measured on it, apart from fresh-*: see first-tries.ts. */
export const judgeCases: JudgeCase[] = [
  ...complete1,
  ...complete2,
  ...complete3,
  ...stalled,
  ...blocked,
  ...continue1,
  ...continue2,
  ...continue3,
  ...fresh1,
  ...fresh2,
  ...fresh3,
  ...fresh4,
  ...fresh5,
  ...fresh6,
]
