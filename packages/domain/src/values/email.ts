import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { isStorable, NOT_STORABLE, refined } from './refined.ts'

interface EmailBrand {
  readonly Email: unique symbol
}
/** An email address in lower case (F1). */
export type Email = t.Branded<string, EmailBrand>

const FORM = /^[^\s@]+@[^\s@]+$/

export const Email = refined<Email>(
  'Email',
  (text) => {
    if (!isStorable(text)) return E.left(NOT_STORABLE)
    return text.length <= 254 && FORM.test(text)
      ? E.right(text.toLowerCase() as Email)
      : E.left('must be an email address')
  },
  { type: 'string', description: 'Email address.', format: 'email', maxLength: 254 },
)
