import type { ImageChecker } from '@almoner/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** Accepts all bytes as a PNG, without decoding them; rejects an empty file as broken. Not for uploads of users. */
export const plainImageChecker: ImageChecker = {
  check: (bytes) =>
    bytes.length === 0 ? TE.left({ _tag: 'BrokenImage' }) : TE.right({ type: 'image/png', bytes }),
}
