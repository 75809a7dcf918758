import * as fc from 'fast-check'
import t from 'tap'
import { insertChunks, paddedInLists } from '../src/database/writes.ts'

const SIZES = [100, 10, 1]

const rows = fc.nat(350).map((length) => Array.from({ length }, (_, n) => n))

t.test('chunks contain every row once, in order, and have few sizes', async (t) => {
  const property = fc.property(rows, (all) => {
    const made = [...insertChunks(all)]
    return made.flat().join() === all.join() && made.every(({ length }) => SIZES.includes(length))
  })
  t.doesNotThrow(() => fc.assert(property))
})

t.test('IN lists contain every value and no others, and have few sizes', async (t) => {
  const property = fc.property(rows, (all) => {
    const made = [...paddedInLists(all)]
    const named = [...new Set(made.flat())]
    return named.join() === all.join() && made.every(({ length }) => SIZES.includes(length))
  })
  t.doesNotThrow(() => fc.assert(property))
  t.strictSame([...paddedInLists([])], [], 'without values there is no list')
})
