import * as E from 'fp-ts/lib/Either.js'
import { refined } from '../values/refined.ts'

const PUBLIC = ['0', 'false']

/** Returns whether a value of `isDonorRestricted` means restricted (B9). */
export const meansRestricted = (text: string): boolean => !PUBLIC.includes(text.toLowerCase())

/** `isDonorRestricted`: `0` and `false` in any case are public, everything else, the empty text too, is restricted (B9). */
export const DonorRestricted = refined<boolean>('DonorRestricted', (text) => E.right(meansRestricted(text)), {
  type: 'string',
  description:
    '`0` or `false` means public. Any other value, including an empty one, means restricted to donors.',
  example: '0',
  emptyHasMeaning: true,
})
