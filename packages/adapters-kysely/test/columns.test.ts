import t from 'tap'
import { allColumnsOf } from '../src/schema/columns.ts'
import { LIBRARY_COLUMNS } from '../src/schema/item.table.ts'

interface Row {
  readonly id: string
  readonly name: string | null
}

t.test('an incomplete list of columns does not compile', async (t) => {
  t.strictSame([...allColumnsOf<Row>({ id: true, name: true })], ['id', 'name'])
  // @ts-expect-error: a column is missing
  allColumnsOf<Row>({ id: true })
  // @ts-expect-error: there is no such column
  allColumnsOf<Row>({ id: true, name: true, more: true })
  // @ts-expect-error: a list that was not checked is none of all columns
  const columns: typeof LIBRARY_COLUMNS = ['id']
  t.not(columns.length, LIBRARY_COLUMNS.length)
})
