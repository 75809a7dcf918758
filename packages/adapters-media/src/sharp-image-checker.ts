import {
  type CheckedImage,
  fits,
  type ImageChecker,
  type ImageFault,
  type ImageRule,
  type Unavailable,
  UPLOAD_LIMIT,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import sharp from 'sharp'
import { gate } from './gate.ts'
import { BROKEN, type Picture, unsupported } from './picture/picture.ts'
import { type ReadPicture, readerOf } from './picture/reader.ts'
import { reEncode } from './re-encode.ts'

export interface ImageCheckerOptions {
  /** Images decoded at once, 2 unless given. Each holds a thread of Node's pool, which has four, and up to 300 MB. */
  readonly concurrency?: number
  /** Images that may wait for their turn, 16 unless given; one more is Unavailable. Each holds its upload in memory. */
  readonly waiting?: number
}

/** How to read an upload, before anything is decoded. */
const readerFor = (bytes: Uint8Array): E.Either<ImageFault, ReadPicture> => {
  if (bytes.length > UPLOAD_LIMIT) return E.left({ _tag: 'ImageTooLarge' })
  return pipe(
    readerOf(bytes),
    E.fromOption(() => unsupported('must be a JPEG or PNG by its content')),
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

const examine =
  (
    read: ReadPicture,
    bytes: Uint8Array,
    rule: ImageRule,
  ): TE.TaskEither<ImageFault | Unavailable, CheckedImage> =>
  async () => {
    const picture = pipe(read(bytes), E.flatMap(ofSize(rule)))
    if (E.isLeft(picture)) return picture
    return (await picture.right.isComplete()) ? reEncode(picture.right)() : E.left(BROKEN)
  }

/**
 * Checks images with sharp (D1), by what they hold and never by their name or declared type.
 *
 * The container is read first, in this package: nothing but JPEG and PNG goes further, then nothing whose size breaks the
 * rule, and of those only the parts that make the picture reach the decoder. Animated PNGs, CMYK and YCCK JPEGs are
 * UnsupportedImage, because they do not look the same on every device. The image that comes out is upright, 8 bits a
 * channel in sRGB, of the same type, and carries no EXIF, XMP, profile, comment or appended data. A failure is the image's
 * fault unless the queue is full or the time is up: those are Unavailable.
 *
 * Making a checker sets sharp for the whole process. Its cache is off, as uploads do not repeat and it would keep their
 * pixels. Each image gets one thread, so that `concurrency` is also the number of cores that images may take, on every
 * platform alike.
 */
export const sharpImageChecker = ({
  concurrency = 2,
  waiting = 16,
}: ImageCheckerOptions = {}): ImageChecker => {
  sharp.cache(false)
  sharp.concurrency(1)
  const pass = gate(concurrency, waiting)
  return {
    check: (bytes, rule) =>
      pipe(
        TE.fromEither(readerFor(bytes)),
        TE.flatMap((read) => pass(examine(read, bytes, rule))),
      ),
  }
}
