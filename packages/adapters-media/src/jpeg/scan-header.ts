import type { Segment } from './segments.ts'

/** What a scan says of a component that it holds: the numbers of its Huffman tables. */
export interface ScanComponent {
  readonly id: number
  readonly first: number
  readonly others: number
}

/** The components of a scan, in their order. */
export const scanComponents = ({ payload }: Segment): ReadonlyArray<ScanComponent> =>
  Array.from({ length: Math.min(payload[0] ?? 0, (payload.length - 1) >> 1) }, (_, n) => {
    const tables = payload[2 + n * 2] ?? 0
    return { id: payload[1 + n * 2] ?? 0, first: tables >> 4, others: tables & 15 }
  })
