import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stryker } from '@stryker-mutator/core'

/**
 * Changes the domain's rules, one change at a time, and looks whether its tests notice.
 *
 * `node tools/stress/mutation.ts [PATTERN…]`: files below packages/domain to change, `src/**` unless given.
 */
const given = process.argv.slice(2)
const patterns = given.length === 0 ? ['src/**/*.ts', '!src/index.ts', '!src/ports/**'] : given
/** Where changed copies are, and the report when it is over. */
const folder = join(tmpdir(), 'almoner-mutation')
const here = import.meta.dirname

// Stryker works in the folder where it stands, and what it copies finds its packages from there.
process.chdir(join(here, '../../packages/domain'))

await new Stryker({
  mutate: patterns,
  testRunner: 'suites',
  plugins: [join(here, 'mutation/runner.ts')],
  coverageAnalysis: 'perTest',
  checkers: [],
  concurrency: 2,
  // A process keeps all modules that it has ever loaded.
  maxTestRunnerReuse: 50,
  timeoutMS: 10_000,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: true },
  jsonReporter: { fileName: join(folder, 'report.json') },
  tempDirName: join(folder, 'sandbox'),
  // Stryker would read the last with TypeScript's API, which TypeScript 7 does not have.
  ignorePatterns: ['dist', 'tsconfig.json'],
  disableTypeChecks: true,
  allowConsoleColors: false,
  thresholds: { high: 95, low: 90, break: 90 },
}).runMutationTest()
