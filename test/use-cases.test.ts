import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import * as domain from '../packages/domain/src/all.ts'
import { exampleErrors } from '../tools/api-docs/example-errors.ts'
import { commented, page, useCases } from '../tools/api-docs/use-cases.ts'

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

t.test('the doc comment of each use case names its failures and a rule, and has an example', async (t) => {
  for (const [file, text] of commented())
    t.equal(readFileSync(file, 'utf8'), text, 'run node tools/api-docs/use-cases.ts')
  for (const { name, comment } of useCases()) {
    const text = readFileSync(comment.file, 'utf8').slice(comment.from, comment.to)
    t.match(text, /\([A-M]\d+(?:, [A-M]\d+)*\)/, name)
    t.match(text, /@example\n +\* ```ts\n.*almoner\.promises\./s, name)
  }
})

t.test('the examples in the doc comments of the facade have right types', async (t) => {
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
