import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { UNDO_TIME } from '../access/acts.ts'
import {
  type ImageCount,
  type StorageId,
  type SweepCounts,
  type SweepRefusal,
  sweepRefusal,
} from '../media/model.ts'
import { portfolioImagePath } from '../media/portfolio-images.ts'
import type { KnownImages, StoredFile, StoredPortfolioImage } from '../media/ports.ts'
import { attempt, NEVER_STOPPED, orThrowCause, type StopSignal, type Unavailable } from '../values/ports.ts'
import { addMillis, type Instant, MINUTE } from '../values/time.ts'
import type { OperationsPorts } from './ports.ts'

/** A file this young may belong to something that is not written down yet. */
const GRACE = 60 * MINUTE

/** A file that bears the time it was stored. */
interface Dated {
  readonly storedAt: Instant
}

const isOld =
  (now: Instant) =>
  ({ storedAt }: Dated): boolean =>
    addMillis(storedAt, GRACE) <= now

/** A store of files, some of which nothing may know of. */
interface Swept<File extends Dated> {
  readonly files: () => AsyncIterable<ReadonlyArray<File>>
  /** Those of the files that nothing knows of. */
  readonly orphansAmong: (files: ReadonlyArray<File>) => TE.TaskEither<Unavailable, ReadonlyArray<File>>
  readonly remove: (file: File) => TE.TaskEither<Unavailable, void>
}

/** Tries every file, so that one that will not go does not shield the others; fails with the first fault when all are tried. */
const removeAll = <File extends Dated>(
  { remove }: Swept<File>,
  files: ReadonlyArray<File>,
): TE.TaskEither<Unavailable, number> =>
  pipe(
    TE.fromTask<ReadonlyArray<E.Either<Unavailable, void>>, Unavailable>(() =>
      Promise.all(files.map((file) => remove(file)())),
    ),
    TE.flatMapEither(E.sequenceArray),
    TE.map((removed) => removed.length),
  )

const countAll = async <File extends Dated>(swept: Swept<File>, now: Instant): Promise<ImageCount> => {
  const count = { files: 0, orphans: 0 }
  for await (const files of swept.files()) {
    count.files += files.length
    count.orphans += (await orThrowCause(swept.orphansAmong(files.filter(isOld(now))))).length
  }
  return count
}

/** Counts the files, and the ones that a sweep would delete now. */
const countOrphans = <File extends Dated>(
  swept: Swept<File>,
  now: Instant,
): TE.TaskEither<Unavailable, ImageCount> => attempt(() => countAll(swept, now))

const sweepFiles = async <File extends Dated>(
  swept: Swept<File>,
  now: Instant,
  signal: StopSignal,
): Promise<number> => {
  let count = 0
  let failure: Unavailable | undefined
  for await (const files of swept.files()) {
    if (signal.aborted) break
    const removed = await pipe(
      swept.orphansAmong(files.filter(isOld(now))),
      TE.flatMap((orphans) => removeAll(swept, orphans)),
    )()
    if (E.isRight(removed)) count += removed.right
    else failure ??= removed.left
  }
  if (failure !== undefined) throw failure.cause
  return count
}

/**
 * Deletes the files that nothing knows of and that are older than an hour (D5). Once the signal is aborted, it leaves the batches that it
 * has not begun to the next sweep. Returns the number of deleted files.
 */
const sweep = <File extends Dated>(
  swept: Swept<File>,
  now: Instant,
  signal: StopSignal,
): TE.TaskEither<Unavailable, number> => attempt(() => sweepFiles(swept, now, signal))

/** OperationsPorts that a sweep of images needs. */
export type SweepPorts = Pick<
  OperationsPorts,
  'clock' | 'mediaStore' | 'portfolio' | 'portfolioImages' | 'secrets' | 'storageIdentity'
> & { readonly knownImages: Pick<KnownImages, 'among' | 'forgetReleased' | 'isEmpty'> }

/** Deletes the images that acts released so long ago that they cannot be taken back (D5). A file that will not go is left to the sweep. */
const deleteReleased = (ports: Pick<SweepPorts, 'clock' | 'knownImages' | 'mediaStore'>) => {
  const now = ports.clock.now()
  const before = addMillis(now, -UNDO_TIME)
  return attempt(async () => {
    let names = await orThrowCause(ports.knownImages.forgetReleased(before, now))
    while (names.length > 0) {
      await Promise.all(names.map((name) => ports.mediaStore.remove(name)()))
      names = await orThrowCause(ports.knownImages.forgetReleased(before, now))
    }
  })
}

/** Images of library and feed; one that no item knows is an orphan, left by a crash or a failed deletion (D5). */
const sweptUploads = (ports: Pick<SweepPorts, 'knownImages' | 'mediaStore'>): Swept<StoredFile> => ({
  files: () => ports.mediaStore.files(),
  orphansAmong: (files) =>
    pipe(
      ports.knownImages.among(files.map(({ name }) => name)),
      TE.map((known) => files.filter(({ name }) => !known.has(name))),
    ),
  remove: ({ name }) => ports.mediaStore.remove(name),
})

