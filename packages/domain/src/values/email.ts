import * as E from 'fp-ts/lib/Either.js'
import type { Branded } from './brand.ts'
import { isStorable, NOT_STORABLE, refined } from './refined.ts'

/** An email address, in lower case (F1) and NFC (B6). */
export type Email = Branded<string, 'Email'>

/** Characters beyond ASCII that are seen: a space or an invisible one in an address is a mistake. */
const SEEN = '[^\\x00-\\x7f\\p{Z}\\p{C}\\p{Default_Ignorable_Code_Point}]'
/** Words of the local part, dots between them: what RFC 5322 and RFC 6531 allow without quotes. */
const WORD = `(?:[A-Za-z0-9!#$%&'*+/=?^_\`{|}~-]|${SEEN})+`
/** A label of the domain: letters and digits, hyphens within. */
const LABEL = `(?:[A-Za-z0-9]|${SEEN})(?:-*(?:[A-Za-z0-9]|${SEEN}))*`
const FORM = new RegExp(`^${WORD}(?:\\.${WORD})*@${LABEL}(?:\\.${LABEL})*$`, 'u')

const MAX = 254

/** Reads an email address of at most 254 characters (F1). Quoted local parts and numbers in brackets for a domain are refused. */
export const Email = refined<Email>(
  'Email',
  (sent) => {
    if (!isStorable(sent)) return E.left(NOT_STORABLE)
    const text = sent.normalize('NFC')
    return text.length <= MAX && FORM.test(text)
      ? E.right(text.toLowerCase() as Email)
      : E.left('must be an email address')
  },
  { type: 'string', description: 'Email address.', format: 'email', maxLength: MAX },
)
