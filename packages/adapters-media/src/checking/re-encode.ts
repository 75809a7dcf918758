import type { Unavailable } from '@almoner/domain'
import type { CheckedImage, ImageFault } from '@almoner/domain/media'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { JpegOptions, PngOptions } from 'sharp'
import { attempt } from '../attempt.ts'
import { decoder } from '../decoder.ts'
import { DAMAGED } from './image-type.ts'
import { withRightStream } from './png-stream.ts'
import type { ImageInfo } from './read-header.ts'

/** Seconds that decoding and encoding may take; the largest picture allowed needs about three on a small machine. */
const TIME_LIMIT = 20

/**
 * 4:4:4, because covers contain lettering, and a second chroma subsampling blurs its edges. From quality 90 on, a second compression is
 * invisible. Optimized coding would shorten the file by a tenth, but needs the whole image in memory a second time.
 */
const JPEG: JpegOptions = { quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: false }

const END_MARKER = Buffer.from([0xff, 0xd9])

/** Lossless. Choosing a filter for each row takes a quarter off a photograph. */
const PNG: PngOptions = { adaptiveFiltering: true }

/** Encodes an image. A warning of the decoder counts as damage. */
const encode = async ({ type, bytes, width, height }: ImageInfo): Promise<CheckedImage> => {
  const sharp = await decoder()
  const options = { autoOrient: true, failOn: 'warning', limitInputPixels: width * height } as const
  const image = sharp(bytes, options).timeout({ seconds: TIME_LIMIT })
  const encoder = type === 'image/jpeg' ? image.jpeg(JPEG) : image.png(PNG)
  return { type, bytes: await encoder.toBuffer() }
}

/** The decoder's warning of bytes between the last scan and the end marker. */
const FILLED_END = /^VipsJpeg: Corrupt JPEG data: (\d+) extraneous bytes before marker 0xd9/

/**
 * Returns a JPEG without the bytes before its end marker that the decoder warned of; undefined if it warned of something else. The rest may
 * still lack pixels: a filled gap leads to the same warning as a filled end.
 */
const withoutFilledEnd = (bytes: Buffer, warning: string): Buffer | undefined => {
  const filled = Number(FILLED_END.exec(warning)?.[1] ?? 0)
  const end = bytes.lastIndexOf(END_MARKER)
  return filled > 0 && filled < end
    ? Buffer.concat([bytes.subarray(0, end - filled), bytes.subarray(end)])
    : undefined
}

/** Returns the bytes of an image without a fault that browsers pass over; undefined if it has none of these. */
const mended = async ({ type, bytes }: ImageInfo, warning: string): Promise<Buffer | undefined> =>
  type === 'image/png' ? withRightStream(bytes) : withoutFilledEnd(bytes, warning)

/**
 * Encodes an image. A warning counts as damage, except for two faults that browsers pass over: bytes before the end marker of a JPEG, and a
 * wrong header or checksum of a PNG's compressed pixels. Without that fault, the image must decode without a warning.
 */
const run = async (info: ImageInfo): Promise<CheckedImage> => {
  try {
    return await encode(info)
  } catch (error) {
    const bytes = await mended(info, String(error instanceof Error ? error.message : error))
    if (bytes === undefined) throw error
    return encode({ ...info, bytes })
  }
}

/**
 * Decodes a whole image, applies its orientation, converts its colours to sRGB of 8 bits and encodes it in the type it came in, with its
 * alpha channel and without metadata (D1, D7). A warning of the decoder counts as damage: an image cut short inside its data is BrokenImage.
 * JPEG has no checksum, so some damage cannot be detected. Unavailable when the time is up, since a busy machine may be the reason.
 */
export const reEncode =
  (info: ImageInfo): TE.TaskEither<ImageFault | Unavailable, CheckedImage> =>
  async () => {
    const started = performance.now()
    return pipe(
      attempt(() => run(info)),
      TE.mapError((failure) => (performance.now() - started < TIME_LIMIT * 1000 ? DAMAGED : failure)),
    )()
  }
