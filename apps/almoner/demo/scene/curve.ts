import { d } from './svg.ts'

export type Point = readonly [x: number, y: number]

/**
 * A soft line through all points (Catmull-Rom, written as cubic Béziers),
 * so that hills and rivers need only a handful of points.
 */
export const smooth = (points: readonly Point[]): string => {
  const at = (index: number): Point => points[Math.min(Math.max(index, 0), points.length - 1)] ?? [0, 0]
  const [startX, startY] = at(0)
  const segments = points.slice(1).map((end, index) => {
    const [before, start, after] = [at(index - 1), at(index), at(index + 2)]
    return d`C${start[0] + (end[0] - before[0]) / 6},${start[1] + (end[1] - before[1]) / 6} ${
      end[0] - (after[0] - start[0]) / 6
    },${end[1] - (after[1] - start[1]) / 6} ${end[0]},${end[1]}`
  })
  return d`M${startX},${startY}` + segments.join('')
}

/** Whole numbers from 0 to count - 1. */
export const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

/** `count` positions spread evenly from `low` to `high`, both included. */
export const spread = (count: number, low: number, high: number): readonly number[] =>
  upTo(count).map((index) => low + ((high - low) * index) / Math.max(count - 1, 1))
