import { randomInt } from 'node:crypto'
import type { Shelf } from '@almoner/domain'
import type { AtEnd, Ending } from '../endings.ts'
import type { Db } from '../engine.ts'
import { makeStatements } from '../statement.ts'
import type { ShelfChangeRow, ShelfRow } from './tables.ts'

/** Changes that are kept of each shelf: whoever is further behind counts anew, which takes about as long. */
const KEPT = 10_000
/** How many changes are made between two clearings. */
const CLEARING = 100
/** Changes read at a time: a millisecond's work. */
const READ = 500
/** Marks are whole numbers that every engine and JavaScript hold exactly. */
const MARKS = 2 ** 47

/** A state of a shelf. Two states of the same mark are the same, whatever has become of the database between them. */
export type ShelfState = Pick<ShelfRow, 'seq' | 'mark'>

/** A change as it is read back. */
export type Change = Omit<ShelfChangeRow, 'shelf'>

/** A shelf's changes. */
export interface ChangeLog {
  /** The present state of a shelf. */
  state(db: Db): Promise<ShelfState>
  /** The present mark, as a column of another statement. */
  readonly markColumn: string
  /** Some changes from this number on, in order, and whether there may be more. */
  from(db: Db, seq: number): Promise<{ readonly changes: ReadonlyArray<Change>; readonly more: boolean }>
  /**
   * Has it written down how an item stands now, as the last thing in the transaction that writes the item: from there on until it ends
   * nobody else does, so that numbers are in the order of commits. What changes nothing about where it stands is not written down.
   */
  record(atEnd: AtEnd, change: Pick<Change, 'item_id' | 'was' | 'becomes'>): void
}

const newMark = () => randomInt(1, MARKS)

/** The changes of one shelf. */
export const makeChangeLog = (shelf: Shelf): ChangeLog => {
  const run = makeStatements()
  const advance = 'update shelf set seq = seq + ?, mark = ? where name = ? returning seq'
  const insert =
    'insert into shelf_change (shelf, seq, mark, item_id, was, becomes) values (?, ?, ?, ?, ?, ?)'
  const clear = 'delete from shelf_change where shelf = ? and seq <= ?'
  const from =
    'select seq, mark, item_id, was, becomes from shelf_change where shelf = ? and seq >= ? order by seq limit ?'
  /** Each change has a mark of its own, as whoever reads them in parts stops at any of them. The last one's is the shelf's. */
  const write: Ending<Omit<Change, 'seq' | 'mark'>> = async (db, changes) => {
    const marked = changes.map((change) => ({ ...change, mark: newMark() }))
    const { length } = marked
    const [state] = await run<Pick<ShelfRow, 'seq'>>(db, advance, [length, marked.at(-1)?.mark, shelf])
    if (state === undefined) throw new Error(`there is no shelf named ${shelf}`)
    const before = state.seq - length
    for (const [at, { mark, item_id, was, becomes }] of marked.entries())
      await run(db, insert, [shelf, before + at + 1, mark, item_id, was, becomes])
    const isDue = Math.floor(state.seq / CLEARING) > Math.floor(before / CLEARING)
    if (isDue) await run(db, clear, [shelf, state.seq - KEPT])
  }
  return {
    state: async (db) => {
      const [state] = await run<ShelfState>(db, 'select seq, mark from shelf where name = ?', [shelf])
      if (state === undefined) throw new Error(`there is no shelf named ${shelf}`)
      return state
    },
    markColumn: `(select mark from shelf where name = '${shelf}') as mark`,
    from: async (db, seq) => {
      const changes = await run<Change>(db, from, [shelf, seq, READ])
      return { changes, more: changes.length === READ }
    },
    record: (atEnd, change) => {
      if (change.was !== change.becomes) atEnd(write, change)
    },
  }
}

/** Makes a state of its own of what is being written: whoever keeps something of the state before reads it anew. */
export const markAnew = async (db: Db, name: ShelfRow['name']): Promise<void> => {
  await db
    .updateTable('shelf')
    .set(({ eb }) => ({ seq: eb('seq', '+', 1), mark: newMark() }))
    .where('name', '=', name)
    .execute()
}

/** Makes everybody count and read anew, in the transaction that has written content wholesale. */
export const forgetChanges = async (db: Db): Promise<void> => {
  await db.deleteFrom('shelf_change').execute()
  for (const name of ['library', 'feed', 'portfolio'] as const) await markAnew(db, name)
}
