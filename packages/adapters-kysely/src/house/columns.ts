import { isStorable } from '@almoner/domain'

/** What stands in a column. */
export type Value = string | number | null

/** A row by its columns. */
export type Row = Readonly<Record<string, Value>>

/** What a column may hold: gives a sentence about a value that it may not, undefined for any other. */
export type Column = (value: unknown) => string | undefined

/** Text that every engine can hold. */
export const text: Column = (value) => {
  if (typeof value !== 'string') return 'must be text'
  return isStorable(value) ? undefined : 'must not contain U+0000 or lone surrogates'
}

/** Text with something in it. */
export const words: Column = (value) => text(value) ?? (value === '' ? 'must not be empty' : undefined)

/** Text that a rule of the domain accepts. */
export const named =
  (is: (text: string) => boolean, what: string): Column =>
  (value) =>
    typeof value === 'string' && is(value) ? undefined : `must be ${what}`

/** A whole number that JSON and every engine hold exactly. */
export const whole =
  (least: number): Column =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= least
      ? undefined
      : `must be a whole number from ${least} on`

/** A moment, in epoch milliseconds. */
export const moment: Column = whole(Number.MIN_SAFE_INTEGER)

/** One of a few texts. */
export const among =
  (...names: ReadonlyArray<string>): Column =>
  (value) =>
    typeof value === 'string' && names.includes(value) ? undefined : `must be one of ${names.join(', ')}`

/** A yes or no. */
export const flag: Column = (value) => (value === 0 || value === 1 ? undefined : 'must be 0 or 1')

/** The same, or nothing. */
export const orNull =
  (column: Column): Column =>
  (value) =>
    value === null ? undefined : column(value)

const utf8 = (text: string) => Buffer.from(text)

/** The order of two keys as the engines have it: numbers by size, text by its bytes. Negative when the first comes first. */
export const compareKeys = (a: ReadonlyArray<Value>, b: ReadonlyArray<Value>): number => {
  for (const [i, one] of a.entries()) {
    const other = b[i]
    if (one === other) continue
    return typeof one === 'number' && typeof other === 'number'
      ? one - other
      : Buffer.compare(utf8(String(one)), utf8(String(other)))
  }
  return 0
}
