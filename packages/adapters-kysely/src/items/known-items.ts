import type { Instant, ItemCore, ItemId } from '@almoner/domain'
import type { Cell } from '../conditions.ts'
import type { State } from '../engine.ts'

/** The columns that tell one version of an item from another. */
interface Version {
  readonly id: ItemId
  readonly revision: number
  readonly updated_at: Instant
}

/** A {@link Version} as an expression of SQL that gives it in one piece: a value each costs more than all that they are used for. */
export const VERSION = "id || ' ' || revision || ' ' || updated_at"

const versionOf = ({ id, revision, updated_at }: Version): string => `${id} ${revision} ${updated_at}`

/** Identifiers hold no spaces. */
const idIn = (version: string): string => version.slice(0, version.indexOf(' '))

/** Some 4,000 items of usual size for each shelf: more than the pages that most callers come for. */
const BYTES = 16 * 1024 * 1024
/**
 * What an item takes besides its text, and how often it holds each byte of that: in the row's values, and in what whoever renders it
 * remembers of it, which is its JSON as text and as bytes. As measured; text that is not rendered takes less.
 */
const [BASE, TIMES] = [1700, 3]

interface Known<Item> {
  readonly item: Item
  readonly version: string
  readonly bytes: number
  /** The last state of which it is known that this was the item's version in it. */
  state: State | undefined
}

/**
 * Items as they were read, so that one is read and made from its row once for each version, and whoever renders it can
 * remember by the object what came of it.
 */
export interface KnownItems<Item, Row> {
  /** The items of these identifiers; undefined unless it is known of all of them what they are in this state. */
  present(ids: ReadonlyArray<Pick<Version, 'id'>>, state: State): ReadonlyArray<Item> | undefined
  /** The items of these versions, which were read in this state or a later one; undefined unless all of them are known. */
  all(versions: ReadonlyArray<string>, state: State | undefined): ReadonlyArray<Item> | undefined
  /** The item of a row, read in this state or a later one: the same object for the same version, as long as it is remembered. */
  of(row: Row, state?: State): Item
  /** Forgets an item that is being written. */
  forget(id: ItemId): void
}

const bytesOf = (row: object): number => {
  let bytes = 0
  for (const cell of Object.values(row) as ReadonlyArray<Cell>)
    if (typeof cell === 'string') bytes += Buffer.byteLength(cell)
  return BASE + TIMES * bytes
}

/**
 * A bounded memory of items. A version is known by all three of identifier, revision and moment: every write raises the revision,
 * and a database that was put back to an earlier state and written again has the same revision for something else, but made at
 * another moment. What is imported or restored arrives where there were no items, and items are never deleted, so nobody
 * remembers any; who changes one by hand raises its revision. `most` is how many bytes it may come to.
 */
export const makeKnownItems = <Item extends ItemCore, Row extends Version>(
  fromRow: (row: Row) => Item,
  most = BYTES,
): KnownItems<Item, Row> => {
  // In two halves: when one is full the other is let go, but for what was asked for meanwhile. That costs no order to keep.
  let [fresh, stale] = [new Map<string, Known<Item>>(), new Map<string, Known<Item>>()]
  let room = most / 2

  const keep = (known: Known<Item>): Known<Item> => {
    if (known.bytes > room) {
      stale = fresh
      fresh = new Map()
      room = most / 2
    }
    fresh.set(known.item.id, known)
    room -= known.bytes
    return known
  }

  const get = (id: string): Known<Item> | undefined => {
    const young = fresh.get(id)
    if (young !== undefined) return young
    const old = stale.get(id)
    return old && keep(old)
  }

  const find = (version: string, state: State | undefined): Item | undefined => {
    const known = get(idIn(version))
    if (known?.version !== version) return undefined
    if (state !== undefined) known.state = state
    return known.item
  }

  const read = (row: Row, state: State | undefined): Item => {
    const [version, item] = [versionOf(row), fromRow(row)]
    return keep({ item, version, bytes: bytesOf(row), state }).item
  }

  /** All of them, if there is something of each. */
  const every = <A>(from: ReadonlyArray<A>, one: (from: A) => Item | undefined) => {
    const items: Array<Item> = []
    for (const each of from) {
      const item = one(each)
      if (item === undefined) return undefined
      items.push(item)
    }
    return items
  }

  return {
    present: (ids, state) =>
      every(ids, ({ id }) => {
        const known = get(id)
        return known?.state === state ? known.item : undefined
      }),
    all: (versions, state) => every(versions, (version) => find(version, state)),
    of: (row, state) => find(versionOf(row), state) ?? read(row, state),
    forget: (id) => {
      fresh.delete(id)
      stale.delete(id)
    },
  }
}
