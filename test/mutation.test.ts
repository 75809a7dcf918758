import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import tap from '../tools/stress/mutation/suites.ts'

// `pnpm mutation` runs the domain's tests without tap, and fails at the first assertion that it does not have.

const TESTS = join(import.meta.dirname, '../packages/domain/test')

t.test("pnpm mutation has the assertions that the domain's tests use", async (t) => {
  const texts = globSync('*.test.ts', { cwd: TESTS }).map((name) => readFileSync(join(TESTS, name), 'utf8'))
  const used = new Set(texts.flatMap((text) => [...text.matchAll(/\bt\.(\w+)\(/g)].map(([, name]) => name)))
  t.ok(used.size > 5)
  t.strictSame(
    [...used].filter((name) => !Object.keys(tap).includes(name ?? '')),
    [],
  )
})

t.test('an assertion of pnpm mutation fails when what it says is not so', async (t) => {
  const fault = () => {
    throw new TypeError('a fault')
  }
  t.throws(() => tap.throws(() => 1))
  t.throws(() => tap.throws(fault, /another/))
  t.throws(() => tap.throws(fault, { name: 'RangeError' }))
  t.throws(() => tap.doesNotThrow(fault))
  await t.rejects(tap.rejects(Promise.resolve()))
  await t.rejects(tap.rejects(Promise.reject(new Error('a fault')), TypeError))
  tap.throws(fault, /^a fault$/)
  await tap.rejects(Promise.reject(new TypeError('a fault')), TypeError)
})
