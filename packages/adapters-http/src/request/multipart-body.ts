import type { Readable, Writable } from 'node:stream'
import { UPLOAD_FIELD, UPLOAD_LIMIT } from '@almoner/domain/library'
import { fieldError } from '@almoner/domain/values'
import type { FastifyRequest } from 'fastify'
import { BODY_LIMIT } from '../limits.ts'
import { badRequest, ProblemError } from '../problems/problem.ts'
import { problemOfStatus } from '../problems/send-problem.ts'
import { contextOf } from '../request-context.ts'
import { MeteredBody } from './metered-body.ts'
import { UNREADABLE, unreadable } from './parameters.ts'
import { decodeText, PartError, undoTransfer } from './part-decoding.ts'

/** How the file part of an upload is found: by its name, or the first of all (D1). */
export type UploadRule = 'named' | 'first'

/** The parameters of a multipart body, and its upload where the route takes one. */
export interface MultipartBody {
  readonly fields: Record<string, unknown>
  readonly upload: Uint8Array | undefined
}

/** Marks a request with a multipart body as read later. */
export const markMultipart = (request: FastifyRequest, body: unknown, done: (fault: null) => void): void => {
  contextOf(request).multipart = body as Readable
  done(null)
}

/** The error of a body that is too large. */
export const tooLarge = (): ProblemError => new ProblemError(problemOfStatus(413))

const givenTwice = (): ProblemError =>
  new ProblemError(badRequest('Send one image.', [fieldError(UPLOAD_FIELD, 'must be given once')]))

const undecodable = (field: string, { message }: PartError): ProblemError =>
  new ProblemError(badRequest('A part of the body cannot be decoded.', [fieldError(field, message)]))

/** Limits of the parser. All are given, because others would be those of the application around the API. */
export interface PartLimits {
  /** Bytes of a file as it is sent. */
  readonly fileSize: number
  readonly parts: number
}

/** Files that a form may hold; all but one are skipped. */
const MOST_FILES = 10
const MOST_FIELDS = 100

/** A file in quoted-printable has three times the bytes of its content. */
const LIMITS: PartLimits = { fileSize: UPLOAD_LIMIT * 4, parts: MOST_FIELDS + MOST_FILES }

/** Bytes that the parser may hold of a file that is being read, beside the part of the body that counts. */
const READ_AHEAD = 524_288

/** A part of a multipart body. Its content has to be read to its end before the next part comes. */
export interface Part {
  readonly name: string
  readonly fileName: string | undefined
  /** Whether it is a file: it is named as the upload, or has a file name (B10). */
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
          on(event: 'header', listener: (header: Readonly<Record<string, ReadonlyArray<string>>>) => void): void
        }) => void,
      ): void
    }
  }
}

const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s";]+))/i

/**
 * Returns the charsets of the parts by the streams of their content. The parser itself tells the type of a part without its charset.
 */
const charsetsOf = (parser: PartParser): WeakMap<object, string> => {
  const charsets = new WeakMap<object, string>()
  let latest = ''
  parser._parser?.parser.prependListener('part', (part) =>
    part.on('header', (header) => {
      const [, quoted, plain] = CHARSET.exec(header['content-type']?.[0] ?? '') ?? []
      latest = quoted ?? plain ?? 'utf-8'
    }),
  )
  parser.prependListener('file', (_name: string, content: object) => charsets.set(content, latest))
  return charsets
}

const BOUNDARY = /;\s*boundary\s*=\s*(?:"[^"]|[^\s";])/i

const NO_BOUNDARY = 'The Content-Type multipart/form-data needs the parameter boundary, with the text between the parts.'

/**
 * Yields the parts of a body, none parsed by its type (B10): to the parser all are files. `@fastify/multipart` rejects requests that its own
 * hooks, which the API does not use, have not seen.
 */
export async function* partsOf(request: FastifyRequest, limits: PartLimits): AsyncGenerator<Part> {
  const body = contextOf(request).multipart
  if (!(body instanceof MeteredBody)) return
  if (!BOUNDARY.test(request.headers['content-type'] ?? '')) throw unreadable(NO_BOUNDARY)
  let charsets = new WeakMap<object, string>()
  body.once('piping', (parser: PartParser) => {
    charsets = charsetsOf(parser)
  })
  const reader = Object.create(request, { isMultipart: { value: () => true }, raw: { value: body } }) as FastifyRequest
  const options: Parameters<FastifyRequest['parts']>[0] & { readonly throwFileSizeLimit: false } = {
    limits: { fileSize: limits.fileSize, files: limits.parts, parts: limits.parts, headerPairs: 50, headerSize: 81_920 },
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
      isFile: name === UPLOAD_FIELD || fileName !== undefined,
      charset: charsets.get(file) ?? 'utf-8',
      sent: file,
      encoding,
    }
  }
}

/** Adds a field to the fields; a name that comes again gets an array, which its codec rejects. */
const addField = (fields: Record<string, unknown>, name: string, value: unknown): void => {
  const before = Object.hasOwn(fields, name) ? fields[name] : undefined
  Object.defineProperty(fields, name, {
    value: before === undefined ? value : [before, value].flat(),
    enumerable: true,
    configurable: true,
  })
}

/** The text of the parts that were read. */
export class PartTexts {
  readonly fields: Record<string, unknown> = {}
  /** Why the text of a part cannot be read, by its name. */
  readonly unreadable = new Map<string, string>()
  #count = 0
  #bytes = 0

