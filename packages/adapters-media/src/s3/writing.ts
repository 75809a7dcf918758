import { createHash } from 'node:crypto'
import type { Unavailable } from '@almoner/domain'
import { type ImageFile, imageFileType } from '@almoner/domain/ports'
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt } from '../attempt.ts'
import { ask, type Connection } from './connection.ts'
import { unlessMissing } from './fault.ts'
import { keyOf } from './keys.ts'

/** What a bucket that is read directly says of its objects: under a name they never change (D2, H1). */
const FOREVER = 'public, max-age=31536000, immutable'

/** Stores the bytes of an image. The store has them for good when this succeeds. */
export const putObject = (
  { client, place: { bucket, prefix }, limits }: Connection,
  file: ImageFile,
  bytes: Uint8Array,
): TE.TaskEither<Unavailable, void> =>
  attempt(async () => {
    // A copy, so that the bytes stay the same between attempts.
    const body = Buffer.from(bytes)
    const command = new PutObjectCommand({
      Bucket: bucket,
      Key: keyOf(prefix, file),
      Body: body,
      ContentMD5: createHash('md5').update(body).digest('base64'),
      ContentType: imageFileType(file),
      CacheControl: FOREVER,
    })
    await ask('storing an image', limits.upload, (abortSignal) => client.send(command, { abortSignal }))
  })

/** Deletes an image; one that is not there is no fault: most stores say the same of both, others answer 404. */
export const deleteObject = (
  { client, place: { bucket, prefix }, limits }: Connection,
  file: ImageFile,
): TE.TaskEither<Unavailable, void> =>
  attempt(async () => {
    const command = new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(prefix, file) })
    await ask('deleting an image', limits.request, (abortSignal) =>
      unlessMissing(client.send(command, { abortSignal })),
    )
  })
