import { printable } from '../../contract/printable.ts'
import type { ChangedFile } from '../../contract/ward.ts'
import { definitionChanges, installedChanges, type WardDefinition } from './definition.ts'
import { nameOf, type Tampering } from './tampering-found.ts'
import { type Census, censusOf } from './test-census.ts'
import { isForAllTests, isNamedAsTest, isTestFile } from './test-file.ts'

// As many as a person reads.
const MOST_FOUND = 200

/**
 * What makes a green ward no proof: since the base its definition has changed, or tests were deleted or are not run any more. New
 * tests, tests under another name or in another place, and other dependencies are none of that.
 */
export function tamperedSince(given: { changed: ChangedFile[] } & WardDefinition): Tampering[] {
  const { changed, ...ward } = given
  const found = [
    ...installedChanges(changed),
    ...definitionChanges(changed.filter(differs), ward),
    ...testChanges(changed),
  ]
  return found.slice(0, MOST_FOUND)
}

function differs({ before, after }: ChangedFile): boolean {
  return before !== after
}

type TestFile = { path: string; before: Census; after: Census; isNew: boolean; isGone: boolean }

function testChanges(changed: ChangedFile[]): Tampering[] {
  const files = paired(changed.filter(differs).filter(isTest).map(counted))
  const arrived = arrivals(files)
  return files.flatMap(file => [...missing(file, arrived), ...leftOut(file)])
}

function isTest({ path, before, after }: ChangedFile): boolean {
  return isTestFile(path, before ?? '') || isTestFile(path, after ?? '')
}

function counted({ path, before, after }: ChangedFile): TestFile {
  const isNew = before === null
  return { path, before: censusOf(path, before), after: censusOf(path, after), isNew, isGone: after === null }
}

/** A file that is gone and a new one that is its like are one file with another name. */
function paired(files: TestFile[]): TestFile[] {
  const fresh = files.filter(({ isNew }) => isNew)
  const names = new Map(fresh.map(file => [file, new Set(file.after.names)]))
  const rest = files.filter(({ isNew }) => !isNew)
  const joined = rest.map(gone => {
    const like = gone.isGone ? fresh.find(file => isLike(gone, file, names.get(file)!)) : undefined
    if (!like) return gone
    fresh.splice(fresh.indexOf(like), 1)
    return { ...gone, path: like.path, after: like.after, isGone: false }
  })
  return [...joined, ...fresh]
}

function isLike(gone: TestFile, fresh: TestFile, names: Set<string>): boolean {
  const kept = gone.before.names.filter(name => names.has(name)).length
  if (gone.before.names.length === 0) return nameOf(gone.path) === nameOf(fresh.path)
  return kept * 2 >= gone.before.names.length || (nameOf(gone.path) === nameOf(fresh.path) && kept > 0)
}

/** Names of tests that a file has now and had not: where a test may have moved to. */
function arrivals(files: TestFile[]): Map<string, number> {
  const arrived = new Map<string, number>()
  for (const { before, after } of files) {
    for (const name of lessOf(after.names, before.names)) arrived.set(name, (arrived.get(name) ?? 0) + 1)
  }
  return arrived
}

function missing(file: TestFile, arrived: Map<string, number>): Tampering[] {
  const { path, before, after, isGone } = file
  // A test that is skipped now stands there still, and is told as that.
  const skipped = isGone ? 0 : Math.max(0, after.leftOut - before.leftOut)
  const fewer = before.names.length - after.names.length - skipped
  const moved = lessOf(before.names, after.names).filter(name => take(arrived, name)).length
  if (isGone && before.names.length === 0 && isNamedAsTest(path)) return deleted(path, 'this file of tests is gone')
  if (fewer - moved <= 0) return []
  if (isGone) return deleted(path, `this file is gone, and with it ${tests(fewer - moved)}`)
  return deleted(path, `${tests(fewer - moved)} less than before`)
}

function leftOut({ path, before, after, isNew }: TestFile): Tampering[] {
  const isNewAndAlone = isNew && !isForAllTests(path)
  const more = isNewAndAlone ? after.singledOut : after.leftOut - before.leftOut
  if (more <= 0) return []
  return [{ what: 'skipped', path, sentence: `${printable(path)}: ${tests(more)} more left out or not run as before` }]
}

function deleted(path: string, sentence: string): Tampering[] {
  return [{ what: 'deleted', path, sentence: `${printable(path)}: ${sentence}` }]
}

function tests(count: number): string {
  return count === 1 ? 'one test' : `${count} tests`
}

/** What of the first is not in the second, each as often. */
function lessOf(names: string[], others: string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of others) counts.set(name, (counts.get(name) ?? 0) + 1)
  return names.filter(name => !take(counts, name))
}

function take(counts: Map<string, number>, name: string): boolean {
  const count = counts.get(name) ?? 0
  if (count === 0) return false
  counts.set(name, count - 1)
  return true
}
