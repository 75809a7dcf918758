// Runs the tests beside it in one process: starting one costs more than most of them.
import { globSync } from 'node:fs'
import t from 'tap'

const loaded = Promise.withResolvers<void>()
// Tests run one after the other. This one lets the others wait: loading a file delays running tests.
t.test('the tests are loaded', async (t) => {
  await loaded.promise
  t.pass()
})

for (const name of globSync('*.test.ts', { cwd: import.meta.dirname }).sort())
  if (name !== 'all.test.ts') await import(`./${name}`)
loaded.resolve()
