import * as E from 'fp-ts/lib/Either.js'
import { refined } from '../values/refined.ts'

/** The fields of an editor as they were typed, by name. They may be invalid: nothing is read from them but the title. */
export type CopyFields = Readonly<Record<string, string>>

const MAX = 262_144

const ERROR = 'must be the JSON text of an object whose values are texts'

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isFields = (value: unknown): value is CopyFields =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((one) => typeof one === 'string')

/** Reads the fields of a working copy from their JSON text of at most 262,144 characters. */
export const CopyFields = refined<CopyFields>(
  'CopyFields',
  (text) => {
    if (text.length > MAX) return E.left(`must have at most ${MAX} characters`)
    const fields = parsed(text)
    return isFields(fields) ? E.right(fields) : E.left(ERROR)
  },
  { type: 'string', description: 'Fields as typed: the JSON text of an object of texts.', maxLength: MAX },
)

/** Returns the JSON text of fields. Every store can hold it, because JSON escapes all that a store may refuse. */
export const writeFields = (fields: CopyFields): string => JSON.stringify(fields)

const MOST_TITLE = 200

/** Returns the title among fields, cut to 200 characters and without those that a store may refuse; empty if there is none. */
export const titleOf = (fields: CopyFields): string =>
  [...(fields['itemTitle'] ?? '').replaceAll('\u0000', '').toWellFormed()].slice(0, MOST_TITLE).join('')
