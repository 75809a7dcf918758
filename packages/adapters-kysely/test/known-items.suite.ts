import type { LibraryItem } from '@almoner/domain'
import { instant } from '@almoner/domain'
import { sampleLibraryItem } from '@almoner/domain/contracts'
import t from 'tap'
import type { State } from '../src/engine.ts'
import { makeKnownItems } from '../src/items/known-items.ts'
import { libraryTable } from '../src/items/library-table.ts'

const { fromRow } = libraryTable
type Row = ReturnType<typeof libraryTable.toRow>

/** As the database gives it. */
const versionOf = ({ id, revision, updated_at }: Row): string => `${id} ${revision} ${updated_at}`
const NOW: State = {}
const rowOf = (n: number, over: Partial<LibraryItem> = {}) =>
  libraryTable.toRow({ ...sampleLibraryItem(n), ...over } as LibraryItem)

t.test('the same version is the same object, another version another', async (t) => {
  const known = makeKnownItems(fromRow)
  const row = rowOf(1)
  t.equal(known.all([versionOf(row)], NOW), undefined, 'nothing is known at first')
  const item = known.of(row)
  t.strictSame(item, sampleLibraryItem(1))
  t.equal(known.of({ ...row }), item)
  t.equal(known.all([versionOf(row)], NOW)?.[0], item)
  t.strictSame(known.all([], NOW), [])
  t.equal(known.all([versionOf(row), versionOf(rowOf(2))], NOW), undefined, 'all or nothing')
  for (const other of [{ revision: 2 }, { updatedAt: instant(5) }]) {
    const changed = rowOf(1, other)
    t.equal(known.all([versionOf(changed)], NOW), undefined, 'both tell versions apart')
    t.match(known.of(changed), other)
    t.equal(known.all([versionOf(row)], NOW), undefined, 'one version of an item is remembered')
    known.of(row)
  }
})

t.test('an item is present in a state in which it was read, and in no other', async (t) => {
  const known = makeKnownItems(fromRow)
  const [row, other] = [rowOf(1), rowOf(2)]
  const later: State = {}
  const item = known.of(row)
  t.equal(known.present([row], NOW), undefined, 'nobody said in which state it was read')
  t.equal(known.of(row, NOW), item)
  t.equal(known.present([row], NOW)?.[0], item)
  t.equal(known.present([row, other], NOW), undefined, 'all or nothing')
  t.equal(known.present([row], later), undefined, 'somebody has written since')
  t.equal(known.all([versionOf(row)], later)?.[0], item, 'but not this one')
  t.equal(known.present([row], later)?.[0], item)
  t.equal(known.present([row], NOW), undefined)
  t.strictSame(known.present([], later), [])
  known.of(rowOf(1, { revision: 2 }))
  t.equal(known.present([row], later), undefined, 'of another version it is not known')
  known.of(other, later)
  known.forget(other.id)
  t.equal(known.present([other], later), undefined)
})

t.test('what is being written is forgotten', async (t) => {
  const known = makeKnownItems(fromRow)
  const row = rowOf(1)
  known.of(row)
  known.forget(row.id)
  t.equal(known.all([versionOf(row)], NOW), undefined)
})

t.test('memory is bounded: what was not asked for of late is let go', async (t) => {
  const made: Array<string> = []
  const known = makeKnownItems<LibraryItem, ReturnType<typeof rowOf>>((row) => {
    made.push(row.id)
    return fromRow(row)
  }, 40_000)
  const isKnown = (row: Row) => known.all([versionOf(row)], NOW) !== undefined
  const often = rowOf(0)
  for (let n = 0; n < 200; n += 1) {
    known.of(often)
    known.of(rowOf(n))
  }
  const kept = Array.from({ length: 200 }, (_, n) => rowOf(n)).filter(isKnown).length
  t.ok(kept > 3 && kept < 40, `${kept} of 200 are remembered`)
  t.equal(made.filter((id) => id === often.id).length, 1, 'the one asked for all the time was made once')
})
