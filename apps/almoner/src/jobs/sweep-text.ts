import type { SweepRefusal } from '@almoner/domain/media'
import type { SweepStopped } from '@almoner/domain/operations'
import * as O from 'fp-ts/lib/Option.js'

/** Why a sweep stops, and the command that fixes it (D6). */
export const SWEEP_REFUSALS: Readonly<Record<SweepRefusal, { readonly why: string; readonly fix: string }>> =
  {
    'other-storage': {
      why: 'the image storage belongs to another database',
      fix: 'check ALMONER_DATABASE and ALMONER_MEDIA; almoner doctor says whether almoner media adopt is right',
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

/** Describes a sweep that stopped: the reason with its numbers, and the fix. */
export const sweepStoppedText = ({ refusal, counts }: SweepStopped): string => {
  const { why, fix } = SWEEP_REFUSALS[refusal]
  const numbers = O.isNone(counts)
    ? ''
    : ` (${counts.value.uploads.orphans} of ${counts.value.uploads.files} uploads, ${counts.value.portfolio.orphans} of ${counts.value.portfolio.files} portfolio images)`
  return `image sweep stopped, nothing was deleted: ${why}${numbers}; ${fix}`
}
