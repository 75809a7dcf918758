import {
  decode,
  type ImageType,
  type Instant,
  type Policy,
  type Ports,
  type Unavailable,
  unavailable,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** What seeding works with. */
export interface Seeding {
  readonly ports: Ports
  readonly policy: Policy
  /** Draws an SVG. */
  readonly render: (svg: string, type: ImageType) => TE.TaskEither<Unavailable, Uint8Array>
  /** The moment from which the content's age is counted. */
  readonly now: Instant
  /** Hears what is being done. */
  readonly told: (what: string) => void
  /** Whether to leave the rest to the next start. */
  readonly isStopping: () => boolean
}

/** The ports as they are at a moment. */
export const at = (ports: Ports, moment: Instant): Ports => ({ ...ports, clock: { now: () => moment } })

/** The content is written to be accepted: whatever refuses it is a bug. */
const refused = (why: unknown): never => {
  throw new Error('the demonstration content is refused', { cause: why })
}

/** A use case's command, read from the parameters that a caller would send. */
export const command = <A>(codec: Parameters<typeof decode<A>>[0], parameters: unknown): A =>
  pipe(decode(codec)(parameters), E.getOrElse<unknown, A>(refused))

/** The task without the failures that can only be bugs. What is left is an outage: no other failure has a cause. */
export const mustSucceed = <F extends { readonly _tag: string }, A>(
  task: TE.TaskEither<F | Unavailable, A>,
): TE.TaskEither<Unavailable, A> =>
  pipe(
    task,
    TE.mapLeft((failure) => ('cause' in failure ? failure : refused(failure))),
  )

const TOLD_TO_STOP = unavailable(new Error('told to stop while it was being loaded'))

/** Work that takes a while. It is not begun any more when the process is stopping: Unavailable then. */
export const unlessStopping =
  ({ isStopping }: Seeding) =>
  <E, A>(work: TE.TaskEither<E, A>): TE.TaskEither<E | Unavailable, A> =>
  async () =>
    isStopping() ? E.left(TOLD_TO_STOP) : work()

/** Does something for each of a list, one after the other. */
export const oneByOne = <A, B>(
  list: ReadonlyArray<A>,
  work: (one: A) => TE.TaskEither<Unavailable, B>,
): TE.TaskEither<Unavailable, ReadonlyArray<B>> => TE.traverseSeqArray(work)(list)