/** Images of the portfolio; one that it does not show is an orphan, left by the one before it or by an interrupted load (H1). */
const sweptPortfolioImages = (
  ports: Pick<OperationsPorts, 'portfolio' | 'portfolioImages'>,
): Swept<StoredPortfolioImage> => ({
  files: () => ports.portfolioImages.files(),
  orphansAmong: (files) =>
    pipe(
      ports.portfolio.images(),
      TE.map((images) => new Set(images.map(portfolioImagePath))),
      TE.map((shown) => files.filter(({ image }) => !shown.has(portfolioImagePath(image)))),
    ),
  remove: ({ image }) => ports.portfolioImages.remove(image),
})

/** How database and storage relate: they share an identity, they would at the first use, or the storage belongs to another database. */
export type StorageMatch = 'same' | 'unclaimed' | 'other'

interface Identities {
  readonly marker: O.Option<StorageId>
  readonly own: O.Option<StorageId>
}

/** The marker first: the database has its identity before the marker is written, so that both are seen while another node claims. */
const identities = ({
  mediaStore,
  storageIdentity,
}: Pick<OperationsPorts, 'mediaStore' | 'storageIdentity'>): TE.TaskEither<Unavailable, Identities> =>
  pipe(
    TE.Do,
    TE.bind('marker', () => mediaStore.readMarker()),
    TE.bind('own', () => storageIdentity.find()),
  )

type Contents = 'empty' | 'referenced' | 'unknown'

/** Looks at images until one is referenced. */
const contentsOf = async <File extends Dated>({ files, orphansAmong }: Swept<File>): Promise<Contents> => {
  let isEmpty = true
  for await (const batch of files()) {
    isEmpty = false
    if ((await orThrowCause(orphansAmong(batch))).length < batch.length) return 'referenced'
  }
  return isEmpty ? 'empty' : 'unknown'
}

/** A storage without images, or one that a database from before identities references (D6). */
const isFirstUse = (ports: SweepPorts, own: O.Option<StorageId>): TE.TaskEither<Unavailable, boolean> =>
  attempt(async () => {
    const found = [await contentsOf(sweptUploads(ports)), await contentsOf(sweptPortfolioImages(ports))]
    return found.every((contents) => contents === 'empty') || (O.isNone(own) && found.includes('referenced'))
  })

/** Looks at the marker again: another node may have claimed the storage between the first look and the one at the database. */
const matchOfMarker = (
  { mediaStore }: Pick<OperationsPorts, 'mediaStore'>,
  own: O.Option<StorageId>,
): TE.TaskEither<Unavailable, StorageMatch> =>
  TE.map((marker: O.Option<StorageId>): StorageMatch => {
    return O.isSome(own) && O.isSome(marker) && own.value === marker.value ? 'same' : 'other'
  })(mediaStore.readMarker())

/** Returns whether database and image storage belong together (D6). Changes nothing. */
export const makeMatchStorage = (ports: SweepPorts) => (): TE.TaskEither<Unavailable, StorageMatch> =>
  pipe(
    identities(ports),
    TE.flatMap(({ marker, own }) => {
      if (O.isSome(marker))
        return TE.right<Unavailable, StorageMatch>(
          O.isSome(own) && own.value === marker.value ? 'same' : 'other',
        )
      return pipe(
        isFirstUse(ports, own),
        TE.flatMap((isFirst) => (isFirst ? TE.right('unclaimed' as const) : matchOfMarker(ports, own))),
      )
    }),
  )

/**
 * Returns whether nothing speaks against giving the storage the identity of the database: the database references one of the images, or there are
 * none. A storage whose images are all unknown most likely belongs to another database, whose place or schema was mistaken (D6).
 */
export const mayAdoptStorage = (ports: SweepPorts): TE.TaskEither<Unavailable, boolean> =>
  attempt(async () => {
    const found = [await contentsOf(sweptUploads(ports)), await contentsOf(sweptPortfolioImages(ports))]
    return found.includes('referenced') || found.every((contents) => contents === 'empty')
  })

/** Gives the storage the identity of the database, a new one where it has none (D6). Returns it. */
export const makeAdoptStorage =
  (ports: Pick<OperationsPorts, 'mediaStore' | 'secrets' | 'storageIdentity'>) =>
  (): TE.TaskEither<Unavailable, StorageId> =>
    pipe(
      ports.storageIdentity.establish(ports.secrets.mint() as StorageId),
      TE.tap((id) => ports.mediaStore.writeMarker(id)),
    )

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
    // The look at the portfolio takes SQLite a thread, which would cost each start 3 MB.
    TE.bind('referencesAny', ({ uploads, portfolio }) =>
      uploads.orphans + portfolio.orphans === 0 ? TE.right(true) : referencesAny(ports),
    ),
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
    TE.chainFirst(() => (signal.aborted ? TE.right(0) : ports.mediaStore.removeStrayRenditions(now))),
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
      TE.tap(() => deleteReleased(ports)),
      TE.flatMap(() => sweepAll(ports, signal)),
    )
