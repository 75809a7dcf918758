import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type SweepCounts, type SweepRefusal, sweepRefusal } from '../../media/model.ts'
import { NEVER_STOPPED, type StopSignal, type Unavailable } from '../../values/ports.ts'
import { countOrphans, sweep } from './sweep.ts'
import { type SweepPorts, sweptPortfolioImages, sweptUploads } from './swept-images.ts'
import { makeAdoptStorage, makeMatchStorage } from './verify-storage.ts'

/** A sweep stopped before it deleted anything (D6). The counts are missing where the storage is another database's. */
export interface SweepStopped {
  readonly _tag: 'SweepStopped'
  readonly refusal: SweepRefusal
  readonly counts: O.Option<SweepCounts>
}

/** How many images of each kind a sweep deleted. */
export interface SweepResult {
  readonly uploads: number
  readonly portfolio: number
}

/** How a sweep runs. */
export interface SweepOptions {
  /** Whether it runs although a brake says no. Never lifts the check of the identity. */
  readonly isConfirmed?: boolean
  /** Ends the sweep early. */
  readonly signal?: StopSignal
}

const stopped = (refusal: SweepRefusal, counts: O.Option<SweepCounts> = O.none): SweepStopped => ({
  _tag: 'SweepStopped',
  refusal,
  counts,
})

const referencesAny = ({ knownImages, portfolio }: SweepPorts): TE.TaskEither<Unavailable, boolean> =>
  pipe(
    TE.Do,
    TE.bind('isEmpty', () => knownImages.isEmpty()),
    TE.bind('images', () => portfolio.images()),
    TE.map(({ isEmpty, images }) => !isEmpty || images.length > 0),
  )

/** Counts the images that a sweep would delete, in one pass over all (D6). Changes nothing. */
export const makeCountOrphans = (ports: SweepPorts) => (): TE.TaskEither<Unavailable, SweepCounts> => {
  const now = ports.clock.now()
  return pipe(
    TE.Do,
    TE.bind('uploads', () => countOrphans(sweptUploads(ports), now)),
    TE.bind('portfolio', () => countOrphans(sweptPortfolioImages(ports), now)),
    TE.bind('referencesAny', () => referencesAny(ports)),
  )
}

const checkIdentity = (ports: SweepPorts): TE.TaskEither<SweepStopped | Unavailable, void> =>
  pipe(
    makeMatchStorage(ports)(),
    TE.flatMap((match): TE.TaskEither<SweepStopped | Unavailable, unknown> => {
      if (match === 'other') return TE.left(stopped('other-storage'))
      return match === 'same' ? TE.right(undefined) : makeAdoptStorage(ports)()
    }),
    TE.asUnit,
  )

const checkBrakes = (ports: SweepPorts): TE.TaskEither<SweepStopped | Unavailable, void> =>
  pipe(
    makeCountOrphans(ports)(),
    TE.flatMap((counts) => {
      const openCircuit = sweepRefusal(counts)
      return O.isNone(openCircuit) ? TE.right(undefined) : TE.left(stopped(openCircuit.value, O.some(counts)))
    }),
  )

const sweepAll = (ports: SweepPorts, signal: StopSignal): TE.TaskEither<Unavailable, SweepResult> => {
  const now = ports.clock.now()
  return pipe(
    TE.Do,
    TE.bind('uploads', () => sweep(sweptUploads(ports), now, signal)),
    TE.bind('portfolio', () => sweep(sweptPortfolioImages(ports), now, signal)),
  )
}

/**
 * Deletes the images that nothing references and that are older than an hour (D5, H1), if the storage is this database's and no brake
 * stops it (D6). Records in the database whether it ran. Fails with SweepStopped before anything was deleted.
 */
export const makeSweepImages =
  (ports: SweepPorts) =>
  ({
    isConfirmed = false,
    signal = NEVER_STOPPED,
  }: SweepOptions = {}): TE.TaskEither<SweepStopped | Unavailable, SweepResult> =>
    pipe(
      checkIdentity(ports),
      TE.flatMap(() => (isConfirmed ? TE.right(undefined) : checkBrakes(ports))),
      TE.tapError((failure) =>
        failure._tag === 'SweepStopped'
          ? ports.storageIdentity.recordSweep(O.some(failure.refusal))
          : TE.right(undefined),
      ),
      TE.tap(() => ports.storageIdentity.recordSweep(O.none)),
      TE.flatMap(() => sweepAll(ports, signal)),
    )
