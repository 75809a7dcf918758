import * as E from 'fp-ts/lib/Either.js'
import { BLANKS, type Branded, isStorable, NOT_STORABLE, nfcOf, refined } from './refined.ts'

/** An absolute http or https address, kept as it was sent (B7). */
export type WebUrl = Branded<string, 'WebUrl'>

/** Characters that an address may have (B7). */
export const WEB_URL_MAX = 2048

/** Two slashes and then the host: the parser would skip further slashes, and find user names behind them. */
const SCHEME = /^https?:\/\/[^/]/i
/** The parser would drop or rewrite these; an address that is kept as sent must not hold them. */
const UNSAFE = /[\s\p{Cc}<>"\\]/u
const CREDENTIALS = /^https?:\/\/[^/?#]*@/i

const rule = (text: string): E.Either<string, WebUrl> => {
  if (!isStorable(text)) return E.left(NOT_STORABLE)
  if (text.length > WEB_URL_MAX && [...text].length > WEB_URL_MAX)
    return E.left(`must have at most ${WEB_URL_MAX} characters`)
  if (!SCHEME.test(text) || UNSAFE.test(text) || !isParsable(text))
    return E.left('must be an absolute http or https URL')
  return CREDENTIALS.test(text) ? E.left('must not hold a user name or password') : E.right(text as WebUrl)
}

/** `link`, `vlink` and the like (B7). */
export const WebUrl = refined('WebUrl', rule, {
  type: 'string',
  description: 'Absolute http or https URL without user name or password.',
  format: 'uri',
  maxLength: WEB_URL_MAX,
  example: 'https://example.org/report',
})

/** The parts of an address that the domain looks at. */
interface ParsedUrl {
  /** With its colon, as `https:`. */
  readonly protocol: string
  readonly origin: string
  readonly username: string
  readonly password: string
  readonly hostname: string
  /** Empty for the scheme's own port. */
  readonly port: string
  readonly pathname: string
  /** With its question mark; empty without a query. */
  readonly search: string
}

/** The WHATWG parser that every JavaScript runtime has; named here because the language's own library does not type it. */
const { URL: Url } = globalThis as unknown as {
  URL: { canParse(text: string): boolean; new (text: string): ParsedUrl }
}

export const isParsable = (text: string): boolean => Url.canParse(text)

/** Parses a URL. Throws unless it {@link isParsable}. */
export const parseUrl = (text: string): ParsedUrl => new Url(text)

// The parameters of Punycode (RFC 3492, section 5).
const [BASE, T_MIN, T_MAX, SKEW, DAMP, FIRST_BIAS, FIRST_CODE_POINT] = [36, 1, 26, 38, 700, 72, 0x80]

const adapted = (delta: number, count: number, isFirst: boolean): number => {
  let [rest, k] = [Math.floor(delta / (isFirst ? DAMP : 2)), 0]
  rest += Math.floor(rest / count)
  while (rest > ((BASE - T_MIN) * T_MAX) / 2) {
    rest = Math.floor(rest / (BASE - T_MIN))
    k += BASE
  }
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}

const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Reads one number of variable length. Returns it with the position behind it; undefined where the text ends within it. */
const readNumber = (text: string, from: number, bias: number): readonly [number, number] | undefined => {
  let [value, weight, at] = [0, 1, from]
  for (let k = BASE; at < text.length; k += BASE) {
    const digit = DIGITS.indexOf(text.charAt(at))
    at += 1
    if (digit < 0) return undefined
    value += digit * weight
    const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX)
    if (digit < threshold) return [value, at]
    weight *= BASE - threshold
  }
  return undefined
}

/** Decodes the part of a label after `xn--` (RFC 3492, section 6.2); undefined if it is not valid. */
const decodePunycode = (text: string): string | undefined => {
  const delimiter = text.lastIndexOf('-')
  const output = [...text.slice(0, Math.max(delimiter, 0))]
  const basic = output.length
  let [codePoint, place, bias] = [FIRST_CODE_POINT, 0, FIRST_BIAS]
  for (let at = delimiter + 1; at < text.length; ) {
    const read = readNumber(text, at, bias)
    if (read === undefined) return undefined
    const [delta, next] = read
    at = next
    const count = output.length + 1
    bias = adapted(delta, count, count === basic + 1)
    codePoint += Math.floor((place + delta) / count)
    place = (place + delta) % count
    if (codePoint > 0x10ffff) return undefined
    output.splice(place, 0, String.fromCodePoint(codePoint))
    place += 1
  }
  return output.join('')
}

const ACE = /^xn--/
const ADDRESS = /^[\d.]+$/

const asciiOf = (host: string): string | undefined =>
  isParsable(`http://${host}/`) ? parseUrl(`http://${host}/`).hostname : undefined

/** Returns a host name in the ASCII form of IDNA; a name without one as it is. */
const asciiHost = (host: string): string => asciiOf(host) ?? host

/** Returns the Unicode form of a label, if that form has this label as its ASCII form, and the label itself otherwise. */
const unicodeLabel = (label: string): string => {
  const decoded = ACE.test(label) ? decodePunycode(label.slice(4)) : undefined
  return decoded !== undefined && asciiOf(decoded) === label ? nfcOf(decoded) : label
}

/**
 * Returns a host name in Unicode and lower case, so that its forms of IDNA (UTS 46) become one: Punycode, full-width letters and dots. Returns a
 * name that is no valid IDNA name in lower case alone.
 */
export const unicodeHost = (host: string): string => {
  const lower = nfcOf(host).toLowerCase()
  if (!/[^\0-\x7f]|(?:^|\.)xn--/.test(lower)) return lower
  const ascii = asciiOf(host)
  // The parser reads names of numbers as addresses of machines.
  return ascii === undefined || ADDRESS.test(ascii) ? lower : ascii.split('.').map(unicodeLabel).join('.')
}

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
  {
    type: 'string',
    description: 'Email address.',
    format: 'email',
    maxLength: MAX,
    example: 'amina@example.org',
  },
)

/** A segment of a path of which only the use case knows whether it counts (F3): any text. */
export const PathSegment = refined<string>('PathSegment', (text) => E.right(text), {
  type: 'string',
  description:
    'Email address of the user. Only for callers with the role `user-manager`; other callers act for the user of their access token.',
  example: 'amina@example.org',
})
