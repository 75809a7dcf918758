import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { StorageId } from '../../media/model.ts'
import type { OperationsPorts } from '../../ports/of-operations.ts'
import { attempt, type Unavailable } from '../../values/ports.ts'
import type { Dated, Swept } from './sweep.ts'
import { type SweepPorts, sweptPortfolioImages, sweptUploads } from './swept-images.ts'

type Needs = 'mediaStore' | 'secrets' | 'storageIdentity'

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
    const orphans = await orphansAmong(batch)()
    if (E.isLeft(orphans)) throw orphans.left.cause
    if (orphans.right.length < batch.length) return 'referenced'
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
  (ports: Pick<OperationsPorts, Needs>) => (): TE.TaskEither<Unavailable, StorageId> =>
    pipe(
      ports.storageIdentity.establish(ports.secrets.mint() as StorageId),
      TE.tap((id) => ports.mediaStore.writeMarker(id)),
    )
