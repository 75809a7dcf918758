import { digitOf } from './parameters.ts'

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

/** The most blanks that may end their line and that are held back: a line has 76 characters (RFC 2045 §6.7). */
const MOST_BLANKS = 76

const [TAB, LINE_FEED, RETURN, BLANK, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x3d]

const isBlank = (byte: number): boolean => byte === BLANK || byte === TAB

/** How far an escape has come: its `=`, blanks after that, a carriage return, or the value of its first digit. */
type Begun = 'none' | 'begun' | 'blanks' | 'return' | number

/** RFC 2045 §6.7: `=` before two hexadecimal digits is a byte, and before a line break nothing. Blanks at the end of a line do not count. */
class QuotedPrintable implements TransferDecoder {
  #escape: Begun = 'none'
  /** Blanks that may end their line, and a carriage return that may be half of its break. */
  #held: Array<number> = []
  #out: Array<number> = []

  readonly decode = (chunk: Uint8Array): Uint8Array => {
    for (const byte of chunk) {
      if (this.#escape !== 'none') this.#escape = this.#readEscape(this.#escape, byte)
      else if (isBlank(byte) || byte === RETURN) this.#hold(byte)
      else this.#read(byte)
    }
    const decoded = Uint8Array.from(this.#out)
    this.#out = []
    return decoded
  }

  readonly end = (): Uint8Array => {
    // A text may end with a line break that does not count, and with blanks.
    if (typeof this.#escape === 'number') fail(NOT_QUOTED)
    return Uint8Array.from(this.#held.filter((byte) => byte === RETURN))
  }

  #read(byte: number): void {
    this.#release(byte === LINE_FEED)
    if (byte === EQUALS) this.#escape = 'begun'
    else this.#out.push(byte)
  }

  #readEscape(begun: Begun, byte: number): Begun {
    const digit = digitOf(byte)
    if (typeof begun === 'number') {
      if (digit > 15) fail(NOT_QUOTED)
      this.#out.push(begun * 16 + digit)
      return 'none'
    }
    if (byte === LINE_FEED) return 'none'
    if (begun === 'begun' && digit < 16) return digit
    if (begun !== 'return' && isBlank(byte)) return 'blanks'
    return begun !== 'return' && byte === RETURN ? 'return' : fail(NOT_QUOTED)
  }

  #hold(byte: number): void {
    if (this.#held.length >= MOST_BLANKS || this.#held.at(-1) === RETURN) this.#release(false)
    this.#held.push(byte)
  }

  /** Writes what was held back, at the end of a line without its blanks. */
  #release(isLineEnd: boolean): void {
    if (this.#held.length === 0) return
    this.#out.push(...(isLineEnd ? this.#held.filter((byte) => byte === RETURN) : this.#held))
    this.#held = []
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
