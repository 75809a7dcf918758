import type { BytePart, ImageFacts, ImageFile, ImageFiles } from '@almoner/domain/ports'
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
import { unlessMissing } from './fault.ts'
import { keyOf } from './keys.ts'

type Answer = GetObjectCommandOutput | HeadObjectCommandOutput

/** Returns the size of the whole object; undefined where the header fields do not say it. No image is empty (D1). */
const sizeIn = ({ ContentLength, ContentRange, $metadata }: Answer): number | undefined => {
  const isPart = ContentRange !== undefined || $metadata.httpStatusCode === 206
  const size = isPart ? Number(/\/(\d+)$/.exec(ContentRange ?? '')?.[1]) : ContentLength
  return Number.isSafeInteger(size) && size !== 0 ? size : undefined
}

const factsIn = (answer: Answer): Partial<ImageFacts> => {
  const [size, storedAt] = [sizeIn(answer), answer.LastModified?.getTime()]
  return { ...(size && { size }), ...(storedAt !== undefined && { storedAt: instant(storedAt) }) }
}

/** Asks again while size or date are missing, in one way after the other (D10). */
const complete = async (
  told: Partial<ImageFacts>,
  [next, ...others]: ReadonlyArray<() => Promise<Partial<ImageFacts>>>,
): Promise<ImageFacts> => {
  const { size, storedAt } = told
  if (size !== undefined && storedAt !== undefined) return { size, storedAt }
  if (next === undefined) throw new Error('the S3 store: it says neither size nor date of an image')
  return complete({ ...(await next()), ...told }, others)
}

/** Takes a part out of the bytes of a whole object: some stores pass over the range of a request. */
async function* partOf(
  bytes: AsyncIterable<Uint8Array>,
  { first, last }: BytePart,
): AsyncGenerator<Uint8Array, void> {
  let at = 0
  for await (const piece of bytes) {
    const wanted = piece.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at))
    if (wanted.length > 0) yield wanted
    at += piece.length
    if (at > last) return
  }
}

const rangeOf = (part: BytePart | undefined) =>
  part === undefined ? {} : { Range: `bytes=${part.first}-${part.last}` }

/** Reads the images of a bucket. Names are looked at before anything is asked. */
export const s3ImageFiles = ({ reader, place, limits }: Connection): ImageFiles => {
  const object = (file: ImageFile) => ({ Bucket: place.bucket, Key: keyOf(place.prefix, file) })
  const head = (file: ImageFile) =>
    ask('looking for an image', limits.request, (abortSignal) =>
      unlessMissing(reader.send(new HeadObjectCommand(object(file)), { abortSignal })),
    )
  const get = (file: ImageFile, part: BytePart | undefined) =>
    ask('reading an image', limits.request, (abortSignal) =>
      unlessMissing(
        reader.send(new GetObjectCommand({ ...object(file), ...rangeOf(part) }), { abortSignal }),
      ),
    )
  const byHead = async (file: ImageFile) => {
    const answer = await head(file)
    return answer === undefined ? {} : factsIn(answer)
  }
  const byFirstByte = async (file: ImageFile) => {
    const answer = await get(file, { first: 0, last: 0 })
    if (answer?.Body === undefined) return {}
    const body = answer.Body as Body
    body.destroy()
    return factsIn(answer)
  }
  return {
    look: (file) =>
      attempt(async () => {
        const answer = await head(file)
        return answer === undefined
          ? O.none
          : O.some(await complete(factsIn(answer), [() => byFirstByte(file)]))
      }),
    open: (file, part) =>
      attempt(async () => {
        const answer = await get(file, part)
        if (answer?.Body === undefined) return O.none
        const body = answer.Body as Body
        try {
          const facts = await complete(factsIn(answer), [() => byHead(file), () => byFirstByte(file)])
          const bytes = withBodyTimeout(body, limits.silence)
          const isWhole = answer.$metadata.httpStatusCode === 200
          return O.some({ ...facts, bytes: part !== undefined && isWhole ? partOf(bytes, part) : bytes })
        } catch (cause) {
          body.destroy()
          throw cause
        }
      }),
  }
}
