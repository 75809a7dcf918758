/** The middle one of several figures. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** What several figures come to on average. */
export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** The value that a share of all does not exceed, such as 0.99. */
export const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN

/** A share as people write it. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`
