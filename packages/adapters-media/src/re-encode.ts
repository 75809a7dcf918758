import type { CheckedImage, ImageFault, Unavailable } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { JpegOptions, PngOptions } from 'sharp'
import { attempt } from './attempt.ts'
import { decoder } from './decoder.ts'
import { BROKEN, type Picture } from './picture/picture.ts'

/** Seconds that decoding and encoding may take; the largest picture allowed needs about three on a small machine. */
const TIME_LIMIT = 20

/**
 * 4:4:4, because covers carry lettering, and halving the colour once more than the sender did blurs its edges. 90 is where
 * a second compression can no longer be seen. Optimal codes would take a tenth off the file, but hold the whole picture in
 * memory a second time.
 */
const JPEG: JpegOptions = { quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: false }

/** Lossless. Choosing a filter for each row takes a quarter off a photograph. */
const PNG: PngOptions = { adaptiveFiltering: true }

const run = async ({ type, bytes, width, height }: Picture): Promise<CheckedImage> => {
  const sharp = await decoder()
  const image = sharp(bytes, {
    autoOrient: true,
    failOn: 'warning',
    limitInputPixels: width * height,
  }).timeout({ seconds: TIME_LIMIT })
  const encoder = type === 'image/jpeg' ? image.jpeg(JPEG) : image.png(PNG)
  return { type, bytes: await encoder.toBuffer() }
}

/**
 * Decodes a picture whole, turns it upright, brings its colours to sRGB of 8 bits and encodes it anew in the type it came
 * in, alpha kept, without metadata (D1). A warning of the decoder counts as damage: a picture cut short inside its data is
 * BrokenImage. JPEG has no checksum, so damage that leaves it decodable cannot be told from a picture. What is not done in
 * time is Unavailable, since a busy machine may be why.
 */
export const reEncode =
  (picture: Picture): TE.TaskEither<ImageFault | Unavailable, CheckedImage> =>
  async () => {
    const started = performance.now()
    return pipe(
      attempt(() => run(picture)),
      TE.mapError((failure) => (performance.now() - started < TIME_LIMIT * 1000 ? BROKEN : failure)),
    )()
  }
