import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Place } from '@almoner/domain'
import { type Condition, whereAll } from '../conditions.ts'
import type { Db } from '../engine.ts'
import { makeStatements } from '../statement.ts'
import type { OrderedTable } from './shelf-table.ts'
import { type Start, startConditions } from './start.ts'

/** Index entries passed over at once: a hop takes a millisecond or two, during which nothing else runs. */
const HOP = 20_000

/** Some columns of the rows of a query, in order from a start on. */
export interface Part<Query, K extends string | number> {
  readonly columns: string
  readonly query: Query
  readonly start: Start<K>
}

/** Which of these rows: at most so many, behind so many. */
export interface Bounds<K extends string | number> {
  readonly most: number
  readonly offset?: number
  /** More that are passed over: as many as, of so many rows from a start, have passed a condition. */
  readonly counted?: { readonly start: Start<K>; readonly most: number; readonly passed: Condition }
}

/** Reads rows of an ordered table. */
export type Rows<Query, K extends string | number> = <Row>(
  db: Db,
  part: Part<Query, K>,
  bounds: Bounds<K>,
) => Promise<ReadonlyArray<Row>>

/** Rows by one statement, which one index answers in order, seeking to the start. */
export const makeRows = <Item, Row, Query, K extends string | number>(
  ordering: OrderedTable<Item, Row, Query, K>,
): Rows<Query, K> => {
  const { table, key } = ordering
  const run = makeStatements()

  const ordered = (columns: string, query: Query, start: Start<K>): Condition => {
    const { text, values } = whereAll([...ordering.conditions(query), ...startConditions(key, start)])
    return { text: `select ${columns} from ${table} ${text} order by ${key} desc, id desc limit ?`, values }
  }

  return (db, { columns, query, start }, { most, offset, counted }) => {
    const { text, values } = ordered(columns, query, start)
    if (offset === undefined) return run(db, text, [...values, most])
    if (counted === undefined) return run(db, `${text} offset ?`, [...values, most, offset])
    const ahead = ordered(`${key}, id`, query, counted.start)
    const more = `select count(*) from (${ahead.text}) as ahead where ${counted.passed.text}`
    const passing = [...ahead.values, counted.most, ...counted.passed.values]
    return run(db, `${text} offset ? + (${more})`, [...values, most, offset, ...passing])
  }
}

/** The same rows; an offset of any size is passed over in steps between which others have their turn. */
export const steppedRows =
  <Query, K extends string | number>(rows: Rows<Query, K>, key: string): Rows<Query, K> =>
  async (db, part, { most, offset }) => {
    let { start } = part
    let left = offset ?? 0
    for (; left > HOP; left -= HOP) {
      const place = { columns: `${key} as key, id`, query: part.query, start }
      const [last] = await rows<Place<K>>(db, place, { most: 1, offset: HOP - 1 })
      if (last === undefined) return []
      start = { kind: 'after', place: last }
      await nextTurn()
    }
    return rows(db, { ...part, start }, left === 0 ? { most } : { most, offset: left })
  }
