/** The exception for a part that cannot be decoded (B10). Its message is the reason, as a sentence about the part, without its content. */
export class PartError extends Error {
  override readonly name = 'PartError'
}

const fail = (reason: string): never => {
  throw new PartError(reason)
}

/** Undoes a transfer encoding chunk by chunk; `end` returns what is left. Both throw a PartError. */
interface TransferDecoder {
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

const [TAB, LF, CR, SPACE, EQUALS] = [9, 10, 13, 32, 61]

/** The longest run of blanks that is looked at for the end of its line (RFC 5322 §2.1.1: a line has at most 998 characters). */
const LONGEST_BLANK = 998

const NOT_QUOTED = 'is not valid quoted-printable text'

const hexDigit = (byte: number): number => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16)
  return Number.isNaN(digit) ? fail(NOT_QUOTED) : digit
}

/** RFC 2045 §6.7: `=` before two hexadecimal digits is a byte, and before a line break nothing. Blanks at the end of a line do not count. */
const quotedPrintable = (): TransferDecoder => {
  let pending: Uint8Array = new Uint8Array()
  /** Returns the index after an escape, or undefined if its end is not here yet. */
  const decodeEscape = (bytes: Uint8Array, at: number, out: Array<number>): number | undefined => {
    let next = at + 1
    while (bytes[next] === SPACE || bytes[next] === TAB) next += 1
    const first = bytes[next]
    if (next - at > LONGEST_BLANK) fail(NOT_QUOTED)
    if (first === LF) return next + 1
    if (first === undefined) return undefined
    const second = bytes[next + 1]
    if (second === undefined) return undefined
    if (first === CR && second === LF) return next + 2
    if (next > at + 1) fail(NOT_QUOTED)
    out.push(hexDigit(first) * 16 + hexDigit(second))
    return at + 3
  }
  /** Returns the index after a run of blanks, or undefined if what follows it is not here yet. */
  const decodeBlanks = (bytes: Uint8Array, at: number, out: Array<number>): number | undefined => {
    let next = at
    while ((bytes[next] === SPACE || bytes[next] === TAB) && next - at < LONGEST_BLANK) next += 1
    const isAtEnd = bytes[next] === undefined || (bytes[next] === CR && bytes[next + 1] === undefined)
    if (isAtEnd && next - at < LONGEST_BLANK) return undefined
    const isBeforeBreak = bytes[next] === LF || (bytes[next] === CR && bytes[next + 1] === LF)
    if (!isBeforeBreak) out.push(...bytes.subarray(at, next))
    return next
  }
  return {
    decode: (chunk) => {
      const bytes = pending.byteLength === 0 ? chunk : Buffer.concat([pending, chunk])
      const out: Array<number> = []
      let at = 0
      while (at < bytes.byteLength) {
        const byte = bytes[at] ?? 0
        let next: number | undefined = at + 1
        if (byte === EQUALS) next = decodeEscape(bytes, at, out)
        else if (byte === SPACE || byte === TAB) next = decodeBlanks(bytes, at, out)
        else out.push(byte)
        if (next === undefined) break
        at = next
      }
      pending = bytes.slice(at)
      return Uint8Array.from(out)
    },
    end: () => {
      // What is left is a line break that was cut off, or blanks at the end of the last line.
      if (pending[0] === EQUALS && pending.some((byte, at) => at > 0 && byte !== SPACE && byte !== TAB && byte !== CR))
        fail(NOT_QUOTED)
      return new Uint8Array()
    },
  }
}

const IDENTITY = new Set(['', '7bit', '8bit', 'binary'])
const DECODERS: Readonly<Record<string, () => TransferDecoder>> = { base64, 'quoted-printable': quotedPrintable }

/**
 * Undoes the `Content-Transfer-Encoding` of a part (B10).
 * @throws PartError
 */
export async function* undoTransfer(
  content: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array> {
  const name = encoding.trim().toLowerCase()
  if (IDENTITY.has(name)) return yield* content
  const make = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined
  const decoder = make?.() ?? fail('has an unknown Content-Transfer-Encoding')
  for await (const chunk of content) yield decoder.decode(chunk)
  yield decoder.end()
  return undefined
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
