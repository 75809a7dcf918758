import { identity } from 'fp-ts/lib/function.js'
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

/** What {@link textOf} has anything to do with. */
const SPECIAL = /[%+\ufffd]/

/** Node's own decoders mangle text in which a lone percent sign meets a character beyond ASCII. */
const textOf = (sent: string): string =>
  // Bytes that were not UTF-8 before any decoding have become U+FFFD on their way here; an honest one comes encoded.
  sent.includes('\ufffd') ? UNREADABLE : sent.replaceAll('+', ' ').replaceAll(ENCODED, decoded)

function Empty() {}
Empty.prototype = Object.create(null)
/**
 * Makes an object that has no names, not even inherited ones, as any may come. `Object.create(null)` would be one that V8 is slow to make, and
 * to put anything into.
 */
const Fields = Empty as unknown as new () => Record<string, Array<string> | string>

/** The parameters of a query; one that comes twice becomes an array. Where bytes are no UTF-8 its codec refuses it. */
export const readQuery = (text: string): Record<string, unknown> => {
  const fields = new Fields()
  const read = SPECIAL.test(text) ? textOf : identity
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=')
    const name = read(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? '' : read(pair.slice(equals + 1))
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
