import * as E from 'fp-ts/lib/Either.js'
import type { Branded } from './brand.ts'
import { asciiHost, unicodeHost } from './internationalized-host.ts'
import { BLANKS, isStorable, NOT_STORABLE, nfcOf, refined } from './refined.ts'

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

const BLANK_CHARACTER = new RegExp(`^${BLANKS}$`, 'u')
const PAIR_AT_END = /[\ud800-\udbff][\udc00-\udfff]$/

/** Returns text without spaces of any kind and invisible characters around it: they come along when an address is copied (F1). */
export const withoutSpaceAround = (text: string): string => {
  let [from, to] = [0, text.length]
  // A pattern for the end would look at every space within, and at all behind each of them.
  while (from < to) {
    const first = String.fromCodePoint(text.codePointAt(from) ?? 0)
    if (!BLANK_CHARACTER.test(first)) break
    from += first.length
  }
  while (from < to) {
    const length = PAIR_AT_END.test(text.slice(Math.max(from, to - 2), to)) ? 2 : 1
    if (!BLANK_CHARACTER.test(text.slice(to - length, to))) break
    to -= length
  }
  return text.slice(from, to)
}

const isAddress = (text: string): boolean => text.length <= MAX && FORM.test(text)

/** Returns a part of an address in lower case, which some letters have in two forms of Unicode. */
export const lowerCased = (text: string): string => nfcOf(text.toLowerCase())

/**
 * Returns an address in the one form in which people are compared, kept and shown (F1). A host whose Unicode form has invisible characters, as
 * some scripts need them, has its ASCII form alone.
 */
const canonical = (address: string): string => {
  const at = address.lastIndexOf('@')
  const [local, host] = [lowerCased(address.slice(0, at)), address.slice(at + 1)]
  const unicode = `${local}@${unicodeHost(host)}`
  return isAddress(unicode) ? unicode : `${local}@${lowerCased(host)}`
}

/** Returns an address with its host in ASCII, as other programs and earlier versions write it. */
export const asciiForm = (email: Email): string => {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, at)}@${asciiHost(email.slice(at + 1))}`
}

/**
 * Reads an email address of at most 254 characters (F1). Quoted local parts and numbers in brackets for a domain are refused. Spaces of every kind
 * around it are cut off, and all forms of its host are one.
 */
export const Email = refined<Email>(
  'Email',
  (sent) => {
    if (!isStorable(sent)) return E.left(NOT_STORABLE)
    const text = nfcOf(withoutSpaceAround(sent))
    if (!isAddress(text)) return E.left('must be an email address')
    const address = canonical(text)
    return isAddress(address) ? E.right(address as Email) : E.left('must be an email address')
  },
  { type: 'string', description: 'Email address.', format: 'email', maxLength: MAX },
)
