import { MOST_PARAMETERS, tooMany, UnreadableBody } from './json-body.ts'

/** Runs of percent-encoded bytes. A percent sign that encodes nothing is itself, as people paste them. */
const ENCODED = /(?:%[0-9a-f]{2})+/gi

/** Gives the text of percent-encoded bytes. */
type Decode = (bytes: string) => string

const strictly: Decode = (bytes) => {
  try {
    return decodeURIComponent(bytes)
  } catch {
    throw new UnreadableBody('The form is not valid UTF-8.')
  }
}

/** What no text can hold, so that the parameter it comes in is refused by its codec, and named. */
const UNREADABLE = '\ud800'

const refusedLater: Decode = (bytes) => {
  try {
    return decodeURIComponent(bytes)
  } catch {
    return UNREADABLE
  }
}

/** Node's own decoders mangle text in which a lone percent sign meets a character beyond ASCII. */
const textOf = (sent: string, decode: Decode): string =>
  sent.includes('%') || sent.includes('+')
    ? sent.replaceAll('+', ' ').replaceAll(ENCODED, (bytes) => decode(bytes))
    : sent

const fieldsOf = (text: string, decode: Decode): Record<string, Array<string> | string> => {
  const fields: Record<string, Array<string> | string> = Object.create(null)
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=')
    const name = textOf(equals < 0 ? pair : pair.slice(0, equals), decode)
    const value = equals < 0 ? '' : textOf(pair.slice(equals + 1), decode)
    const earlier = fields[name]
    if (Array.isArray(earlier)) earlier.push(value)
    else fields[name] = earlier === undefined ? value : [earlier, value]
  }
  return fields
}

/** The parameters of a query; one that comes twice becomes an array. Where bytes are no UTF-8 its codec refuses it. */
export const readQuery = (text: string): Record<string, unknown> => fieldsOf(text, refusedLater)

/**
 * The fields of a form (B1); one that comes twice becomes an array. Bytes that are no UTF-8 are refused, not replaced.
 * @throws UnreadableBody
 */
export const readFormBody = (text: string): Record<string, unknown> => {
  // Bytes that were not UTF-8 before any decoding have become U+FFFD on their way here; an honest one comes encoded.
  if (text.includes('\ufffd')) throw new UnreadableBody('The form is not valid UTF-8.')
  if (text.split('&', MOST_PARAMETERS + 1).length > MOST_PARAMETERS) throw tooMany()
  return fieldsOf(text, strictly)
}
