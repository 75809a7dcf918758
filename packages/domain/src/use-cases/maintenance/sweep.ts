import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ImageCount } from '../../media/model.ts'
import { attempt, type StopSignal, type Unavailable } from '../../values/ports.ts'
import { addMillis, type Instant, MINUTE } from '../../values/time.ts'

/** A file this young may belong to something that is not written down yet. */
const GRACE = 60 * MINUTE

/** A file that bears the time it was stored. */
export interface Dated {
  readonly storedAt: Instant
}

const isOld =
  (now: Instant) =>
  ({ storedAt }: Dated): boolean =>
    addMillis(storedAt, GRACE) <= now

/** A store of files, some of which nothing may know of. */
export interface Swept<File extends Dated> {
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
    const orphans = await swept.orphansAmong(files.filter(isOld(now)))()
    if (E.isLeft(orphans)) throw orphans.left.cause
    count.files += files.length
    count.orphans += orphans.right.length
  }
  return count
}

/** Counts the files, and the ones that a sweep would delete now. */
export const countOrphans = <File extends Dated>(
  swept: Swept<File>,
  now: Instant,
): TE.TaskEither<Unavailable, ImageCount> => attempt(() => countAll(swept, now))

const sweepAll = async <File extends Dated>(
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
export const sweep = <File extends Dated>(
  swept: Swept<File>,
  now: Instant,
  signal: StopSignal,
): TE.TaskEither<Unavailable, number> => attempt(() => sweepAll(swept, now, signal))
