import { createHash } from 'node:crypto'
import type { Unavailable } from '@almoner/domain'
import {
  type CheckedImage,
  type CheckedPortfolioImage,
  type ImageFault,
  LIBRARY_IMAGE,
  type PortfolioImageType,
} from '@almoner/domain/media'
import type { ImageChecker, PortfolioImageChecker } from '@almoner/domain/ports'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt } from './attempt.ts'
import { unsupported } from './checking/foreign-format.ts'
import { imageTypeOf } from './checking/image-type.ts'
import { readHeader } from './checking/read-header.ts'
import { checkSvg, looksLikeSvg, type Size } from './checking/svg.ts'

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
