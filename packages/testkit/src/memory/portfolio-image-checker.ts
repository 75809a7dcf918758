import type { PortfolioImageChecker } from '@almoner/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** Accepts any bytes as a PNG of 100 by 100 pixels, and rejects empty files. Digests differ for the files of the tests. */
export const plainPortfolioImageChecker: PortfolioImageChecker = {
  check: (bytes) => {
    if (bytes.length === 0) return TE.left({ _tag: 'BrokenImage' })
    const sum = bytes.reduce((total, byte) => (total * 31 + byte) % 4_294_967_291, bytes.length)
    const digest = sum.toString(16).padStart(64, '0')
    return TE.right({
      type: 'image/png',
      bytes,
      digest: digest.slice(-16).padEnd(64, '0'),
      width: 100,
      height: 100,
    })
  },
}
