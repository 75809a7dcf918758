import type { UnknownTopics } from '@almoner/domain/people'
import type { ResultSet } from '@almoner/domain/values'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { PortName, TestedPorts } from './suites.ts'

/**
 * A fault of an adapter: the test that finds it, by its name or the beginning of it, and the methods that have it.
 * The methods are those of one test: what they remember is not seen by the next one.
 */
export type Fault<Port> = readonly [foundBy: string, spoil: (port: Port, ports: TestedPorts) => Partial<Port>]

/** Faults of the adapter of a port, by the wrong that each does. */
export type FaultsOf<Port> = Readonly<Record<string, Fault<Port>>>

/** Faults of the adapters of some ports. */
export type Faults<Names extends PortName> = { readonly [Name in Names]: FaultsOf<TestedPorts[Name]> }

/** Takes failures of one kind for success. */
export const ignoring =
  (tag: string) =>
  <E extends { readonly _tag: string }>(task: TE.TaskEither<E, void>): TE.TaskEither<E, void> =>
    pipe(
      task,
      TE.orElse((left): TE.TaskEither<E, void> => (left._tag === tag ? TE.right(undefined) : TE.left(left))),
    )

/** Narrows the failures of a change that names no topics. */
export const withoutTopics = <F extends { readonly _tag: string }, A>(
  task: TE.TaskEither<F, A>,
): TE.TaskEither<Exclude<F, UnknownTopics>, A> =>
  pipe(
    task,
    TE.mapLeft((failure) => failure as Exclude<F, UnknownTopics>),
  )

/** Returns a method that changes the result of another one. */
export const returning =
  <Given extends ReadonlyArray<unknown>, E, A, B>(
    method: (...given: Given) => TE.TaskEither<E, A>,
    change: (result: A, ...given: Given) => B,
  ) =>
  (...given: Given): TE.TaskEither<E, B> =>
    pipe(
      method(...given),
      TE.map((result) => change(result, ...given)),
    )

/** Changes each batch. */
export const batches = async function* <A>(
  all: AsyncIterable<ReadonlyArray<A>>,
  change: (batch: ReadonlyArray<A>) => ReadonlyArray<A>,
) {
  for await (const batch of all) yield change(batch)
}

/** Changes the batches of a result set. */
export const changed = <A, P>(
  set: ResultSet<A, P>,
  change: (batch: ReadonlyArray<A>) => ReadonlyArray<A>,
): ResultSet<A, P> => ({ batches: batches(set.batches, change), next: set.next })
