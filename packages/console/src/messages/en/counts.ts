const plural = new Intl.PluralRules('en')
const format = new Intl.NumberFormat('en-GB')

/** Writes a number. */
export const number = (value: number): string => format.format(value)

/** Writes a number with the form of a word that belongs to it. */
export const counted = (count: number, one: string, other: string): string =>
  `${number(count)} ${plural.select(count) === 'one' ? one : other}`
