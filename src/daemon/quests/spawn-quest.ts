import { join } from 'node:path'
import type { ConfigValues } from '../../config/keys.ts'
import type { SpawnRequest } from '../../contract/api.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { LoopSpec } from '../../contract/loop.ts'
import type { QuestRequest, QuestSpec, RoleSpec } from '../../contract/quest.ts'
import type { Texts } from '../../ports.ts'
import { refuseBusyRepository } from '../loops/open-loop.ts'
import { type LoopSpawning, loopDirectoryOf, loopSpecOf } from '../loops/spawn-loop.ts'
import type { RoleBook } from '../roles/role-book.ts'
import { refuseDirty } from '../worktrees/base.ts'

/** What a role that may change tests only may change, where nothing else is configured: what test runners look for. */
const TEST_FILES = [
  '**/test/**',
  '**/tests/**',
  '**/__tests__/**',
  '**/spec/**',
  '**/testdata/**',
  '**/*.test.*',
  '**/*.spec.*',
  '**/*_test.*',
  '**/test_*.py',
  '**/conftest.py',
]

export type QuestSpawning = LoopSpawning & { roles: RoleBook }

/** Everything that speaks against a quest, before it exists. */
export async function requestFor(
  { repository }: QuestSpawning,
  { directory, prompt }: SpawnRequest,
  { agreedDirty }: QuestRequest,
): Promise<string> {
  if (!prompt.trim()) throw new RehoboamError('no-task', 'there is no request; rehoboam quest "<what you want>"')
  await refuseDirty(repository, directory, agreedDirty)
  await refuseBusyRepository({ repository }, directory)
  return prompt
}

/** Roles, checks and setup as they are now: nobody who works in the quest can change them. */
export async function questFor(
  outside: QuestSpawning,
  id: string,
  request: SpawnRequest,
  asked: QuestRequest,
  config: ConfigValues,
  texts: Texts,
): Promise<{ loop: LoopSpec; quest: QuestSpec }> {
  const { approvePlan, ward, acceptRedBase, agreed, agreedDirty } = asked
  const loopRequest = { role: 'auto' as const, autoSpawn: false, judgePrompt: null, worktree: true }
  const loop = await loopSpecOf(
    outside,
    { ...request, loop: { ...loopRequest, ward, acceptRedBase, agreed, agreedDirty } },
    config,
    texts,
    request.prompt,
  )
  const found = await outside.roles.of(request.directory)
  const roles = await Promise.all(
    found.map(
      async ({ name, prompt, model, effort, tools, driver, maySignal, mayChange }): Promise<RoleSpec> => ({
        name,
        prompt: await texts.put(prompt),
        model,
        effort,
        tools: tools ?? [],
        driver,
        maySignal,
        changes: mayChange,
      }),
    ),
  )
  return {
    loop: { ...loop, directory: join(loopDirectoryOf(request.directory), 'quests', id) },
    quest: { slots: config.slots, approvePlan, roles, testFiles: [...config['quest.testFiles'], ...TEST_FILES] },
  }
}
