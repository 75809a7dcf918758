import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Place } from '@almoner/domain'
import type { Db } from '../engine.ts'
import type { Rows } from '../items/rows.ts'
import type { ShelfTable } from '../items/shelf-table.ts'
import type { Start } from '../items/start.ts'
import type { Change, ChangeLog, ShelfState, Step } from './change-log.ts'
import { countPlaces } from './counting.ts'
import { type Located, locate } from './locate.ts'
import { type PlaceIndex, startAt } from './place-index.ts'

/** Blocks split at most while a request waits; the next request goes on. */
const SPLITS = 8

/** What a view needs to know of its shelf. */
export interface ViewGround<Item, Row, Query, K extends string | number> {
  readonly table: Pick<ShelfTable<Item, Row, Query, K>, 'key' | 'isIn'>
  readonly rows: Rows<Query, K>
  readonly log: Pick<ChangeLog<Row>, 'state' | 'from' | 'watch' | 'markColumn'>
  /** How many places a block should have. */
  readonly size: number
}

/** Where the items of one query stand, as far as is needed to find a rank. An embargo is no part of the query. */
export interface View<K extends string | number> {
  /** The number of the last change that it has taken in. */
  seq(): number
  /** Where the rows begin that lie so many behind a start, and the mark of the state in which they are there. */
  locate(start: Start<K>, offset: number): Located<K> & Pick<ShelfState, 'mark'>
  /**
   * Takes in what has changed since. `current`: the view is as the database is; `ahead`: the database is read in an earlier state;
   * `lost`: too much has changed, and the view is of no more use.
   */
  catchUp(db: Db): Promise<'current' | 'ahead' | 'lost'>
}

/** A view of a state of the shelf, which follows the changes behind that state. */
const following = <Item, Row, Query, K extends string | number>(
  query: Query,
  { table, rows, log }: ViewGround<Item, Row, Query, K>,
  begin: ShelfState,
  index: PlaceIndex<K>,
): View<K> => {
  const belongs = table.isIn(query)
  const columns = `${table.key} as key, id, ${log.markColumn}`
  let state = begin
  let splitting = false

  const count = (id: Change['id'], standing: unknown, by: 1 | -1) => {
    if (standing === null) return
    const row = standing as Row & Record<string, K>
    if (belongs(row)) index.count({ key: row[table.key] as K, id }, by)
  }

  const apply = ({ seq, mark, changes }: Step) => {
    for (const { id, was, becomes } of changes) {
      count(id, was, -1)
      count(id, becomes, 1)
    }
    state = { seq, mark }
  }

  /** Takes in some steps; gives whether there are more, undefined when they do not follow on the state. */
  const follow = async (db: Db): Promise<boolean | undefined> => {
    const { steps, more } = await log.from(db, state.seq)
    // Another request may have taken in some of them meanwhile.
    const at = steps.findIndex(({ seq, mark }) => seq === state.seq && mark === state.mark)
    if (at < 0) return undefined
    for (const step of steps.slice(at + 1)) {
      // Between them were changes that nobody had asked for.
      if (step.seq - step.changes.length !== state.seq) return undefined
      apply(step)
    }
    return more
  }

  const split = async (db: Db) => {
    for (let left = SPLITS; left > 0; left -= 1) {
      const block = index.oversize()
      if (block === undefined) return
      const [size, start] = [index.size(), startAt(block.bound)]
      const half = { most: 1, offset: size }
      const [place] = await rows<Place<K> & ShelfState>(db, { columns, query, start }, half)
      if (place?.mark !== state.mark) return
      index.split(block, { key: place.key, id: place.id }, size)
    }
  }

  const splitOnce = async (db: Db) => {
    if (splitting) return
    splitting = true
    try {
      await split(db)
    } finally {
      splitting = false
    }
  }

  /** What to make of changes that do not follow on the state. */
  const standing = async (db: Db) => {
    const present = await log.state(db)
    if (present.mark === state.mark) return 'current'
    return present.seq < state.seq ? 'ahead' : 'lost'
  }

  /** What to make of it that there were none to take in: another request has done so, or nobody had asked for them. */
  const unchanged = async (db: Db) => {
    const present = await log.state(db)
    return present.seq > state.seq && present.seq > present.wanted ? 'lost' : 'current'
  }

  return {
    locate: (start, offset) => ({ mark: state.mark, ...locate(index, table.key, start, offset) }),
    seq: () => state.seq,
    catchUp: async (db) => {
      const before = state
      let more = await follow(db)
      while (more) {
        await nextTurn()
        more = await follow(db)
      }
      if (more === undefined) return standing(db)
      if (state === before) return unchanged(db)
      await splitOnce(db)
      return 'current'
    },
  }
}

/** A view of the present state, counted on a handle that reads one unchanging state. */
export const openView = async <Item, Row, Query, K extends string | number>(
  db: Db,
  query: Query,
  ground: ViewGround<Item, Row, Query, K>,
): Promise<View<K>> => {
  const state = await ground.log.state(db)
  const { table, rows, size } = ground
  return following(query, ground, state, await countPlaces(db, { query, key: table.key, rows, size }))
}
