import { createHash } from 'node:crypto'
import {
  fits,
  type ImageFault,
  type ImageType,
  type PortfolioImageType,
  UPLOAD_LIMIT,
} from '@almoner/domain/media'
import type { ImageChecker, PortfolioImageChecker } from '@almoner/domain/ports'
import type { ImageSamples, PortfolioImageSamples, RenditionSamples } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'

// The domain has no decoder, so image checkers are tested with images of a format made up here: one line of text.

/** An image of the test format. */
export interface TestImage {
  readonly type: PortfolioImageType
  readonly width: number
  readonly height: number
  /** Whether it must be rotated before it is shown: its width is its height then. */
  readonly isTurned: boolean
  readonly frames: number
  readonly metadata: string
}

const MAGIC: Readonly<Record<PortfolioImageType, string>> = {
  'image/svg+xml': 'test-svg',
  'image/png': 'test-png',
  'image/jpeg': 'test-jpg',
}
const TYPES = Object.keys(MAGIC) as ReadonlyArray<PortfolioImageType>

/** The last character of an image that is whole. */
const END = ';'

/** Long enough that a tenth of an image has its whole {@link MAGIC}. */
const PIXELS = 'pixels'.repeat(20)

/** Writes an image as bytes. */
export const encodeImage = (image: Partial<TestImage>): Uint8Array => {
  const {
    type = 'image/png',
    width = 400,
    height = 560,
    isTurned = false,
    frames = 1,
    metadata = '-',
  } = image
  return new TextEncoder().encode(
    [MAGIC[type], width, height, isTurned, frames, metadata, PIXELS + END].join(' '),
  )
}

/** Reads an image, whether or not it is whole. */
export const decodeImage = (bytes: Uint8Array): E.Either<ImageFault, TestImage> => {
  const text = new TextDecoder().decode(bytes)
  const type = TYPES.find((one) => text.startsWith(MAGIC[one]))
  if (type === undefined) return E.left({ _tag: 'UnsupportedImage', reason: 'is of another type' })
  const [, width, height, isTurned, frames, metadata = ''] = text.split(' ')
  if (!text.endsWith(END)) return E.left({ _tag: 'BrokenImage' })
  return E.right({
    ...{ type, width: Number(width), height: Number(height), metadata },
    ...{ isTurned: isTurned === 'true', frames: Number(frames) },
  })
}

const upright = ({ isTurned, width, height }: TestImage) =>
  isTurned ? { width: height, height: width } : { width, height }

/** Checks uploads of the test format. */
export const testImageChecker: ImageChecker = {
  check: (bytes, rule) => async () => {
    if (bytes.length > UPLOAD_LIMIT) return E.left({ _tag: 'ImageTooLarge' })
    const decoded = decodeImage(bytes)
    if (E.isLeft(decoded)) return decoded
    const { type, frames } = decoded.right
    if (type === 'image/svg+xml') return E.left({ _tag: 'UnsupportedImage', reason: 'is an SVG' })
    if (frames > 1) return E.left({ _tag: 'AnimatedImage' })
    const { width, height } = upright(decoded.right)
    if (!fits(rule, width, height)) return E.left({ _tag: 'WrongImageSize', rule, width, height })
    return E.right({ type, bytes: encodeImage({ type, width, height }), size: { width, height } })
  },
}

/** Checks portfolio images of the test format: those of more than a thousand pixels a side are too large. */
export const testPortfolioImageChecker: PortfolioImageChecker = {
  check: (given, isStored) => async () => {
    const decoded = decodeImage(given)
    if (E.isLeft(decoded)) return decoded
    const { type, width, height, frames } = decoded.right
    if (Math.max(width, height) > 1000) return E.left({ _tag: 'ImageTooLarge' })
    const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
    // Encoding loses something each time, as that of JPEG does.
    const bytes = isStored?.(digestOf(given))
      ? given
      : encodeImage({ type, width, height, frames: frames + 1 })
    return E.right({ type, bytes, digest: digestOf(bytes), width, height })
  },
}

const forUploads = (make: (type: ImageType) => Uint8Array): Readonly<Record<ImageType, Uint8Array>> => ({
  'image/jpeg': make('image/jpeg'),
  'image/png': make('image/png'),
})

const SECRET = 'taken-at-home'

/** Uploads of the test format. */
export const IMAGE_SAMPLES: ImageSamples = {
  sound: forUploads((type) => encodeImage({ type })),
  talkative: forUploads((type) => encodeImage({ type, metadata: SECRET })),
  secret: SECRET,
  lying: forUploads((type) => encodeImage({ type, width: 560, height: 400, isTurned: true })),
  foreign: { svg: encodeImage({ type: 'image/svg+xml' }), text: new TextEncoder().encode('no image') },
  animated: { two: encodeImage({ frames: 2 }) },
}

const portfolioImage = (type: PortfolioImageType, side = 120) =>
  encodeImage({ type, width: side, height: 80 })

/** Portfolio images of the test format. */
export const PORTFOLIO_IMAGE_SAMPLES: PortfolioImageSamples = {
  sound: {
    'image/svg+xml': portfolioImage('image/svg+xml'),
    'image/png': portfolioImage('image/png'),
    'image/jpeg': portfolioImage('image/jpeg'),
  },
  broken: { cut: portfolioImage('image/png').subarray(0, -1) },
  foreign: { text: new TextEncoder().encode('no image') },
  large: { wide: portfolioImage('image/png', 1001) },
}

/** A stored image for the renderer in memory, whose renditions have a byte for each pixel of their width. */
export const RENDITION_SAMPLES: RenditionSamples = {
  sound: new Uint8Array(2000).fill(7),
  size: { width: 400, height: 560 },
  broken: new Uint8Array(0),
  sizeOf: async ({ length }) => ({ width: length, height: Math.round((560 * length) / 400) }),
}
