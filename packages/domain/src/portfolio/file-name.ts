import * as E from 'fp-ts/lib/Either.js'
import { type Branded, isStorable, nfcOf, refined } from '../values/refined.ts'

/** The name of an image's file in `logo/` or `visual/`; it leads to no other folder. */
export type FileName = Branded<string, 'FileName'>

const FORM = /^[^./\\\p{Cc}][^/\\\p{Cc}]{0,199}$/u

/** Reads the name of an image's file from a row (H1): NFC, 1 to 200 characters, no slashes, not hidden. */
export const FileName = refined<FileName>(
  'FileName',
  (given) => {
    const text = nfcOf(given)
    return isStorable(text) && FORM.test(text)
      ? E.right(text as FileName)
      : E.left('must be the name of a file, without a folder')
  },
  { type: 'string', description: 'Name of a file.' },
)
