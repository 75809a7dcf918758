import { UPLOAD_FIELD, UPLOAD_LIMIT } from '@almoner/domain/media'
import { fieldError } from '@almoner/domain/values'
import type { FastifyRequest } from 'fastify'
import { BODY_LIMIT } from '../limits.ts'
import { badRequest, ProblemError } from '../problems/problem.ts'
import { contextOf } from '../request-context.ts'
import { MeteredBody } from './metered-body.ts'
import {
  MOST_TEXTS,
  type Part,
  type PartLimits,
  partsOf,
  problemOfParts,
  tooLarge,
} from './multipart-parts.ts'
import { UNREADABLE } from './parameters.ts'
import { decodeText, PartError, type TransferDecoder, transferDecoder } from './part-decoding.ts'

/** How the file part of an upload is found: by its name, or the first of all (D1). */
export type UploadRule = 'named' | 'first'

/** The parameters of a multipart body, and its upload where the route takes one. */
export interface MultipartBody {
  readonly fields: Record<string, unknown>
  readonly upload: Uint8Array | undefined
}

const givenTwice = (): ProblemError =>
  new ProblemError(badRequest('Send one image.', [fieldError(UPLOAD_FIELD, 'must be given once')]))

const undecodable = (field: string, { message }: PartError): ProblemError =>
  new ProblemError(badRequest('A part of the body cannot be decoded.', [fieldError(field, message)]))

/** Files that a form may hold; all but one are skipped. */
const MOST_FILES = 10

/** A file in quoted-printable has three times the bytes of its content. */
const LIMITS: PartLimits = {
  fileSize: UPLOAD_LIMIT * 4,
  texts: MOST_TEXTS,
  parts: MOST_TEXTS + MOST_FILES,
}

/** Bytes that the parser may hold of a file that is being read, beside the part of the body that counts. */
const READ_AHEAD = 524_288

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
  #bytes = 0

  /** Reads the text of a part. The limits of its length are those of the body. */
  async add({ name, sent, encoding, charset }: Part, limit: number): Promise<void> {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of sent) {
      this.#bytes += chunk.byteLength
      if (this.#bytes > limit) throw tooLarge()
      chunks.push(chunk)
    }
    try {
      const { decode, end } = transferDecoder(encoding)
      const text = decodeText(Buffer.concat([decode(Buffer.concat(chunks)), end()]), charset)
      addField(this.fields, name, text)
    } catch (error) {
      if (!(error instanceof PartError)) throw error
      this.unreadable.set(name, error.message)
      addField(this.fields, name, UNREADABLE)
    }
  }
}

/** The bytes of a file that has none, and of one that was skipped. */
const [EMPTY, SKIPPED] = [new Uint8Array(), new Uint8Array()]

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
    const { name, fileName = '' } = part
    const matters = this.#rule === 'first' || (this.#rule === 'named' && name === UPLOAD_FIELD)
    const isFirst = matters && this.#chosen === undefined
    const file = isFirst ? await this.#read(part) : await this.#skip(part)
    // A form without a chosen file sends an empty part with an empty file name (B10).
    if (fileName === '' && file === EMPTY) return
    this.#count += 1
    if (this.#count > MOST_FILES) throw tooLarge()
    if (isFirst) this.#chosen = { name, file }
    else if (matters && this.#chosen?.name === name) this.#chosen = { name, file: givenTwice() }
  }

  /** Reads a file to its end without keeping it, so that the parts after it are reached. */
  async #skip({ sent }: Part): Promise<Uint8Array> {
    let size = 0
    for await (const { byteLength } of sent) {
      size += byteLength
      this.sent += byteLength
      this.#give(byteLength)
    }
    return size === 0 ? EMPTY : SKIPPED
  }

  /** Returns the bytes of a file, or its error. Reads to its end in either case. */
  async #read({ name, sent, encoding }: Part): Promise<Uint8Array | ProblemError> {
    const chunks: Array<Uint8Array> = []
    let [size, failure]: [number, ProblemError | undefined] = [0, undefined]
    const keep = (decode: () => Uint8Array): void => {
      if (failure !== undefined) return
      try {
        const bytes = decode()
        size += bytes.byteLength
        if (size > UPLOAD_LIMIT) failure = tooLarge()
        else chunks.push(bytes)
      } catch (error) {
        if (!(error instanceof PartError)) throw error
        failure = undecodable(name, error)
      }
    }
    let decoder: TransferDecoder | undefined
    keep(() => {
      decoder = transferDecoder(encoding)
      return new Uint8Array()
    })
    for await (const chunk of sent) {
      this.sent += chunk.byteLength
      keep(() => decoder?.decode(chunk) ?? chunk)
      if (failure !== undefined) this.#give(chunk.byteLength)
    }
    keep(() => decoder?.end() ?? new Uint8Array())
    return failure ?? (size === 0 ? EMPTY : Buffer.concat(chunks))
  }
}

/**
 * Returns whether the parser only skipped parts named like a member of `Object.prototype`. It reports them after the last part, when all
 * others are read. Such parameters are unknown, and unknown parameters are ignored (B2).
 */
const isUnknownName = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_PROTO_VIOLATION'

const limitOf = ({ routeOptions }: FastifyRequest): number =>
  routeOptions.config.route?.bodyLimit ?? BODY_LIMIT

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
    for await (const part of partsOf(request, LIMITS))
      await (part.isFile ? files.add(part) : texts.add(part, limit))
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
