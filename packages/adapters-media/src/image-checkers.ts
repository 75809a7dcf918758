import { createHash } from 'node:crypto'
import type { Unavailable } from '@almoner/domain'
import {
  type CheckedImage,
  type CheckedPortfolioImage,
  fits,
  type ImageFault,
  type ImageRule,
  LIBRARY_IMAGE,
  type PortfolioImageType,
  UPLOAD_LIMIT,
} from '@almoner/domain/media'
import type { ImageChecker, PortfolioImageChecker } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { concurrencyLimit } from './checking/decoder.ts'
import { checkSvg, looksLikeSvg, type Size, unsupported } from './checking/foreign-format.ts'
import { imageTypeOf } from './checking/pictures.ts'
import { type ImageInfo, readHeader, reEncode } from './checking/re-encode.ts'
import { attempt } from './storage.ts'

/** How much of a machine checking images may take. */
export interface ImageCheckerOptions {
  /** Images decoded at once, 2 unless given. Each holds a thread of Node's pool, which has four, and up to 300 MB. */
  readonly concurrency?: number
  /** Images that may wait for their turn, 16 unless given; one more is Unavailable. Each holds its upload in memory. */
  readonly waiting?: number
}

/** The size is read from the header, so that a file which promises a billion pixels costs none of them. */
const ofSize =
  (rule: ImageRule) =>
  (info: ImageInfo): E.Either<ImageFault, ImageInfo> => {
    const { width, height } = info
    return fits(rule, width, height) ? E.right(info) : E.left({ _tag: 'WrongImageSize', rule, width, height })
  }

/**
 * Checks images with sharp (D1), by what they hold and never by their name or declared type.
 *
 * Accepts what browsers show whole (D7). The first picture of the file is taken out of it, then its header is read: only JPEG and PNG are
 * decoded, and only if their size fits the rule. The result has its orientation applied, 8 bits a channel in sRGB and the same type; it
 * carries no EXIF, XMP, profile, comment or appended data. A failure is the image's fault unless the queue is full or the time is up: those
 * are Unavailable.
 */
export const sharpImageChecker = ({
  concurrency = 2,
  waiting = 16,
}: ImageCheckerOptions = {}): ImageChecker => {
  const pass = concurrencyLimit(concurrency, waiting)
  return {
    check: (bytes, rule) => {
      if (bytes.length > UPLOAD_LIMIT) return TE.left({ _tag: 'ImageTooLarge' })
      const type = imageTypeOf(bytes)
      if (type === undefined) return TE.left(unsupported('a JPEG or PNG', bytes))
      return pass(
        pipe(
          attempt(() => readHeader(type, bytes)),
          TE.flatMapEither(identity),
          TE.flatMapEither(ofSize(rule)),
          TE.flatMap(reEncode),
        ),
      )
    },
  }
}

const checked = (
  type: PortfolioImageType,
  bytes: Uint8Array,
  { width, height }: Size,
): CheckedPortfolioImage => ({
  type,
  bytes,
  digest: createHash('sha256').update(bytes).digest('hex'),
  width,
  height,
})

const sizeOf = ({ type, bytes }: CheckedImage): TE.TaskEither<ImageFault | Unavailable, Size> =>
  pipe(
    attempt(() => readHeader(type, bytes)),
    TE.flatMapEither(identity),
  )

/**
 * Checks the portfolio's images (H1): SVG by drawing it, PNG and JPEG as uploads are. An image of any other type is
 * UnsupportedImage.
 */
export const portfolioImageChecker = (images: ImageChecker): PortfolioImageChecker => ({
  check: (bytes) => {
    if (looksLikeSvg(bytes))
      return pipe(
        checkSvg(bytes),
        TE.map((size) => checked('image/svg+xml', bytes, size)),
      )
    return imageTypeOf(bytes) === undefined
      ? TE.left(unsupported('an SVG, PNG or JPEG', bytes))
      : pipe(
          images.check(bytes, LIBRARY_IMAGE),
          TE.flatMap((image) =>
            pipe(
              sizeOf(image),
              TE.map((size) => checked(image.type, image.bytes, size)),
            ),
          ),
        )
  },
})
