import * as E from 'fp-ts/lib/Either.js'
import type { Branded } from './brand.ts'
import { unicodeHost } from './internationalized-host.ts'
import { BLANKS, isStorable, NOT_STORABLE, refined } from './refined.ts'

/** An email address, in lower case and NFC, its host in Unicode (F1). */
export type Email = Branded<string, 'Email'>

/** Characters beyond ASCII that are seen: a space or an invisible one in an address is a mistake. */
const SEEN = '[^\\x00-\\x7f\\p{Z}\\p{C}\\p{Default_Ignorable_Code_Point}]'
/** Words of the local part, dots between them: what RFC 5322 and RFC 6531 allow without quotes. */
const WORD = `(?:[A-Za-z0-9!#$%&'*+/=?^_\`{|}~-]|${SEEN})+`
/** A label of the domain: letters and digits, hyphens within. */
const LABEL = `(?:[A-Za-z0-9]|${SEEN})(?:-*(?:[A-Za-z0-9]|${SEEN}))*`
const FORM = new RegExp(`^${WORD}(?:\\.${WORD})*@${LABEL}(?:\\.${LABEL})*$`, 'u')

const MAX = 254

/** Spaces of every kind and invisible characters at an end: they come along when an address is copied (F1). */
const AROUND = new RegExp(`^${BLANKS}+|${BLANKS}+$`, 'gu')

/** Returns text without spaces of any kind around it. */
export const withoutSpaceAround = (text: string): string => text.replaceAll(AROUND, '')

const isAddress = (text: string): boolean => text.length <= MAX && FORM.test(text)

/** Returns an address in the one form in which people are compared, kept and shown (F1). */
const canonical = (address: string): string => {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at).toLowerCase()}@${unicodeHost(address.slice(at + 1))}`
}

/**
 * Reads an email address of at most 254 characters (F1). Quoted local parts and numbers in brackets for a domain are refused. Spaces of every kind
 * around it are cut off, and all forms of its host are one.
 */
export const Email = refined<Email>(
  'Email',
  (sent) => {
    if (!isStorable(sent)) return E.left(NOT_STORABLE)
    const text = withoutSpaceAround(sent).normalize('NFC')
    if (!isAddress(text)) return E.left('must be an email address')
    const address = canonical(text)
    return isAddress(address) ? E.right(address as Email) : E.left('must be an email address')
  },
  { type: 'string', description: 'Email address.', format: 'email', maxLength: MAX },
)
