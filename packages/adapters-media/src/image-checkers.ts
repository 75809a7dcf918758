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
  type RenderImage,
  type RenditionWidth,
  renditionMaker,
  renditionSize,
  UPLOAD_LIMIT,
} from '@almoner/domain/media'
import type {
  ImageChecker,
  ImageFiles,
  ImageRenderer,
  MediaStore,
  PortfolioImageChecker,
  Timer,
} from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ConcurrencyLimit, concurrencyLimit, decoder } from './checking/decoder.ts'
import { checkSvg, looksLikeSvg, type Size, unsupported } from './checking/foreign-format.ts'
import { imageTypeOf } from './checking/pictures.ts'
import { type ImageInfo, readHeader, reEncode, TIME_LIMIT } from './checking/re-encode.ts'
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
}: ImageCheckerOptions = {}): ImageChecker => checkerBehind(concurrencyLimit(concurrency, waiting))

const checkerBehind = (pass: ConcurrencyLimit): ImageChecker => {
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

/** How much of a machine images may take, renditions included. */
export interface SharpImagesOptions extends ImageCheckerOptions {
  /** Renditions that may wait for their turn, 64 unless given; one more is Unavailable. None holds an image in memory meanwhile. */
  readonly waitingRenditions?: number
}

/** Checks uploads and makes renditions. */
export interface SharpImages {
  readonly imageChecker: ImageChecker
  readonly imageRenderer: ImageRenderer
}

const renderedIn = async (bytes: Uint8Array, most: RenditionWidth): Promise<Uint8Array> => {
  const sharp = await decoder()
  const { width, height } = await sharp(bytes).metadata()
  const image = sharp(bytes, { failOn: 'error', limitInputPixels: width * height })
  return image
    .timeout({ seconds: TIME_LIMIT })
    .resize({ ...renditionSize({ width, height }, most), fit: 'fill' })
    .webp({ quality: 82 })
    .toBuffer()
}

/**
 * Makes a checker of uploads and a renderer that share their decoders (D8): renditions and uploads together decode at most `concurrency` images at
 * once. An upload waits for as many renditions at most, however many of these wait.
 */
export const sharpImages = ({
  concurrency = 2,
  waiting = 16,
  waitingRenditions = 64,
}: SharpImagesOptions = {}): SharpImages => {
  const renditions = concurrencyLimit(concurrency, waitingRenditions)
  // Renditions come here only as their own gate lets them, so they never fill the places of uploads that wait.
  const shared = concurrencyLimit(concurrency, waiting + concurrency)
  return {
    imageChecker: checkerBehind(shared),
    imageRenderer: {
      render: (read, width) =>
        pipe(
          read,
          TE.flatMap((bytes) =>
            pipe(
              attempt(() => renderedIn(bytes, width)),
              TE.mapError((failure) =>
                isTimeout(failure.cause) ? failure : ({ _tag: 'BrokenImage' } as const),
              ),
            ),
          ),
          shared,
          renditions,
        ),
      measure: (bytes) => async () => {
        const type = imageTypeOf(bytes)
        const header = type === undefined ? undefined : await readHeader(type, bytes)
        return E.right(
          header !== undefined && E.isRight(header)
            ? O.some({ width: header.right.width, height: header.right.height })
            : O.none,
        )
      },
    },
  }
}

/** The stored images of a service, with the checker of uploads and the maker of renditions. */
export interface ImageStorage extends SharpImages {
  readonly mediaStore: MediaStore
  readonly imageFiles: ImageFiles
  /** Makes a rendition at its first request (D8). */
  readonly render: RenderImage
}

/** Adds a checker of uploads and a maker of renditions, which share their decoders, to a storage of images (D8). */
export const withRenditions = <S extends Pick<ImageStorage, 'mediaStore' | 'imageFiles'>>(
  storage: S,
  timer: Timer,
): S & ImageStorage => {
  const images = sharpImages()
  return { ...storage, ...images, render: renditionMaker({ ...storage, ...images, timer }) }
}

const isTimeout = (cause: unknown): boolean => /timeout/i.test(String(cause))

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const checked = (
  type: PortfolioImageType,
  bytes: Uint8Array,
  { width, height }: Size,
): CheckedPortfolioImage => ({ type, bytes, digest: digestOf(bytes), width, height })

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
  check: (bytes, isStored = () => false) => {
    if (looksLikeSvg(bytes))
      return pipe(
        checkSvg(bytes),
        TE.map((size) => checked('image/svg+xml', bytes, size)),
      )
    const type = imageTypeOf(bytes)
    if (type === undefined) return TE.left(unsupported('an SVG, PNG or JPEG', bytes))
    const upright: TE.TaskEither<ImageFault | Unavailable, CheckedImage> = isStored(digestOf(bytes))
      ? TE.right({ type, bytes })
      : images.check(bytes, LIBRARY_IMAGE)
    return pipe(
      upright,
      TE.flatMap((image) =>
        pipe(
          sizeOf(image),
          TE.map((size) => checked(image.type, image.bytes, size)),
        ),
      ),
    )
  },
})
