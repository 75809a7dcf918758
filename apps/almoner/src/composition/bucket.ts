import type { MediaSource } from '@almoner/adapters-http'
import { openS3Media, type S3Media } from '@almoner/adapters-media/s3'
import { imageFilePath } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, messageOf, notAvailable } from '../cli/failure.ts'
import type { MediaPlace, MediaServing } from '../config/media.ts'

/** Seconds that a signed address is good for: enough to begin reading an image. */
const SIGNED_FOR = 300

/** Seconds for which a reader may remember where an image is: after a change of the setting, redirects follow it as soon. */
const PUBLIC_FOR = 300

const sourceOf = ({ imageFiles: files, signedAddress }: S3Media, serving: MediaServing): MediaSource => {
  switch (serving.kind) {
    case 'proxy':
      return { files }
    case 'signed':
      return {
        files,
        elsewhere: {
          addressOf: (file, method) => signedAddress(file, method, SIGNED_FOR),
          lasting: 0,
        },
      }
    case 'public':
      return {
        files,
        elsewhere: {
          addressOf: (file) => TE.right(`${serving.url}/${imageFilePath(file)}`),
          lasting: PUBLIC_FOR,
        },
      }
  }
}

/** The stored images in a bucket. */
interface BucketImages extends Omit<S3Media, 'check'> {
  readonly source: MediaSource
  /** Rejects with the reason when images cannot be stored now. */
  readonly check: () => Promise<void>
}

/** Opens images in a bucket. Failed when the store cannot be reached or refuses us. */
export const openBucket = (
  place: Extract<MediaPlace, { readonly kind: 's3' }>,
  serving: MediaServing,
): TE.TaskEither<Failure, BucketImages> =>
  pipe(
    openS3Media(place),
    TE.bimap(notAvailable(`the bucket ${place.bucket}`), (media) => ({
      ...media,
      source: sourceOf(media, serving),
      check: async () => {
        const checked = await media.check()()
        if (E.isLeft(checked)) throw new Error(messageOf(checked.left.cause))
      },
    })),
  )
