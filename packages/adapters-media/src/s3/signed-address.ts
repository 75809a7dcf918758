import type { ImageFile, Unavailable } from '@almoner/domain'
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt } from '../attempt.ts'
import { ask, type Connection } from './connection.ts'
import { keyOf } from './keys.ts'

/** How one may read what a signed address leads to: a signature is good for one method. */
export type ReadMethod = 'GET' | 'HEAD'

/**
 * An address under which whoever has it reads an image for so many seconds. Whether there is one is not asked. It is a secret: it must
 * reach nobody but the reader.
 */
export const signedAddress = (
  { reader, place, limits }: Connection,
  file: ImageFile,
  method: ReadMethod,
  seconds: number,
): TE.TaskEither<Unavailable, string> =>
  attempt(async () => {
    const object = { Bucket: place.bucket, Key: keyOf(place.prefix, file) }
    const command = method === 'GET' ? new GetObjectCommand(object) : new HeadObjectCommand(object)
    return ask('signing an address', limits.request, () =>
      getSignedUrl(reader, command, { expiresIn: seconds }),
    )
  })
