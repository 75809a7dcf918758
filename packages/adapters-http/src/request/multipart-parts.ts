import type { Readable, Writable } from 'node:stream'
import { UPLOAD_FIELD } from '@almoner/domain/media'
import type { FastifyRequest } from 'fastify'
import { ProblemError } from '../problems/problem.ts'
import { problemOfStatus } from '../problems/send-problem.ts'
import { contextOf } from '../request-context.ts'
import { MeteredBody } from './metered-body.ts'
import { digitOf, unreadable } from './parameters.ts'

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

/** Marks a request with a multipart body as read later. */
export const markMultipart = (request: FastifyRequest, body: unknown, done: (fault: null) => void): void => {
  contextOf(request).multipart = body as Readable
  done(null)
}

/** The error of a body that is too large. */
export const tooLarge = (): ProblemError => new ProblemError(problemOfStatus(413))

/** Returns whether an error of the parser says that a limit was exceeded. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 413

/** Returns the error to respond with. The parser's own message may quote the body. */
export const problemOfParts = (error: unknown): ProblemError => {
  if (error instanceof ProblemError) return error
  return isTooLarge(error) ? tooLarge() : unreadable('The multipart body cannot be read.')
}

/** Limits of the parser. All are given, because others would be those of the application around the API. */
export interface PartLimits {
  /** Bytes of a file as it is sent. */
  readonly fileSize: number
  /** Parts that are no files. */
  readonly texts: number
  readonly parts: number
}

/** Texts that any body may have: many times what an operation takes. */
export const MOST_TEXTS = 50

/** A part of a multipart body. Its content has to be read to its end before the next part comes. */
export interface Part {
  readonly name: string
  readonly fileName: string | undefined
  readonly isFile: boolean
  readonly charset: string
  /** The bytes as they were sent. */
  readonly sent: AsyncIterable<Uint8Array>
  readonly encoding: string
}

/** The parser of `@fastify/busboy`, in which parts show their header fields. */
interface PartParser extends Writable {
  readonly _parser?: {
    readonly parser: {
      prependListener(
        event: 'part',
        listener: (part: {
          on(
            event: 'header',
            listener: (header: Readonly<Record<string, ReadonlyArray<string>>>) => void,
          ): void
        }) => void,
      ): void
    }
  }
}

/** A parameter of a header field: its name, and its value in quotes or without. */
const PARAMETER = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g

/** Returns a parameter of a header field without blanks around it, or an empty text. Values of other parameters may look like one. */
const parameterOf = (field: string | undefined, name: string): string => {
  for (const [, found, quoted, plain = ''] of (field ?? '').matchAll(PARAMETER))
    if (found?.toLowerCase() === name) return (quoted?.replaceAll(/\\(.)/g, '$1') ?? plain).trim()
  return ''
}

/** Whether a part is a file: it is named as the upload, or has a file name (B10). */
const isFile = (name: string, fileName: string | undefined): boolean =>
  name === UPLOAD_FIELD || fileName !== undefined

/**
 * Returns the charsets of the parts by the streams of their content. The parser itself gives the type of a part without its charset.
 */
const charsetsOf = (parser: PartParser): WeakMap<object, string> => {
  const charsets = new WeakMap<object, string>()
  let latest = ''
  parser._parser?.parser.prependListener('part', (part) =>
    part.on('header', (header) => {
      latest = parameterOf(header['content-type']?.[0], 'charset') || 'utf-8'
    }),
  )
  parser.prependListener('file', (_name: string, content: object) => charsets.set(content, latest))
  return charsets
}

/** Ends a body when it has too many parts: the parser would go on to its end, at a cost for each, before one is looked at. */
const endBeyond = (body: Readable, parser: PartParser, limits: PartLimits): void => {
  let texts = 0
  const end = () => body.destroy(tooLarge())
  parser.once('partsLimit', end)
  parser.on('file', (name: string, _content: object, fileName: string | undefined) => {
    if (!isFile(name, fileName)) texts += 1
    if (texts > limits.texts) end()
  })
}

const NO_BOUNDARY =
  'The Content-Type multipart/form-data needs the parameter boundary, with the text between the parts.'

/**
 * Yields the parts of a body, none parsed by its type (B10): to the parser all are files. `@fastify/multipart` rejects requests that its own
 * hooks, which the API does not use, have not seen.
 */
export async function* partsOf(request: FastifyRequest, limits: PartLimits): AsyncGenerator<Part> {
  const body = contextOf(request).multipart
  if (!(body instanceof MeteredBody)) return
  // The client left while the request waited for its turn: the parser would wait for an end that has come already.
  if (body.destroyed) throw body.errored ?? new Error('The client is gone.')
  if (parameterOf(request.headers['content-type'], 'boundary') === '') throw unreadable(NO_BOUNDARY)
  let charsets = new WeakMap<object, string>()
  body.once('piping', (parser: PartParser) => {
    charsets = charsetsOf(parser)
    endBeyond(body, parser, limits)
  })
  const reader = Object.create(request, {
    isMultipart: { value: () => true },
    raw: { value: body },
  }) as FastifyRequest
  const options: Parameters<FastifyRequest['parts']>[0] & { readonly throwFileSizeLimit: false } = {
    limits: {
      fileSize: limits.fileSize,
      files: limits.parts,
      parts: limits.parts,
      headerPairs: 50,
      headerSize: 81_920,
    },
    throwFileSizeLimit: false,
    isPartAFile: () => true,
    // The name of a file is its path.
    preservePath: true,
  }
  for await (const part of reader.parts(options)) {
    if (part.type !== 'file') continue
    const { fieldname: name, filename, file, encoding } = part
    const fileName = filename as string | undefined
    yield {
      name,
      fileName,
      isFile: isFile(name, fileName),
      charset: charsets.get(file) ?? 'utf-8',
      sent: file,
      encoding,
    }
  }
}
