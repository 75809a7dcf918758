import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { RawParameters } from './parameters.ts'
import type { Unavailable } from './ports.ts'
import { integer } from './refined.ts'

const LARGEST = 2147483647

/** `lim`: the most items to return; absent means all (B4). */
export const Lim = integer('Lim', 1, LARGEST, 'Maximum number of items to return. Default: all.')

/** `offset`: the rank of the first item returned (B4). */
export const Offset = integer('Offset', 0, LARGEST, 'Number of items to skip. Ignored without `lim`.')

/** Drops `offset` without `lim`, even if it is malformed (B4). */
export const dropOffsetWithoutLimit = (raw: RawParameters): RawParameters => {
  const lim = raw['lim']
  return lim === undefined || lim === null || lim === '' ? { ...raw, offset: undefined } : raw
}

/** Which part of an ordered collection is wanted. `P` is the place of an item in the order. */
export interface PageRequest<P> {
  readonly lim: O.Option<number>
  readonly offset: number
  /** The cursor after which the page begins; an `offset` counts from there. */
  readonly after: O.Option<P>
}

/** The whole collection. */
export const WHOLE_COLLECTION: PageRequest<never> = { lim: O.none, offset: 0, after: O.none }

/** Part of an ordered collection. */
export interface ResultSet<A, P> {
  /** In order. Iterate at most once, except {@link RepeatableBatches} that broke off; stopping early releases the resources. */
  readonly batches: AsyncIterable<ReadonlyArray<A>>
  /** All items of {@link batches}, if they are loaded already; use either one. */
  readonly loaded?: ReadonlyArray<A>
  /** The place after which the next page begins, when there is one (C11). */
  readonly next: O.Option<P>
  /** The number of items in the whole collection, if it was counted (J5). */
  readonly total?: number
}

/** Batches that each iteration reads from the start, all from one state (C12). */
export class RepeatableBatches<A> implements AsyncIterable<A> {
  readonly #begin: () => AsyncIterator<A>

  /** @param begin begins a reading */
  constructor(begin: () => AsyncIterator<A>) {
    this.#begin = begin
  }

  /** Begins to read from the start. */
  [Symbol.asyncIterator](): AsyncIterator<A> {
    return this.#begin()
  }
}

/** One batch, or none. The iterator is created on demand, because loaded items are rarely read in batches. */
class OneBatch<A> implements AsyncIterable<ReadonlyArray<A>> {
  readonly items: ReadonlyArray<A>

  constructor(items: ReadonlyArray<A>) {
    this.items = items
  }

  async *[Symbol.asyncIterator]() {
    if (this.items.length > 0) yield this.items
  }
}

/** Returns a listing of loaded items. */
export const listingOf = <A, P>(items: ReadonlyArray<A>, next: O.Option<P>): ResultSet<A, P> => ({
  batches: new OneBatch(items),
  loaded: items,
  next,
})

/** Resolves to a batch that was read, or rejects with an error that has the tag of the failure: what throws out of the iteration of a listing (I1). */
export const readBatch = async <A>(
  task: TE.TaskEither<Unavailable, ReadonlyArray<A>>,
): Promise<ReadonlyArray<A>> => {
  const batch = await task()
  if (E.isLeft(batch)) throw Object.assign(new Error('a batch could not be read'), batch.left)
  return batch.right
}

/** A listing whose items are made of those of another, batch by batch, and which is as repeatable. A batch that fails throws out of the iteration. */
export const mapListing = <A, B, P>(
  { batches, loaded: _, ...rest }: ResultSet<A, P>,
  make: (batch: ReadonlyArray<A>) => TE.TaskEither<Unavailable, ReadonlyArray<B>>,
): ResultSet<B, P> => {
  const made = async function* () {
    for await (const batch of batches) yield await readBatch(make(batch))
  }
  return { batches: batches instanceof RepeatableBatches ? new RepeatableBatches(made) : made(), ...rest }
}

/** The window that `lim`, `offset` and `after` describe; without `lim` it is everything after that place (B4). */
export const pageRequest = <P>(asked: {
  readonly lim?: number | undefined
  readonly offset?: number | undefined
  readonly after?: P | undefined
}): PageRequest<P> => ({
  lim: O.fromNullable(asked.lim),
  offset: asked.lim === undefined ? 0 : (asked.offset ?? 0),
  after: O.fromNullable(asked.after),
})

/** Returns all items of a result set, in order. Rejects if a batch cannot be read. For collections that fit into memory. */
export const collect = async <A, P>({ batches }: ResultSet<A, P>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const batch of batches) all.push(...batch)
  return all
}
