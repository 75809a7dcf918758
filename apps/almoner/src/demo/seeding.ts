import {
  type Almoner,
  createAlmoner,
  decode,
  type Instant,
  type Policy,
  type Ports,
  type ResultSet,
  type Unavailable,
} from '@almoner/domain'
import type { ActedBy } from '@almoner/domain/access'
import { type StopSignal, unavailable } from '@almoner/domain/ports'
import { MINUTE, type PageRequest, WHOLE_COLLECTION } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { actedBy } from '../cli/command.ts'

export const HOUR = 60 * MINUTE

/** What loading the demonstration needs. */
export interface Seeding {
  readonly ports: Ports
  readonly policy: Policy
  /** The instant from which the age of the content is counted. */
  readonly now: Instant
  readonly onProgress: (step: string) => void
  /** Aborted when the rest is to be left to the next start. */
  readonly signal: StopSignal
}

/** A bug: the demonstration is written to be accepted. */
class ContentRefused extends Error {}

const refused = (why: unknown): never => {
  throw new ContentRefused('the demonstration content is refused', { cause: why })
}

/** Returns the use cases with the clock set to an instant. */
export const at = ({ ports, policy }: Pick<Seeding, 'ports' | 'policy'>, moment: Instant): Almoner =>
  createAlmoner({ ...ports, clock: { now: () => moment } }, policy)

/** Returns under whose name the demonstration's loads are recorded (K1). */
export const byDemonstration = (ports: Pick<Ports, 'clock'>): ActedBy => actedBy('serve --demo', ports)

/** Decodes a use case's command from the parameters that a request would send. Throws when they are not valid. */
export const command = <A>(codec: Parameters<typeof decode<A>>[0], parameters: unknown): A =>
  pipe(decode(codec)(parameters), E.getOrElse<unknown, A>(refused))

/** Resolves to the task's value. Rejects with the cause of an outage; every other failure is a bug. */
export const mustSucceed = async <A>(task: TE.TaskEither<{ readonly _tag: string }, A>): Promise<A> => {
  const result = await task()
  if (E.isRight(result)) return result.right
  if ('cause' in result.left) throw result.left.cause
  return refused(result.left)
}

/** Turns a rejection into Unavailable, except for bugs, which still throw. */
export const untilOutage = <A>(work: () => Promise<A>): TE.TaskEither<Unavailable, A> =>
  TE.tryCatch(work, (cause) => {
    if (cause instanceof ContentRefused) throw cause
    return unavailable(cause)
  })

/** Throws when the process is stopping, so that the next start does the rest. */
export const checkStopping = ({ signal }: Seeding): void => {
  if (signal.aborted) throw new Error('told to stop while it was being loaded')
}

/** Selects all items and all notifications. */
const ALL = { visibility: { kind: 'everything' }, lang: O.none, kind: O.none } as const

interface Collection<A> {
  list(query: typeof ALL, window: PageRequest<never>): TE.TaskEither<Unavailable, ResultSet<A, unknown>>
}

/** Reads a collection by title, which identifies a piece of the demonstration. */
export const existing = async <A extends { readonly title: string }>(
  collection: Collection<A>,
  window: PageRequest<never> = WHOLE_COLLECTION,
): Promise<ReadonlyMap<string, A>> => {
  const found = new Map<string, A>()
  const { batches } = await mustSucceed(collection.list(ALL, window))
  for await (const batch of batches) for (const one of batch) found.set(one.title, one)
  return found
}
