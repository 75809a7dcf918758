import { createHash } from 'node:crypto'
import {
  type CheckedPortfolioImage,
  type ImageChecker,
  LIBRARY_IMAGE,
  type PortfolioImageChecker,
  type PortfolioImageType,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { unsupported } from './picture/picture.ts'
import { readerOf } from './picture/reader.ts'
import { checkSvg, looksLikeSvg, type Size } from './svg.ts'

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

/** The size that the header of a JPEG or PNG tells. */
const sizeOf = (bytes: Uint8Array): Size =>
  pipe(
    readerOf(bytes),
    O.map((read) => read(bytes)),
    O.match(
      () => ({ width: 0, height: 0 }),
      E.getOrElse((): Size => ({ width: 0, height: 0 })),
    ),
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
    return O.isNone(readerOf(bytes))
      ? TE.left(unsupported('must be an SVG, PNG or JPEG by its content'))
      : pipe(
          images.check(bytes, LIBRARY_IMAGE),
          TE.map((image) => checked(image.type, image.bytes, sizeOf(image.bytes))),
        )
  },
})
