import { expect, test } from 'vitest'
import type { EffectOf } from '../../src/core/effect.ts'
import { shareFiles } from '../../src/core/parent/files-named.ts'
import { liveOf } from '../../src/core/parent/parent-state.ts'
import { holds } from '../core/lives.ts'
import { poolKind } from './pool-moves.ts'

test('never more workers than wanted, no two for a task or with the same files, and one merge at a time [pool-workers]', () => {
  holds(poolKind, 100, life => {
    for (const { after } of life) {
      const deeds = Object.values(after.pending)
      const children = deeds.filter((deed): deed is EffectOf<'run-child'> => deed.do === 'run-child')
      expect(new Set(children.map(({ child }) => child)).size).toBe(children.length)
      expect(children.length).toBeLessThanOrEqual(Math.max(1, after.state.pool.maxWorkers))
      expect(deeds.filter(deed => deed.do === 'merge-task').length).toBeLessThanOrEqual(1)
      const files = children.flatMap(({ child }) => after.state.tasks.filter(({ id }) => id === child))
      for (const one of files)
        for (const other of files) expect(one !== other && shareFiles(one.files, other.files)).toBe(false)
    }
  })
})

test('what a pool says of its children is what was asked for: none is lost, none is forgotten [pool-no-lost-child]', () => {
  holds(poolKind, 100, life => {
    for (const { event, after } of life) {
      const asked = Object.values(after.pending).flatMap(effect => (effect.do === 'run-child' ? [effect.child] : []))
      const { merging } = after.state
      const live = liveOf(after.state).map(({ name }) => name)
      expect(asked.sort(), event.type).toEqual(live.sort())
      const merge = Object.values(after.pending).flatMap(effect => (effect.do === 'merge-task' ? [effect.task] : []))
      expect(merge, event.type).toEqual(merging === null ? [] : [merging])
    }
  })
})

test('a task is merged once, and never done again after that [pool-merged-once]', () => {
  holds(poolKind, 100, life => {
    const merged = new Set<string>()
    for (const { event, after } of life) {
      for (const id of merged) expect(after.state.tasks.find(task => task.id === id)?.state).toBe('merged')
      if (event.type === 'task-merged' && event.outcome.result === 'merged') merged.add(event.task)
    }
  })
})

test('the time of a pool runs while it is active, stands still while somebody is asked, and is never more than it was given [pool-clock-stops]', () => {
  holds(poolKind, 100, life => {
    for (const { event, after } of life) {
      const { status, spec, timeLimit, wish } = after.state
      const isArmed = Object.values(after.pending).some(
        effect => effect.do === 'set-timer' && effect.name === 'max-time',
      )
      if (status !== 'active' || spec.maxTimeMs === null) expect(isArmed, event.type).toBe(false)
      // Its time may be what ends it.
      else if (wish === null) expect(isArmed, event.type).toBe(timeLimit !== null && 'endsAtMs' in timeLimit)
      if (timeLimit && 'leftMs' in timeLimit) expect(timeLimit.leftMs).toBeLessThanOrEqual(spec.maxTimeMs!)
    }
  })
})
