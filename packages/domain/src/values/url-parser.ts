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
}

/** The WHATWG parser that every JavaScript runtime has; named here because the language's own library does not type it. */
const { URL: Url } = globalThis as unknown as {
  URL: { canParse(text: string): boolean; new (text: string): ParsedUrl }
}

export const isParsable = (text: string): boolean => Url.canParse(text)

/** Parses a URL. Throws unless it {@link isParsable}. */
export const parseUrl = (text: string): ParsedUrl => new Url(text)
