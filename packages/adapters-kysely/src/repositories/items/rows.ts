import { makeStatements } from '../../database/compiled-query.ts'
import { type Condition, whereAll } from '../../database/conditions.ts'
import type { Db } from '../../database/database.ts'
import type { OrderedTable } from './shelf-table.ts'
import { type Start, startConditions } from './start.ts'

/** Some columns of the rows of a query, in order from a start on. */
export interface Part<Query, K extends string | number> {
  readonly columns: string
  readonly query: Query
  readonly start: Start<K>
}

/** A range of these rows: a limit and an offset. */
export interface Bounds {
  readonly most: number
  readonly offset?: number
}

/** Reads rows of an ordered table. */
export type Rows<Query, K extends string | number> = <Row>(
  db: Db,
  part: Part<Query, K>,
  bounds: Bounds,
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

  return (db, { columns, query, start }, { most, offset }) => {
    const { text, values } = ordered(columns, query, start)
    return offset === undefined || offset === 0
      ? run(db, text, [...values, most])
      : run(db, `${text} offset ?`, [...values, most, offset])
  }
}
