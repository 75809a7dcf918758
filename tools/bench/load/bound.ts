/** A figure that is to stay below a bound. */
export interface Bound {
  readonly name: string
  readonly title: string
  readonly figure: number
  readonly most: number
  /** Of both. */
  readonly unit: 'ms' | 'MB'
  /** What else there is to say. */
  readonly note: string
}

/** A figure as people write it: with as many digits as mean something. */
export const written = (figure: number, unit: string): string =>
  `${figure >= 10 ? figure.toFixed(0) : figure.toPrecision(2)} ${unit}`
