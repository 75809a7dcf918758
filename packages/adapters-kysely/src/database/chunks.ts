import { type ReadOptions, UNBOUNDED } from './database.ts'

/** How many rows a statement writes or names: a few sizes only, so that few texts of statements come to be prepared. */
const SIZES = [100, 10, 1]
const [LARGEST = 1] = SIZES

/** Rows in blocks, each of which one statement writes. */
export function* insertChunks<A>(rows: ReadonlyArray<A>): Generator<ReadonlyArray<A>> {
  let at = 0
  for (const size of SIZES)
    while (rows.length - at >= size) {
      yield rows.slice(at, at + size)
      at += size
    }
}

/** Values for `in (…)`, in lists that repeat their last value until they have one of the sizes. */
export function* paddedInLists<A>(values: ReadonlyArray<A>): Generator<ReadonlyArray<A>> {
  for (let at = 0; at < values.length; at += LARGEST) {
    const list = values.slice(at, at + LARGEST)
    const size = SIZES.findLast((size) => size >= list.length) ?? LARGEST
    yield [...list, ...Array.from({ length: size - list.length }, () => list.at(-1) as A)]
  }
}

/** Values for one `in (…)`, a list that repeats its last value until its length is a power of two. */
export const paddedInList = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => {
  const size = 2 ** Math.ceil(Math.log2(values.length))
  return [...values, ...Array.from({ length: size - values.length }, () => values.at(-1) as A)]
}

/** Returns what statements find of values, a list at a time. */
export const findInLists = async <A, Row>(
  values: ReadonlyArray<A>,
  find: (list: ReadonlyArray<A>) => Promise<ReadonlyArray<Row>>,
): Promise<ReadonlyArray<Row>> => {
  const found: Array<Row> = []
  for (const list of paddedInLists(values)) found.push(...(await find(list)))
  return found
}

/** Values of one `in (…)` whose rows are found within a few milliseconds. */
const FEW = 100

/** Returns how one statement that looks up all of these values is to be run: many take too long for the event loop (I6). */
export const workOf = (values: ReadonlyArray<unknown>): ReadOptions => (values.length > FEW ? UNBOUNDED : {})
