import { buffer } from 'node:stream/consumers'
import type { Unavailable } from '@almoner/domain'
import { isMediaName, isPortfolioImageName, PORTFOLIO_IMAGE_KINDS } from '@almoner/domain/media'
import type { ImageFile, ImageFiles, MediaStore, PortfolioImages } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { probeStorage } from '../folder/stores.ts'
import { attempt } from '../storage.ts'
import { type Connection, connectionTo, LIMITS, type S3Limits, type S3Location } from './connection.ts'
import { type ReadMethod, s3ImageFiles, signedAddress } from './reading.ts'
import {
  askForOne,
  claimRenditions,
  deleteObject,
  deleteUpload,
  listedObjects,
  putObject,
  readMarker,
  releaseRenditions,
  removeStrayRenditions,
  writeMarker,
} from './writing.ts'

/** Images in a bucket. */
export interface S3Media {
  readonly mediaStore: MediaStore
  readonly portfolioImages: PortfolioImages
  readonly imageFiles: ImageFiles
  /** Returns a signed URL of the store for an image, valid for this number of seconds. The image may be missing. */
  readonly signedAddress: (
    file: ImageFile,
    method: ReadMethod,
    seconds: number,
  ) => TE.TaskEither<Unavailable, string>
  /** Whether the store answers and lets us list our images. */
  readonly check: () => TE.TaskEither<Unavailable, void>
  /** Stores a small file, then reads, lists and deletes it. Unavailable with the reason where that fails (D10). */
  readonly probe: () => TE.TaskEither<Unavailable, void>
  /** To be called when nothing is asked any more. */
  readonly close: () => void
}

const now = () => instant(Date.now())

const mediaStoreOn = (connection: Connection): MediaStore => ({
  put: (name, { bytes }) => putObject(connection, { kind: 'upload', name }, bytes),
  remove: (name) => deleteUpload(connection, name, now),
  removeStrayRenditions: (moment) => removeStrayRenditions(connection, moment),
  putRendition: (name, bytes) => putObject(connection, { kind: 'rendition', name }, bytes),
  claimRenditions: (name) => claimRenditions(connection, name, now),
  releaseRenditions: (name, isBroken) => releaseRenditions(connection, name, isBroken, now),
  files: () => listedObjects(connection, '', isMediaName),
  readMarker: () => readMarker(connection),
  writeMarker: (id) => writeMarker(connection, id),
})

const portfolioImagesOn = (connection: Connection, files: ImageFiles): PortfolioImages => ({
  read: (image) =>
    pipe(
      files.open(image),
      TE.flatMap((opened) =>
        attempt(async () => (O.isSome(opened) ? O.some(await buffer(opened.value.bytes)) : O.none)),
      ),
    ),
  put: (image, bytes) => putObject(connection, image, bytes),
  remove: (image) => deleteObject(connection, image),
  files: async function* () {
    for (const kind of PORTFOLIO_IMAGE_KINDS)
      for await (const batch of listedObjects(connection, `portfolio/${kind}/`, isPortfolioImageName))
        yield batch.map(({ name, storedAt }) => ({ image: { kind, name }, storedAt }))
  },
})

/**
 * Opens images in a bucket of S3, or of a store that speaks as it does, and asks for one of them, so that a wrong bucket or missing
 * credentials show at once. Credentials are found in the usual ways of AWS. Every request is tried twice at most and given up within the
 * limits; a store that comes back is used again by the next one. Unavailable when it cannot be reached, or refuses us.
 */
export const openS3Media = (
  place: S3Location,
  limits: S3Limits = LIMITS,
): TE.TaskEither<Unavailable, S3Media> => {
  const connection = connectionTo(place, limits)
  const storage = { mediaStore: mediaStoreOn(connection), imageFiles: s3ImageFiles(connection) }
  const check = () => attempt(() => askForOne(connection))
  return pipe(
    check(),
    TE.bimap(
      (fault) => {
        connection.close()
        return fault
      },
      () => ({
        ...storage,
        portfolioImages: portfolioImagesOn(connection, storage.imageFiles),
        probe: () => probeStorage(storage),
        signedAddress: (file, method, seconds) => signedAddress(connection, file, method, seconds),
        check,
        close: connection.close,
      }),
    ),
  )
}
