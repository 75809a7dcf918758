import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import * as domain from '../packages/domain/test/fixtures/domain.ts'
import { exampleErrors } from '../tools/api-docs/example-errors.ts'
import { examples, page, useCases } from '../tools/api-docs/use-cases.ts'

const ROOT = join(import.meta.dirname, '..')

/** Functions that take ports or a policy and are no use case of the facade. */
const NO_USE_CASE = /^make(?:[A-Za-z]*Area|Areas|Further\w+Errors|ResultRecorder|Lanes|Pace|PurgeHold)$/

t.test('docs/use-cases.md lists the use cases as their types have them', async (t) => {
  t.equal(
    readFileSync(join(ROOT, 'docs/use-cases.md'), 'utf8'),
    page(),
    'run node tools/api-docs/use-cases.ts',
  )
})

t.test('the doc comment of each use case names a rule, and docs/use-cases.md has an example', async (t) => {
  const text = [...examples().values()].join('')
  for (const { name, comment } of useCases()) {
    t.match(comment, /\([A-N]\d+(?:, [A-N]\d+)*\)/, name)
    t.ok(text.includes(`almoner.promises.${name}(`), `${name} has an example`)
  }
})

t.test('the examples of docs/use-cases.md have right types', async (t) => {
  t.strictSame(exampleErrors(), [])
})

t.test('every use case has a place in the facade', async (t) => {
  const makers = Object.keys(domain).filter((name) => /^make[A-Z]/.test(name) && !NO_USE_CASE.test(name))
  const inFacade = new Set(useCases().map(({ maker }) => maker))
  t.ok(makers.length > 45)
  t.strictSame(
    makers.filter((maker) => !inFacade.has(maker)),
    [],
  )
})
