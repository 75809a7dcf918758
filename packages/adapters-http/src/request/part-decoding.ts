/** The exception for a part that cannot be decoded (B10). Its message is the reason, as a sentence about the part, without its content. */
export class PartError extends Error {
  override readonly name = 'PartError'
}

const fail = (reason: string): never => {
  throw new PartError(reason)
}

/** Undoes a transfer encoding chunk by chunk; `end` returns the rest. Both throw a PartError. */
export interface TransferDecoder {
  readonly decode: (chunk: Uint8Array) => Uint8Array
  readonly end: () => Uint8Array
}

const asText = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1')

const NOT_BASE64 = 'is not valid base64'

/** Lines may break anywhere (RFC 2045 §6.8). The padding at the end may be missing. */
const base64 = (): TransferDecoder => {
  let [pending, isEnded] = ['', false]
  return {
    decode: (chunk) => {
      const text = pending + asText(chunk).replaceAll(/[\r\n\t ]+/g, '')
      const whole = text.slice(0, text.length - (text.length % 4))
      pending = text.slice(whole.length)
      if ((isEnded && text !== '') || !/^[A-Za-z0-9+/]*={0,2}$/.test(whole)) fail(NOT_BASE64)
      isEnded ||= whole.endsWith('=')
      return Buffer.from(whole, 'base64')
    },
    end: () => {
      if (!/^(?:[A-Za-z0-9+/]{2,3})?$/.test(pending) || (isEnded && pending !== '')) fail(NOT_BASE64)
      return Buffer.from(pending, 'base64')
    },
  }
}

const NOT_QUOTED = 'is not valid quoted-printable text'

/** The longest line of quoted-printable (RFC 2045 §6.7), and so the longest run of blanks at its end. */
const LONGEST_LINE = 76

/** The text of an escape, whole or as far as it has come. Its line break ends the line of the text alone. */
const ESCAPE = /^=([0-9a-f]{2}|[ \t]*\r?\n)$/i
const BEGUN_ESCAPE = /^=(?:[0-9a-f]?|[ \t]*\r?)$/i

/** RFC 2045 §6.7: `=` before two hexadecimal digits is a byte, and before a line break nothing. Blanks at the end of a line do not count. */
class QuotedPrintable implements TransferDecoder {
  /** An escape, or blanks that may end their line. */
  #held = ''
  #out: Array<number> = []

  readonly decode = (chunk: Uint8Array): Uint8Array => {
    for (const character of asText(chunk)) this.#read(character)
    const decoded = Uint8Array.from(this.#out)
    this.#out = []
    return decoded
  }

  readonly end = (): Uint8Array => {
    // A text may end with a line break that does not count, and with blanks.
    if (this.#held.startsWith('=') && !/^=[ \t]*\r?$/.test(this.#held)) fail(NOT_QUOTED)
    return Buffer.from(this.#held.endsWith('\r') ? '\r' : '')
  }

  #read(character: string): void {
    if (this.#held.startsWith('=')) this.#readEscape(this.#held + character)
    else if (character === ' ' || character === '\t' || character === '\r') this.#hold(character)
    else if (character === '\n') this.#endLine()
    else {
      this.#write(this.#held)
      this.#held = character === '=' ? character : ''
      if (character !== '=') this.#write(character)
    }
  }

  #endLine(): void {
    this.#write(this.#held.endsWith('\r') ? '\r\n' : '\n')
    this.#held = ''
  }

  #readEscape(text: string): void {
    const [, escaped] = ESCAPE.exec(text) ?? []
    this.#held = escaped === undefined ? text : ''
    if (escaped === undefined && (text.length > LONGEST_LINE || !BEGUN_ESCAPE.test(text))) fail(NOT_QUOTED)
    if (escaped !== undefined && !escaped.endsWith('\n')) this.#out.push(Number.parseInt(escaped, 16))
  }

  #hold(blank: string): void {
    if (this.#held.length >= LONGEST_LINE || this.#held.endsWith('\r')) {
      this.#write(this.#held)
      this.#held = ''
    }
    this.#held += blank
  }

  #write(text: string): void {
    for (let at = 0; at < text.length; at += 1) this.#out.push(text.charCodeAt(at))
  }
}

const identity = (): TransferDecoder => ({ decode: (chunk) => chunk, end: () => new Uint8Array() })

const DECODERS: Readonly<Record<string, () => TransferDecoder>> = {
  '': identity,
  '7bit': identity,
  '8bit': identity,
  binary: identity,
  base64,
  'quoted-printable': () => new QuotedPrintable(),
}

/**
 * Makes the decoder of a `Content-Transfer-Encoding` (B10).
 * @throws PartError if it is unknown
 */
export const transferDecoder = (encoding: string): TransferDecoder => {
  const name = encoding.trim().toLowerCase()
  const make = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined
  return make?.() ?? fail('has an unknown Content-Transfer-Encoding')
}

/**
 * Undoes the `Content-Transfer-Encoding` of a part.
 * @throws PartError
 */
export async function* undoTransfer(
  content: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array> {
  const decoder = transferDecoder(encoding)
  for await (const chunk of content) yield decoder.decode(chunk)
  yield decoder.end()
}

const decoderOf = (label: string) => {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true })
  } catch {
    return fail('declares an unknown charset')
  }
}

/** The byte order marks of UTF-16, which Java writes before text that it labels `UTF-16`. */
const BYTE_ORDER_MARKS = { 'utf-16le': '\xff\xfe', 'utf-16be': '\xfe\xff' }

const startsWith = (bytes: Uint8Array, mark: string): boolean => asText(bytes.subarray(0, 2)) === mark

/**
 * Decodes text by the charset that its part declares, a label of the WHATWG Encoding Standard (B10). UTF-16 may begin with a byte order mark.
 * @throws PartError
 */
export const decodeText = (bytes: Uint8Array, charset: string): string => {
  const { encoding } = decoderOf(charset)
  const marked = encoding.startsWith('utf-16')
    ? Object.entries(BYTE_ORDER_MARKS).find(([, mark]) => startsWith(bytes, mark))
    : undefined
  try {
    return marked === undefined
      ? decoderOf(charset).decode(bytes)
      : decoderOf(marked[0]).decode(bytes.subarray(2))
  } catch {
    return fail(`is not valid ${encoding}`)
  }
}
