import { randomInt } from 'node:crypto'
import type { ItemId, Shelf } from '@almoner/domain'
import type { AtEnd, Ending } from '../endings.ts'
import type { Db } from '../engine.ts'
import { makeStatements } from '../statement.ts'
import type { ChangeRow, ShelfRow } from './tables.ts'

/**
 * Changes that are kept of each shelf, and written down after somebody last asked for them: whoever is further behind counts anew, which
 * takes about as long.
 */
export const KEPT_CHANGES = 10_000
/** How many changes are made between two clearings. */
const CLEARING = 100
/** Changes of one transaction that share a row at most: a row for each would be a twentieth of what creating an item costs. */
const TOGETHER = 16
/** Rows read at a time: two milliseconds' work where all of them are full. */
const READ = 50
/** Marks are whole numbers that every engine and JavaScript hold exactly. */
const MARKS = 2 ** 47

/** A state of a shelf. Two states of the same mark are the same, whatever has become of the database between them. */
export type ShelfState = Pick<ShelfRow, 'seq' | 'mark'>

/** A change of where an item stands, by the columns of its row that say it. A new one was nowhere. */
export interface Change {
  readonly id: ItemId
  readonly was: unknown
  readonly becomes: unknown
}

/** Changes that came together, and the state behind them. */
export interface Step extends ShelfState {
  readonly changes: ReadonlyArray<Change>
}

/** A change to be written down: of a row, of which the columns that say where it stands are taken. A new one was undefined. */
export interface Recorded<Row> {
  readonly id: ItemId
  readonly was: Row | undefined
  readonly becomes: Row
}

/** A shelf's changes. */
export interface ChangeLog<Row> {
  /** The present state of a shelf, and up to which number changes are written down. */
  state(db: Db): Promise<ShelfState & Pick<ShelfRow, 'wanted'>>
  /**
   * Asks for changes: from the present state on, some thousands are written down. Gives the number of the last. What nobody asked for is
   * not, which saves a tenth of what creating an item costs.
   */
  watch(db: Db): Promise<number>
  /** The present mark, as a column of another statement. */
  readonly markColumn: string
  /** Some steps in order, from the one that led to this number on, and whether there may be more. */
  from(db: Db, seq: number): Promise<{ readonly steps: ReadonlyArray<Step>; readonly more: boolean }>
  /**
   * Has it written down how an item stands now, as the last thing in the transaction that writes the item: from there on until it ends
   * nobody else does, so that numbers are in the order of commits. What changes nothing about where it stands has no number.
   */
  record(atEnd: AtEnd, change: Recorded<Row>): void
}

const newMark = () => randomInt(1, MARKS)

/** The changes of one shelf, whose rows say by these columns where they stand. */
export const makeChangeLog = <Row extends object>(
  shelf: Shelf,
  standing: ReadonlyArray<keyof Row>,
): ChangeLog<Row> => {
  const run = makeStatements()
  const advance = 'update shelf set seq = seq + ?, mark = ? where name = ? returning seq, wanted'
  const want = `update shelf set wanted = seq + ${KEPT_CHANGES} where name = ? returning seq, mark, wanted`
  const table = `${shelf}_change`
  const insert = `insert into ${table} (seq, mark, changes) values (?, ?, ?)`
  // A row of that number with another mark is of another history.
  const begin = `insert into ${table} (seq, mark, changes) values (?, ?, '[]')
    on conflict (seq) do update set mark = excluded.mark, changes = '[]' where ${table}.mark <> excluded.mark`
  const clear = `delete from ${table} where seq <= ?`
  const from = `select seq, mark, changes from ${table} where seq >= ? order by seq limit ?`

  const standingOf = (row: Row | undefined) => {
    if (row === undefined) return null
    const cells: Partial<Row> = {}
    for (const column of standing) cells[column] = row[column]
    return cells
  }

  const toJson = (changes: ReadonlyArray<Recorded<Row>>): string =>
    JSON.stringify(
      changes.map(({ id, was, becomes }) => ({ id, was: standingOf(was), becomes: standingOf(becomes) })),
    )

  const expect = <A>([row]: ReadonlyArray<A>): A => {
    if (row === undefined) throw new Error(`there is no shelf named ${shelf}`)
    return row
  }

  /** Each row has a mark of its own, as whoever reads them in parts stops at any of them. The last one's is the shelf's. */
  const write: Ending<Recorded<Row>> = async (db, changes) => {
    const [{ length }, mark] = [changes, newMark()]
    const { seq, wanted } = expect(
      await run<Pick<ShelfRow, 'seq' | 'wanted'>>(db, advance, [length, mark, shelf]),
    )
    const before = seq - length
    if (before >= wanted) return
    for (let at = 0; at < length; at += TOGETHER) {
      const to = Math.min(at + TOGETHER, length)
      const json = toJson(changes.slice(at, to))
      await run(db, insert, [before + to, to === length ? mark : newMark(), json])
    }
    const isDue = Math.floor(seq / CLEARING) > Math.floor(before / CLEARING)
    if (isDue) await run(db, clear, [seq - KEPT_CHANGES])
  }

  return {
    state: async (db) =>
      expect(await run<ShelfRow>(db, 'select seq, mark, wanted from shelf where name = ?', [shelf])),
    watch: async (db) => {
      const { seq, mark, wanted } = expect(await run<ShelfRow>(db, want, [shelf]))
      await run(db, begin, [seq, mark])
      return wanted
    },
    markColumn: `(select mark from shelf where name = '${shelf}') as mark`,
    from: async (db, seq) => {
      const rows = await run<ChangeRow>(db, from, [seq, READ])
      const steps = rows.map(({ changes, ...state }) => ({ ...state, changes: JSON.parse(changes) }))
      return { steps, more: rows.length === READ }
    },
    record: (atEnd, change) => {
      const { was, becomes } = change
      if (was === undefined || standing.some((column) => was[column] !== becomes[column]))
        atEnd(write, change)
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
  for (const table of ['library_change', 'feed_change'] as const) await db.deleteFrom(table).execute()
  for (const name of ['library', 'feed', 'portfolio'] as const) await markAnew(db, name)
}
