import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { INSTRUMENTER_CONSTANTS, InstrumenterContext } from '@stryker-mutator/api/core'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner'
import fc from 'fast-check'
import { takeTests, type WrittenTest } from './suites.ts'

// What fails has failed: looking for the smallest example would only take time.
fc.configureGlobal({ endOnFailure: true })

const SUITES = new URL('./suites.ts', import.meta.url).href
const NAMESPACE: typeof INSTRUMENTER_CONSTANTS.NAMESPACE = '__stryker__'

const context: { [K in keyof InstrumenterContext]: InstrumenterContext[K] | undefined } = {}
Object.assign(globalThis, { [NAMESPACE]: context })

interface Named extends WrittenTest {
  readonly id: string
}

/** How often the suites have been loaded: each time they and all that they import are other modules, made with the mutant that is active. */
let loads = 0
/** Where Stryker has put the copy: it goes there only once this file is loaded. */
const sandbox = (): string => `${pathToFileURL(process.cwd()).href}/`

/** Packages are found from where the domain is, of which the sandbox is a copy elsewhere. */
const DOMAIN = new URL('../../../packages/domain/test/all.test.ts', import.meta.url).href

const isPackage = (specifier: string): boolean => !/^(?:\.|\/|file:|node:)/.test(specifier)

registerHooks({
  resolve: (specifier, from, next) => {
    if (specifier === 'tap') return { url: SUITES, shortCircuit: true, format: 'module-typescript' }
    const isOwn = from.parentURL?.startsWith(sandbox()) === true
    if (isOwn && isPackage(specifier)) return next(specifier, { ...from, parentURL: DOMAIN })
    const found = next(specifier, from)
    return found.url.startsWith(sandbox()) ? { ...found, url: `${found.url}?${loads}` } : found
  },
})

const load = async (): Promise<ReadonlyArray<Named>> => {
  loads += 1
  const folder = join(process.cwd(), 'test')
  for (const name of globSync('!(all).test.ts', { cwd: folder }).sort())
    await import(pathToFileURL(join(folder, name)).href)
  return takeTests().map((test, at) => ({ ...test, id: `${at} ${test.name}` }))
}

const perform = async ({ id, name, run }: Named): Promise<TestResult> => {
  const begun = performance.now()
  const told = () => ({ id, name, timeSpentMs: performance.now() - begun })
  try {
    await run()
    return { ...told(), status: TestStatus.Success }
  } catch (error) {
    return { ...told(), status: TestStatus.Failed, failureMessage: String(error) }
  }
}

/** Whether the mutant runs in a circle. */
const limitReached = (): MutantRunResult | undefined => {
  const reached = determineHitLimitReached(context.hitCount, context.hitLimit)
  return reached === undefined ? undefined : toMutantRunResult(reached)
}

/** Runs the domain's suites in this process, each test by itself, for Stryker. */
class SuiteRunner implements TestRunner {
  private tests: ReadonlyArray<Named> | undefined

  async capabilities() {
    return { reloadEnvironment: true }
  }

  async dryRun(): Promise<DryRunResult> {
    this.tests = await load()
    const results = []
    for (const test of this.tests) {
      context.currentTestId = test.id
      results.push(await perform(test))
    }
    context.currentTestId = undefined
    const { mutantCoverage } = context
    return {
      status: DryRunStatus.Complete,
      tests: results,
      ...(mutantCoverage === undefined ? {} : { mutantCoverage }),
    }
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, testFilter, hitLimit, mutantActivation, reloadEnvironment } = options
    context.hitLimit = hitLimit
    context.hitCount = hitLimit === undefined ? undefined : 0
    context.activeMutant = mutantActivation === 'static' ? activeMutant.id : undefined
    try {
      if (reloadEnvironment || this.tests === undefined) this.tests = await load()
    } catch (error) {
      // The next mutant finds no tests of this one.
      this.tests = undefined
      takeTests()
      return toMutantRunResult({
        status: DryRunStatus.Complete,
        tests: [
          {
            id: 'load',
            name: 'loading',
            timeSpentMs: 0,
            status: TestStatus.Failed,
            failureMessage: String(error),
          },
        ],
      })
    }
    context.activeMutant = activeMutant.id
    const wanted = new Set(testFilter)
    const results: Array<TestResult> = []
    for (const test of this.tests.filter(({ id }) => testFilter === undefined || wanted.has(id))) {
      const result = await perform(test)
      results.push(result)
      if (result.status === TestStatus.Failed) break
    }
    return limitReached() ?? toMutantRunResult({ status: DryRunStatus.Complete, tests: results })
  }
}

/** What Stryker takes from this file. */
export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'suites', SuiteRunner)]
