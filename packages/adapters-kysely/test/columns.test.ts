import t from 'tap'
import { libraryTable } from '../src/content/tables.ts'
import { allColumnsOf } from '../src/schema/columns.ts'

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
  const columns: typeof libraryTable.columns = ['id']
  t.not(columns.length, libraryTable.columns.length)
})
