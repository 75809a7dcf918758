import { fits, type ImageChecker, type ImageFault, type ImageRule, UPLOAD_LIMIT } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { gate } from './gate.ts'
import { type Picture, unsupported } from './picture/picture.ts'
import { readerOf } from './picture/reader.ts'
import { reEncode } from './re-encode.ts'

/** How much of a machine checking images may take. */
export interface ImageCheckerOptions {
  /** Images decoded at once, 2 unless given. Each holds a thread of Node's pool, which has four, and up to 300 MB. */
  readonly concurrency?: number
  /** Images that may wait for their turn, 16 unless given; one more is Unavailable. Each holds its upload in memory. */
  readonly waiting?: number
}

/** What an upload shows, before anything is decoded. */
const pictureIn = (bytes: Uint8Array): E.Either<ImageFault, Picture> => {
  if (bytes.length > UPLOAD_LIMIT) return E.left({ _tag: 'ImageTooLarge' })
  return pipe(
    readerOf(bytes),
    E.fromOption(() => unsupported('must be a JPEG or PNG by its content')),
    E.flatMap((read) => read(bytes)),
  )
}

/** The size is read from the header, so that a file which promises a billion pixels costs none of them. */
const ofSize =
  (rule: ImageRule) =>
  (picture: Picture): E.Either<ImageFault, Picture> => {
    const { width, height } = picture
    return fits(rule, width, height)
      ? E.right(picture)
      : E.left({ _tag: 'WrongImageSize', rule, width, height })
  }

/**
 * Checks images with sharp (D1), by what they hold and never by their name or declared type.
 *
 * The container is read first, in this package: nothing but JPEG and PNG goes further, then nothing whose size breaks the
 * rule, and of those only the parts that make the picture reach the decoder. Animated PNGs, CMYK and YCCK JPEGs are
 * UnsupportedImage, because they do not look the same on every device. The image that comes out is upright, 8 bits a
 * channel in sRGB, of the same type, and carries no EXIF, XMP, profile, comment or appended data. A failure is the image's
 * fault unless the queue is full or the time is up: those are Unavailable.
 */
export const sharpImageChecker = ({
  concurrency = 2,
  waiting = 16,
}: ImageCheckerOptions = {}): ImageChecker => {
  const pass = gate(concurrency, waiting)
  return {
    check: (bytes, rule) =>
      pipe(
        TE.fromEither(pictureIn(bytes)),
        TE.flatMapEither(ofSize(rule)),
        TE.flatMap((picture) => pass(reEncode(picture))),
      ),
  }
}
