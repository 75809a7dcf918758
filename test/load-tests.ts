import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'

/** Milliseconds after the last test in which a process ends that a failed test has left something open in. */
const ENDING = 120_000

/**
 * Loads the tests of a folder into this process, and those of folders beside it: starting a process costs more than fifty tests. Tests run
 * one after the other, and none before all are loaded, because loading a file delays running tests.
 * @param others paths relative to the folder
 */
export const loadTests = async (folder: string, ...others: ReadonlyArray<string>): Promise<void> => {
  // tap removes a test's folder before the teardowns that were registered after it was made: a server would still write into it.
  t.beforeEach((t) => t.teardown(() => undefined))
  const loaded = Promise.withResolvers<void>()
  t.test('the tests are loaded', async (t) => {
    await loaded.promise
    t.pass()
  })
  for (const place of [folder, ...others.map((other) => join(folder, other))])
    for (const name of globSync('*.test.ts', { cwd: place }).sort())
      if (name !== 'all.test.ts') await import(pathToFileURL(join(place, name)).href)
  t.test('no test has left anything open', async (t) => {
    const onOpen = () => {
      process.stderr.write(`still open: ${process.getActiveResourcesInfo().join(', ')}\n`)
      process.exit(1)
    }
    setTimeout(onOpen, ENDING).unref()
    t.pass()
  })
  loaded.resolve()
}
