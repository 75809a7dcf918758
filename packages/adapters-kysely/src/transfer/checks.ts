import { STATUSES } from '@almoner/domain/content'
import { CONTENT_TYPES } from '@almoner/domain/history'
import { isStorable, LANGUAGES } from '@almoner/domain/values'

/** A column's value. */
export type Value = string | number | null

/** A row by its columns. */
export type Row = Readonly<Record<string, Value>>

/** Returns the error of a non-null value as the end of a sentence; undefined if it is valid. */
export type Check = (value: unknown) => string | undefined

/** Accepts text that every engine can store. */
export const text: Check = (value) => {
  if (typeof value !== 'string') return 'must be text'
  return isStorable(value) ? undefined : 'must not contain U+0000 or lone surrogates'
}

const nonEmpty: Check = (value) => text(value) ?? (value === '' ? 'must not be empty' : undefined)

/** Accepts text that a rule of the domain accepts. */
export const matching =
  (is: (text: string) => boolean, what: string): Check =>
  (value) =>
    typeof value === 'string' && is(value) ? undefined : `must be ${what}`

/** Accepts integers that JSON and every engine store exactly. */
export const integer =
  (least: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= least
      ? undefined
      : `must be a whole number from ${least} on`

/** Accepts one of a few texts. */
export const oneOf =
  (...texts: ReadonlyArray<string>): Check =>
  (value) =>
    typeof value === 'string' && texts.includes(value) ? undefined : `must be one of ${texts.join(', ')}`

const flag: Check = (value) => (value === 0 || value === 1 ? undefined : 'must be 0 or 1')
const FLAGS = ['restricted', 'subscribed', 'disabled', 'started', 'sending', 'closed', 'is_latest']

/** Epoch milliseconds, which may be negative. */
const instant = integer(Number.MIN_SAFE_INTEGER)
const INSTANT = /(?:_at|_until|_since)$|^(?:at|until|counted_from)$/

/** Checks of columns that mean the same in every table. */
const COMMON: Readonly<Record<string, Check>> = {
  status: oneOf(...STATUSES),
  lang: oneOf(...LANGUAGES),
  content_type: oneOf(...CONTENT_TYPES),
  ...Object.fromEntries(FLAGS.map((name) => [name, flag])),
}

/** The check of a column that its table says nothing about. Text is not empty, and a number not negative unless it is an instant. */
export const defaultCheck = (column: string, isText: boolean): Check => {
  if (isText) return COMMON[column] ?? nonEmpty
  return COMMON[column] ?? (INSTANT.test(column) ? instant : integer(0))
}
