import { sampleDay, sampleId } from '@almoner/domain/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { startOf } from '../src/repositories/items/start.ts'

const place = { key: sampleDay(5), id: sampleId(1) }

t.test('C9, C11: of an embargo and a place, the lower bound alone is where reading begins', async (t) => {
  t.strictSame(startOf(O.none, O.none), { kind: 'top' })
  t.strictSame(startOf(O.some(sampleDay(5)), O.none), { kind: 'key', key: sampleDay(5) })
  t.strictSame(startOf(O.none, O.some(place)), { kind: 'after', place })
  t.strictSame(startOf(O.some(sampleDay(6)), O.some(place)), { kind: 'after', place })
  t.strictSame(startOf(O.some(sampleDay(5)), O.some(place)), { kind: 'after', place }, 'within the last day')
  t.strictSame(startOf(O.some(sampleDay(4)), O.some(place)), { kind: 'key', key: sampleDay(4) })
})
