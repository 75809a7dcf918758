import type { Unavailable } from '@almoner/domain'
import type { StorageId } from '@almoner/domain/media'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt } from '../attempt.ts'
import { MARKER, markerIn } from '../marker.ts'
import { ask, type Connection } from './connection.ts'
import { isMissing } from './fault.ts'
import { rootOf } from './keys.ts'

const object = ({ place: { bucket, prefix } }: Connection) => ({
  Bucket: bucket,
  Key: `${rootOf(prefix)}${MARKER}`,
})

/** Reads the identity that the bucket bears below its prefix; none when it bears none (D6). */
export const readMarker = (connection: Connection): TE.TaskEither<Unavailable, O.Option<StorageId>> =>
  attempt(() =>
    ask('reading the storage’s identity', connection.limits.request, async (abortSignal) => {
      try {
        const { Body } = await connection.client.send(new GetObjectCommand(object(connection)), {
          abortSignal,
        })
        return Body === undefined ? O.none : markerIn(await Body.transformToString())
      } catch (cause) {
        if (isMissing(cause)) return O.none
        throw cause
      }
    }),
  )

/** Stores the identity below the prefix, in place of an earlier one. */
export const writeMarker = (connection: Connection, id: StorageId): TE.TaskEither<Unavailable, void> =>
  attempt(async () => {
    const command = new PutObjectCommand({
      ...object(connection),
      Body: `${id}\n`,
      ContentType: 'text/plain',
    })
    await ask('storing the storage’s identity', connection.limits.request, (abortSignal) =>
      connection.client.send(command, { abortSignal }),
    )
  })
