import type { ImageFile } from '@almoner/domain/library'
import type { BytePart, ImageFacts, ImageFiles } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
} from '@aws-sdk/client-s3'
import * as O from 'fp-ts/lib/Option.js'
import { attempt } from '../attempt.ts'
import { type Body, withBodyTimeout } from './body-timeout.ts'
import { ask, type Connection } from './connection.ts'
import { isMissing } from './fault.ts'
import { keyOf } from './keys.ts'

/** What there is, or nothing when the store says that there is no such object. */
const unlessMissing = async <A>(answer: Promise<A>): Promise<A | undefined> => {
  try {
    return await answer
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw cause
  }
}

/** Returns the size of the whole object from the headers of a partial response. */
const sizeOf = ({ ContentLength, ContentRange }: GetObjectCommandOutput | HeadObjectCommandOutput): number =>
  Number(/\/(\d+)$/.exec(ContentRange ?? '')?.[1] ?? ContentLength)

const factsOf = (answer: GetObjectCommandOutput | HeadObjectCommandOutput): ImageFacts => {
  const [size, storedAt] = [sizeOf(answer), answer.LastModified?.getTime()]
  if (Number.isSafeInteger(size) && storedAt !== undefined) return { size, storedAt: instant(storedAt) }
  throw new Error('the S3 store: it told neither size nor date of an image')
}

const rangeOf = (part: BytePart | undefined) =>
  part === undefined ? {} : { Range: `bytes=${part.first}-${part.last}` }

/** Reads the images of a bucket. Names are looked at before anything is asked. */
export const s3ImageFiles = ({ reader, place, limits }: Connection): ImageFiles => {
  const object = (file: ImageFile) => ({ Bucket: place.bucket, Key: keyOf(place.prefix, file) })
  return {
    look: (file) =>
      attempt(async () => {
        const command = new HeadObjectCommand(object(file))
        const answer = await ask('looking for an image', limits.request, (abortSignal) =>
          unlessMissing(reader.send(command, { abortSignal })),
        )
        return answer === undefined ? O.none : O.some(factsOf(answer))
      }),
    open: (file, part) =>
      attempt(async () => {
        const command = new GetObjectCommand({ ...object(file), ...rangeOf(part) })
        const answer = await ask('reading an image', limits.request, (abortSignal) =>
          unlessMissing(reader.send(command, { abortSignal })),
        )
        if (answer?.Body === undefined) return O.none
        return O.some({ ...factsOf(answer), bytes: withBodyTimeout(answer.Body as Body, limits.silence) })
      }),
  }
}
