import type { Segment } from './segments.ts'

/** The numbers of the colours that a scan holds. */
export const coloursOf = ({ payload }: Segment): ReadonlyArray<number> =>
  Array.from(
    { length: Math.min(payload[0] ?? 0, (payload.length - 1) >> 1) },
    (_, n) => payload[1 + n * 2] ?? 0,
  )