  /** Reads the text of a part. The limits of its length are those of the body. */
  async add({ name, sent, encoding, charset }: Part, limit: number): Promise<void> {
    this.#count += 1
    const chunks: Array<Uint8Array> = []
    try {
      for await (const chunk of undoTransfer(this.#counted(sent, limit), encoding)) chunks.push(chunk)
      const text = decodeText(Buffer.concat(chunks), charset)
      // Text with U+FFFD has lost something before it was sent.
      if (text.includes('\ufffd')) throw new PartError('holds U+FFFD, which stands for lost text')
      addField(this.fields, name, text)
    } catch (error) {
      if (!(error instanceof PartError)) throw error
      this.unreadable.set(name, error.message)
      addField(this.fields, name, UNREADABLE)
    }
    if (this.#count > MOST_FIELDS) throw tooLarge()
  }

  async *#counted(sent: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
    for await (const chunk of sent) {
      this.#bytes += chunk.byteLength
      if (this.#bytes > limit) throw tooLarge()
      yield chunk
    }
  }
}

/** The files that were read. Keeps the bytes of one. */
class PartFiles {
  /** The file that matters; its error is thrown at the end, so that the client can receive the response. */
  #chosen: { readonly name: string; readonly file: Uint8Array | ProblemError } | undefined
  #count = 0
  /** Bytes of files as they were sent. */
  sent = 0
  readonly #rule: UploadRule | undefined
  readonly #give: (bytes: number) => void

  /** @param give returns memory that is no longer used */
  constructor(rule: UploadRule | undefined, give: (bytes: number) => void) {
    this.#rule = rule
    this.#give = give
  }

  get upload(): Uint8Array | undefined {
    const file = this.#chosen?.file
    if (file instanceof ProblemError) throw file
    return file
  }

  async add(part: Part): Promise<void> {
    this.#count += 1
    const { name, fileName = '' } = part
    const matters = this.#rule === 'first' || (this.#rule === 'named' && name === UPLOAD_FIELD)
    if (matters && this.#chosen === undefined) {
      const file = await this.#read(part)
      // A form without a chosen file sends an empty part with an empty file name (B10).
      if (fileName !== '' || file instanceof ProblemError || file.byteLength > 0) this.#chosen = { name, file }
    } else {
      const size = await this.#skip(part)
      if (matters && this.#chosen?.name === name && (fileName !== '' || size > 0))
        this.#chosen = { name, file: givenTwice() }
    }
    if (this.#count > MOST_FILES) throw tooLarge()
  }

  async *#counted(sent: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of sent) {
      this.sent += chunk.byteLength
      yield chunk
    }
  }

  /** Reads a file to its end without keeping it, so that the parts after it are reached. */
  async #skip({ sent }: Part): Promise<number> {
    let size = 0
    for await (const chunk of this.#counted(sent)) {
      size += chunk.byteLength
      this.#give(chunk.byteLength)
    }
    return size
  }

  /** Returns the bytes of a file, or its error. Reads to its end in either case. */
  async #read(part: Part): Promise<Uint8Array | ProblemError> {
    const chunks: Array<Uint8Array> = []
    let size = 0
    const sent = this.#counted(part.sent)
    try {
      for await (const chunk of undoTransfer(sent, part.encoding)) {
        size += chunk.byteLength
        if (size <= UPLOAD_LIMIT) chunks.push(chunk)
        else this.#give(chunk.byteLength)
      }
    } catch (error) {
      if (error instanceof PartError) throw undecodable(part.name, error)
      throw error
    }
    return size > UPLOAD_LIMIT ? tooLarge() : Buffer.concat(chunks)
  }
}

/** Returns whether an error of the parser says that a limit was exceeded. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 413

/** Returns the error to respond with. The parser's own message may quote the body. */
export const problemOfParts = (error: unknown): ProblemError => {
  if (error instanceof ProblemError) return error
  return isTooLarge(error) ? tooLarge() : unreadable('The multipart body cannot be read.')
}

/**
 * Returns whether the parser only skipped parts named like a member of `Object.prototype`. It reports them after the last part, when all
 * others are read. Such parameters are unknown, and unknown parameters are ignored (B2).
 */
const isUnknownName = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_PROTO_VIOLATION'

const limitOf = ({ routeOptions }: FastifyRequest): number => routeOptions.config.route?.bodyLimit ?? BODY_LIMIT

/**
 * Reads the parameters and the upload of a multipart body (B1, B10, D1). Keeps the bytes of at most one file and skips all others.
 * @throws ProblemError
 */
export const readMultipartBody = async (
  request: FastifyRequest,
  rule: UploadRule | undefined,
): Promise<MultipartBody> => {
  const context = contextOf(request)
  const { multipart: body } = context
  const limit = limitOf(request)
  const texts = new PartTexts()
  const files = new PartFiles(rule, (bytes) => {
    if (body instanceof MeteredBody) body.share?.give(bytes)
  })
  let parsed = 0
  body?.on('data', (chunk: Uint8Array) => {
    parsed += chunk.byteLength
    if (parsed - files.sent > limit + READ_AHEAD) body.destroy(tooLarge())
  })
  body?.pause()
  try {
    for await (const part of partsOf(request, LIMITS)) await (part.isFile ? files.add(part) : texts.add(part, limit))
  } catch (error) {
    if (!isUnknownName(error)) {
      // The rest of the body is skipped.
      body?.destroy()
      throw problemOfParts(error)
    }
  }
  if (parsed - files.sent > limit) throw tooLarge()
  if (texts.unreadable.size > 0) context.unreadable = texts.unreadable
  return { fields: texts.fields, upload: files.upload }
}
