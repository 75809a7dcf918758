import type { Unavailable } from '@almoner/domain'
import type { CheckedImage, ImageFault } from '@almoner/domain/library'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { JpegOptions, PngOptions, SharpOptions } from 'sharp'
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

/** Lossless. Choosing a filter for each row takes a quarter off a photograph. */
const PNG: PngOptions = { adaptiveFiltering: true }

const encode = async (
  { type, bytes, width, height }: ImageInfo,
  failOn: SharpOptions['failOn'],
): Promise<CheckedImage> => {
  const sharp = await decoder()
  const image = sharp(bytes, { autoOrient: true, failOn, limitInputPixels: width * height }).timeout({
    seconds: TIME_LIMIT,
  })
  const encoder = type === 'image/jpeg' ? image.jpeg(JPEG) : image.png(PNG)
  return { type, bytes: await encoder.toBuffer() }
}

/** The decoder's warning of bytes between the last scan and the end marker. It is the first one: the pixels before it are sound. */
const FILLED_END = /^VipsJpeg: Corrupt JPEG data: \d+ extraneous bytes before marker 0xd9/

/**
 * Encodes an image. A warning counts as damage, except for two faults that browsers pass over: bytes before the end marker of a JPEG, and a
 * wrong header or checksum of a PNG's compressed pixels.
 */
const run = async (info: ImageInfo): Promise<CheckedImage> => {
  try {
    return await encode(info, 'warning')
  } catch (error) {
    if (FILLED_END.test(String(error instanceof Error ? error.message : error))) return encode(info, 'error')
    const bytes = info.type === 'image/png' ? await withRightStream(info.bytes) : undefined
    if (bytes === undefined) throw error
    return encode({ ...info, bytes }, 'warning')
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
