import * as E from 'fp-ts/lib/Either.js'
import type { Branded } from './brand.ts'
import { isStorable, NOT_STORABLE, refined } from './refined.ts'

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
