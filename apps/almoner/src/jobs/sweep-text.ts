import type { SweepRefusal, SweepStopped } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'

/** The reason of each refusal, and the command that fixes it (D6). */
const TEXTS: Readonly<Record<SweepRefusal, { readonly why: string; readonly fix: string }>> = {
  'other-storage': {
    why: 'the image storage belongs to another database',
    fix: 'check ALMONER_DATABASE and ALMONER_MEDIA; if this storage shall belong to this database, run: almoner media adopt',
  },
  'no-references': {
    why: 'the database references no image, but the storage holds some',
    fix: 'check ALMONER_DATABASE and ALMONER_MEDIA; to delete the images all the same, run: almoner media sweep --confirm',
  },
  'too-many-orphans': {
    why: 'more than a fifth of the images would be deleted',
    fix: 'check ALMONER_DATABASE and ALMONER_MEDIA; to delete them all the same, run: almoner media sweep --confirm',
  },
}

/** Returns why a sweep stops, without what to do. */
export const whySweepStops = (refusal: SweepRefusal): string => TEXTS[refusal].why

/** Returns what to do about a sweep that stopped. */
export const fixForSweep = (refusal: SweepRefusal): string => TEXTS[refusal].fix

/** Returns a sentence on a sweep that stopped: the reason with its numbers, and the fix. */
export const sweepStoppedText = ({ refusal, counts }: SweepStopped): string => {
  const numbers = O.isNone(counts)
    ? ''
    : ` (${counts.value.uploads.orphans} of ${counts.value.uploads.files} uploads, ${counts.value.portfolio.orphans} of ${counts.value.portfolio.files} portfolio images)`
  return `image sweep stopped, nothing was deleted: ${whySweepStops(refusal)}${numbers}; ${fixForSweep(refusal)}`
}
