import { writeFileSync } from 'node:fs'
import type {
  Reporter,
  SerializedError,
  TestCase,
  TestModule,
  TestRunEndReason,
  TestSpecification,
  Vitest,
} from 'vitest/node'
import { type Failure, REPORT_FILE, type Report } from '../../scripts/lanes/report.ts'
import type { Requirement } from '../requirements/requirement.ts'
import { type Complaint, judge, type RanTest } from './judge.ts'

/** Holds the tests that really ran against the list of promises, and makes the run red where they differ. */
export class RequirementGate implements Reporter {
  readonly #requirements: Requirement[]
  #vitest!: Vitest
  #reportFile: string | undefined
  #started: ReadonlyArray<TestSpecification> = []

  constructor(requirements: Requirement[]) {
    this.#requirements = requirements
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    // Taken away, so that a run inside a test does not write its counts over ours.
    this.#reportFile = process.env[REPORT_FILE]
    delete process.env[REPORT_FILE]
  }

  onTestRunStart(specifications: ReadonlyArray<TestSpecification>): void {
    this.#started = specifications
  }

  async onTestRunEnd(
    modules: ReadonlyArray<TestModule>,
    unhandled: ReadonlyArray<SerializedError>,
    reason: TestRunEndReason,
  ): Promise<void> {
    const tests = modules.flatMap(module => [...module.children.allTests()]).filter(test => this.#wasAskedFor(test))
    const ran = tests.map(toRanTest)
    const scope = { full: await this.#isFull(), all: process.env.TEST_ALL === '1' }
    const complaints = reason === 'interrupted' ? [] : judge(this.#requirements, ran, scope)
    if (complaints.length > 0) process.exitCode = 1
    this.#vitest.logger.log(words(complaints))
    if (scope.full && !scope.all) this.#vitest.logger.log(onlyAllWords(this.#requirements))
    const failures = tests.filter(test => ['failed', 'pending'].includes(test.result().state)).map(toFailure)
    const outside = outsideFailures(modules)
    this.#keep({
      passed: ran.filter(({ state }) => state === 'passed').length,
      failed: failures.length + outside.length + unhandled.length,
      skipped: ran.filter(({ state }) => state === 'skipped').length,
      complaints: complaints.length,
      failures: [...failures, ...outside],
      files: modules.map(module => ({
        file: module.relativeModuleId,
        seconds: Math.round(module.diagnostic().duration / 100) / 10,
      })),
    })
  }

  #keep(report: Report): void {
    if (this.#reportFile) writeFileSync(this.#reportFile, JSON.stringify(report))
  }

  /** `-t` marks all other tests as skipped. They are not the author's doing, so nobody is told about them. */
  #wasAskedFor(test: TestCase): boolean {
    const pattern = this.#vitest.getGlobalTestNamePattern()
    return !pattern || new RegExp(pattern).test(test.fullName)
  }

  async #isFull(): Promise<boolean> {
    if (this.#vitest.getGlobalTestNamePattern() || this.#vitest.config.project.length > 0) return false
    const started = new Set(this.#started.map(({ moduleId }) => moduleId))
    const all = await this.#vitest.globTestSpecifications()
    return all.every(({ moduleId }) => started.has(moduleId))
  }
}

function toFailure(test: TestCase): Failure {
  const { file, titles } = toRanTest(test)
  const errors = test.result().errors ?? []
  const error = errors.length > 0 ? errors.map(errorWords).join('\n') : 'the test did not finish'
  return { file, lane: test.project.name, titles, error }
}

function errorWords({ message, stacks = [] }: Pick<SerializedError, 'message' | 'stacks'>): string {
  return [message, ...stacks.slice(0, 1).map(at)].join('\n')
}

function at({ file, line }: { file: string; line: number }): string {
  return `at ${file.replace(`${process.cwd()}/`, '')}:${line}`
}

function onlyAllWords(requirements: Requirement[]): string {
  const count = (by: Requirement['provenBy']) => requirements.filter(({ provenBy }) => provenBy === by).length
  return `\n ${requirements.length} promises; npm run test:all alone proves ${count('test:all')} of them, and the whole sentence of ${count('both')} more`
}

function toRanTest(test: TestCase): RanTest {
  const titles = [test.name]
  for (let at = test.parent; at.type === 'suite'; at = at.parent) titles.unshift(at.name)
  return {
    file: test.module.relativeModuleId,
    titles,
    state: test.result().state,
    expectedToFail: test.options.fails === true,
  }
}

/** Files that do not load, and hooks like beforeAll that throw. */
function outsideFailures(modules: ReadonlyArray<TestModule>): Failure[] {
  return modules.flatMap(module => {
    const broken = [module, ...module.children.allSuites()].filter(suite => suite.errors().length > 0)
    return broken.map(suite => ({
      file: module.relativeModuleId,
      lane: module.project.name,
      titles: suite.type === 'suite' ? [suite.name] : [],
      isOutside: true as const,
      error: suite.errors().map(errorWords).join('\n'),
    }))
  })
}

function words(complaints: Complaint[]): string {
  if (complaints.length === 0) return ''
  const lists = complaints.map(({ about, items }) => `\n  ${about}:\n${items.map(item => `    - ${item}\n`).join('')}`)
  return `\n The promises and the tests do not agree:\n${lists.join('')}`
}
