import { MOST_PARAMETERS, tooMany } from './json-body.ts'

/** Runs of percent-encoded bytes. A percent sign that encodes nothing is itself, as people paste them. */
const ENCODED = /(?:%[0-9a-f]{2})+/gi

/** What stands for bytes that are no UTF-8: no text can hold it, so that the codec of its parameter refuses it by name (I1). */
export const UNREADABLE = '\ud800'

const decoded = (bytes: string): string => {
  try {
    return decodeURIComponent(bytes)
  } catch {
    return UNREADABLE
  }
}

/** Node's own decoders mangle text in which a lone percent sign meets a character beyond ASCII. */
const textOf = (sent: string): string => {
  // Bytes that were not UTF-8 before any decoding have become U+FFFD on their way here; an honest one comes encoded.
  if (sent.includes('\ufffd')) return UNREADABLE
  return sent.includes('%') || sent.includes('+')
    ? sent.replaceAll('+', ' ').replaceAll(ENCODED, decoded)
    : sent
}

/** The parameters of a query; one that comes twice becomes an array. Where bytes are no UTF-8 its codec refuses it. */
export const readQuery = (text: string): Record<string, unknown> => {
  const fields: Record<string, Array<string> | string> = Object.create(null)
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=')
    const name = textOf(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? '' : textOf(pair.slice(equals + 1))
    const earlier = fields[name]
    if (Array.isArray(earlier)) earlier.push(value)
    else fields[name] = earlier === undefined ? value : [earlier, value]
  }
  return fields
}

/**
 * The fields of a form (B1), read as a query is.
 * @throws UnreadableBody when there are too many
 */
export const readFormBody = (text: string): Record<string, unknown> => {
  if (text.split('&', MOST_PARAMETERS + 1).length > MOST_PARAMETERS) throw tooMany()
  return readQuery(text)
}
