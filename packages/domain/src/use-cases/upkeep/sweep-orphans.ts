import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { MediaName } from '../../items/image.ts'
import type { Ports } from '../../ports/index.ts'
import type { HeldFile } from '../../ports/media-store.ts'
import { type Unavailable, unavailable } from '../../ports/unavailable.ts'
import { type Instant, later, MINUTE } from '../../values/instant.ts'

/** A file this young may belong to an upload that has not come to its item yet. */
const GRACE = 60 * MINUTE

type Needs = 'clock' | 'knownImages' | 'mediaStore'

const orphansAmong = (
  ports: Pick<Ports, Needs>,
  files: ReadonlyArray<HeldFile>,
  now: Instant,
): TE.TaskEither<Unavailable, ReadonlyArray<MediaName>> => {
  const old = files.filter(({ storedAt }) => later(storedAt, GRACE) <= now).map(({ name }) => name)
  return pipe(
    ports.knownImages.among(old),
    TE.map((known) => old.filter((name) => !known.has(name))),
  )
}

/** Tries every file, so that one that will not go does not shield the others; fails with the first fault when all are tried. */
const removeAll = (
  ports: Pick<Ports, Needs>,
  names: ReadonlyArray<MediaName>,
): TE.TaskEither<Unavailable, number> =>
  pipe(
    TE.fromTask<ReadonlyArray<E.Either<Unavailable, void>>, Unavailable>(() =>
      Promise.all(names.map((name) => ports.mediaStore.remove(name)())),
    ),
    TE.flatMapEither(E.sequenceArray),
    TE.map((removed) => removed.length),
  )

/** Deletes the files that no item knows, left by a crash or a failed deletion (D5). Gives how many went. */
export const makeSweepOrphans = (ports: Pick<Ports, Needs>) => {
  const sweep = async (now: Instant): Promise<number> => {
    let swept = 0
    let failure: Unavailable | undefined
    for await (const files of ports.mediaStore.files()) {
      const removed = await pipe(
        orphansAmong(ports, files, now),
        TE.flatMap((orphans) => removeAll(ports, orphans)),
      )()
      if (E.isRight(removed)) swept += removed.right
      else failure ??= removed.left
    }
    if (failure !== undefined) throw failure.cause
    return swept
  }
  return (): TE.TaskEither<Unavailable, number> => TE.tryCatch(() => sweep(ports.clock.now()), unavailable)
}
