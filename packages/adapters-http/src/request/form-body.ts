import { UnreadableBody } from './json-body.ts'

/** Runs of percent-encoded bytes. A percent sign that encodes nothing is itself, as people paste them. */
const ENCODED = /(?:%[0-9a-f]{2})+/gi

/** Node's own decoders mangle text in which a lone percent sign meets a character beyond ASCII. */
const decoded = (text: string): string =>
  text.replaceAll('+', ' ').replaceAll(ENCODED, (bytes) => decodeURIComponent(bytes))

const pairs = (text: string): ReadonlyArray<readonly [string, string]> => {
  try {
    return text.split('&').map((pair) => {
      const [name = '', ...rest] = pair.split('=')
      return [decoded(name), decoded(rest.join('='))]
    })
  } catch {
    // decodeURIComponent throws on bytes that are no UTF-8.
    throw new UnreadableBody('The form is not valid UTF-8.')
  }
}

/**
 * The fields of a form (B1); one that comes twice becomes an array. Bytes that are no UTF-8 are refused, not replaced.
 * @throws UnreadableBody
 */
export const readFormBody = (text: string): Record<string, unknown> => {
  // Bytes that were not UTF-8 before any decoding have become U+FFFD on their way here; an honest one comes encoded.
  if (text.includes('\ufffd')) throw new UnreadableBody('The form is not valid UTF-8.')
  const fields: Record<string, Array<string> | string> = Object.create(null)
  for (const [name, value] of pairs(text)) {
    const earlier = fields[name]
    if (Array.isArray(earlier)) earlier.push(value)
    else fields[name] = earlier === undefined ? value : [earlier, value]
  }
  return fields
}
