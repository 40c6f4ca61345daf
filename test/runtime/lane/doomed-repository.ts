import { setTimeout as delay } from 'node:timers/promises'
import type { CheckpointRequest, Repository } from '../../../src/ports.ts'
import type { Doom } from './doom.ts'

// Longer than a checkpoint takes on a quiet machine: cut anywhere in it.
const CHECKPOINT_MS = 120

/** The real repository; who dies in the middle of a checkpoint leaves git at work behind, as it is in life. */
export function doomedRepository(repository: Repository, doom: Doom): Repository {
  return {
    ...repository,
    locate: directory => doom.around('locate', () => repository.locate(directory)),
    exclude: (directory, entries) => doom.around('exclude', () => repository.exclude(directory, entries)),
    cleanWorktree: request => doom.around('cleanWorktree', () => repository.cleanWorktree(request)),
    checkpoint: (request: CheckpointRequest) =>
      doom.around(
        'checkpoint',
        async () => {
          const made = await repository.checkpoint(request)
          doom.note({ op: 'checkpointed', path: request.directory, commit: made.commit })
          return made
        },
        async () => {
          void repository.checkpoint(request).catch(() => {})
          await delay(doom.plan.part * CHECKPOINT_MS)
        },
      ),
  }
}
