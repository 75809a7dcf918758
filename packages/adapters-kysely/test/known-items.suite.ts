import type { LibraryItem } from '@almoner/domain'
import { instant } from '@almoner/domain'
import { sampleLibraryItem } from '@almoner/domain/contracts'
import t from 'tap'
import { makeKnownItems } from '../src/items/known-items.ts'
import { libraryTable } from '../src/items/library-table.ts'

const { fromRow } = libraryTable
type Row = ReturnType<typeof libraryTable.toRow>

/** As the database gives it. */
const versionOf = ({ id, revision, updated_at }: Row): string => `${id} ${revision} ${updated_at}`
const rowOf = (n: number, over: Partial<LibraryItem> = {}) =>
  libraryTable.toRow({ ...sampleLibraryItem(n), ...over } as LibraryItem)

t.test('the same version is the same object, another version another', async (t) => {
  const known = makeKnownItems(fromRow)
  const row = rowOf(1)
  t.equal(known.all([versionOf(row)]), undefined, 'nothing is known at first')
  const item = known.of(row)
  t.strictSame(item, sampleLibraryItem(1))
  t.equal(known.of({ ...row }), item)
  t.equal(known.all([versionOf(row)])?.[0], item)
  t.strictSame(known.all([]), [])
  t.equal(known.all([versionOf(row), versionOf(rowOf(2))]), undefined, 'all or nothing')
  for (const other of [{ revision: 2 }, { updatedAt: instant(5) }]) {
    const changed = rowOf(1, other)
    t.equal(known.all([versionOf(changed)]), undefined, 'both tell versions apart')
    t.match(known.of(changed), other)
    t.equal(known.all([versionOf(row)]), undefined, 'one version of an item is remembered')
    known.of(row)
  }
})

t.test('what is being written is forgotten', async (t) => {
  const known = makeKnownItems(fromRow)
  const row = rowOf(1)
  known.of(row)
  known.forget(row.id)
  t.equal(known.all([versionOf(row)]), undefined)
})

t.test('memory is bounded: what was not asked for of late is let go', async (t) => {
  const made: Array<string> = []
  const known = makeKnownItems<LibraryItem, ReturnType<typeof rowOf>>((row) => {
    made.push(row.id)
    return fromRow(row)
  }, 40_000)
  const isKnown = (row: Row) => known.all([versionOf(row)]) !== undefined
  const often = rowOf(0)
  for (let n = 0; n < 200; n += 1) {
    known.of(often)
    known.of(rowOf(n))
  }
  const kept = Array.from({ length: 200 }, (_, n) => rowOf(n)).filter(isKnown).length
  t.ok(kept > 3 && kept < 40, `${kept} of 200 are remembered`)
  t.equal(made.filter((id) => id === often.id).length, 1, 'the one asked for all the time was made once')
})
