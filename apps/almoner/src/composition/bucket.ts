import type { MediaSource } from '@almoner/adapters-http'
import { type ImageStorage, withRenditions } from '@almoner/adapters-media'
import { openS3Media, type S3Location, type S3Media } from '@almoner/adapters-media/s3'
import { nodeTimer } from '@almoner/adapters-node'
import { imageFilePath } from '@almoner/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { MediaServing } from '../config/media.ts'
import { messageOf, notAvailable, orFail } from '../failure.ts'

/** Seconds that a signed URL is valid: enough to begin reading an image. */
const SIGNED_FOR = 300

/** Seconds for which a reader may cache a redirect, and so the time after which a changed setting takes effect. */
const PUBLIC_FOR = 300

const sourceOf = (
  { imageFiles: files, signedAddress, render }: S3Media & ImageStorage,
  serving: MediaServing,
): MediaSource => {
  switch (serving.kind) {
    case 'proxy':
      return { files, render }
    case 'signed':
      return {
        ...{ files, render },
        elsewhere: { addressOf: (file, method) => signedAddress(file, method, SIGNED_FOR), lasting: 0 },
      }
    case 'public':
      return {
        ...{ files, render },
        elsewhere: {
          addressOf: (file) => TE.right(`${serving.url}/${imageFilePath(file)}`),
          lasting: PUBLIC_FOR,
        },
      }
  }
}

/** Opens images in a bucket. Rejects when the store cannot be reached or refuses us. */
export const openBucket = async (place: S3Location, serving: MediaServing) => {
  const toError = notAvailable(`the bucket ${place.bucket}`)
  const media = withRenditions(await orFail(openS3Media(place), toError), nodeTimer)
  const check = () => orFail(media.check(), ({ cause }) => new Error(messageOf(cause)))
  return { ...media, source: sourceOf(media, serving), check, probe: () => orFail(media.probe(), toError) }
}
