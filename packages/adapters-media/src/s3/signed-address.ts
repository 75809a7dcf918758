import type { Unavailable } from '@almoner/domain'
import type { ImageFile } from '@almoner/domain/ports'
import { GetObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt } from '../attempt.ts'
import { ask, type Connection } from './connection.ts'
import { keyOf } from './keys.ts'

/** How one may read what a signed address leads to: a signature is good for one method. */
export type ReadMethod = 'GET' | 'HEAD'

/** Returns the time of the store: the SDK reads it in every response, but signs addresses by this machine's clock. */
const storeTime = ({ config }: S3Client): Date => new Date(Date.now() + config.systemClockOffset)

/**
 * Returns a signed URL for an image, valid for this number of seconds by the store's clock (D10). Does not check whether the image exists. The URL is a secret: only
 * the reader may get it.
 */
export const signedAddress = (
  { client, place, limits }: Connection,
  file: ImageFile,
  method: ReadMethod,
  seconds: number,
): TE.TaskEither<Unavailable, string> =>
  attempt(async () => {
    const object = { Bucket: place.bucket, Key: keyOf(place.prefix, file) }
    const command = method === 'GET' ? new GetObjectCommand(object) : new HeadObjectCommand(object)
    return ask('signing an address', limits.request, () =>
      getSignedUrl(client, command, { expiresIn: seconds, signingDate: storeTime(client) }),
    )
  })
