import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'

/**
 * Loads the tests of a folder into this process: starting a process costs more than most of them. Tests run one after the other, and none
 * before all are loaded, because loading a file delays running tests.
 */
export const loadTests = async (folder: string): Promise<void> => {
  // tap removes a test's folder before the teardowns that were registered after it was made: a server would still write into it.
  t.beforeEach((t) => t.teardown(() => undefined))
  const loaded = Promise.withResolvers<void>()
  t.test('the tests are loaded', async (t) => {
    await loaded.promise
    t.pass()
  })
  for (const name of globSync('*.test.ts', { cwd: folder }).sort())
    if (name !== 'all.test.ts') await import(pathToFileURL(join(folder, name)).href)
  loaded.resolve()
}
