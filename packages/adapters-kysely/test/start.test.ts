import type { Cursor } from '@almoner/domain/content'
import { sampleDay, sampleId } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { newestFirst } from '../src/content/select-items.ts'
import { startConditions } from '../src/database/ordered-table.ts'

const cursor = { key: sampleDay(5), id: sampleId(1) }

t.test('C9, C11: with an embargo and a cursor, reading starts at the lower bound', async (t) => {
  const start = (until: O.Option<string>, after: O.Option<Cursor<string>>) =>
    startConditions(newestFirst<string>('day'), until, after)
  const byDay = (day: number) => [{ text: 'day <= ?', values: [sampleDay(day)] }]
  const byCursor = [{ text: '(day, id) < (?, ?)', values: [cursor.key, cursor.id] }]
  t.strictSame(start(O.none, O.none), [])
  t.strictSame(start(O.some(sampleDay(5)), O.none), byDay(5))
  t.strictSame(start(O.none, O.some(cursor)), byCursor)
  t.strictSame(start(O.some(sampleDay(6)), O.some(cursor)), byCursor)
  t.strictSame(start(O.some(sampleDay(5)), O.some(cursor)), byCursor, 'within the last day')
  t.strictSame(start(O.some(sampleDay(4)), O.some(cursor)), byDay(4))
})
