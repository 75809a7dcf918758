import type { IncomingMessage } from 'node:http'
import { UPLOAD_FIELD, UPLOAD_LIMIT } from '@almoner/domain'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { BODY_LIMIT } from '../limits.ts'
import type { UploadRule } from '../route.ts'
import { UNREADABLE } from './form-body.ts'
import { UnreadableBody } from './json-body.ts'

/** The parameters of a multipart body, and its upload where the route takes one. */
export interface MultipartBody {
  readonly fields: Record<string, unknown>
  readonly upload: Uint8Array | undefined
}

/** The file part that matters was given twice, or is larger than an upload may be. */
export class BadUpload extends Error {
  readonly statusCode: 400 | 413
  override readonly name = 'BadUpload'
  constructor(statusCode: 400 | 413) {
    super()
    this.statusCode = statusCode
  }
}

/** A byte more than an upload may have tells a file at the limit from one beyond it. */
const LIMITS = {
  fileSize: UPLOAD_LIMIT + 1,
  files: 10,
  fields: 100,
  fieldSize: BODY_LIMIT,
  parts: 110,
  headerPairs: 50,
}

/** Whether a part is a file: it has a file name, or it is the upload as bytes. Other parts are text, whatever type they declare. */
const isPartAFile = (field: string | undefined, type: string | undefined, file: string | undefined) =>
  file !== undefined || (field === UPLOAD_FIELD && type === 'application/octet-stream')

/** Reads a file to its end without holding it, so that the parts after it are reached. */
const passOver = async ({ file }: MultipartFile): Promise<void> => {
  for await (const _ of file);
}

/** The bytes of a file, or the fault that it is too large; read to its end in either case. */
const readFile = async ({ file }: MultipartFile): Promise<Uint8Array | BadUpload> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of file as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size <= UPLOAD_LIMIT) chunks.push(chunk)
  }
  return size > UPLOAD_LIMIT || file.truncated ? new BadUpload(413) : Buffer.concat(chunks)
}

const addField = (fields: Record<string, unknown>, name: string, value: unknown): void => {
  const before = Object.hasOwn(fields, name) ? fields[name] : undefined
  Object.defineProperty(fields, name, {
    value: before === undefined ? value : [before, value].flat(),
    enumerable: true,
    configurable: true,
  })
}

const matters = (rule: UploadRule | undefined, { fieldname }: MultipartFile): boolean =>
  rule === 'first' || (rule === 'named' && fieldname === UPLOAD_FIELD)

/** Collects parts as they arrive. What is wrong with a file is told at the end, so that the answer can be received. */
class Collector {
  readonly fields: Record<string, unknown> = {}
  readonly rule: UploadRule | undefined
  chosen: { readonly name: string; readonly file: Uint8Array | BadUpload } | undefined
  /** Characters of the fields, of which there may be as many as in any other body. */
  text = 0

  constructor(rule: UploadRule | undefined) {
    this.rule = rule
  }

  async addFile(part: MultipartFile): Promise<void> {
    if (!matters(this.rule, part)) return passOver(part)
    if (this.chosen === undefined) {
      this.chosen = { name: part.fieldname, file: await readFile(part) }
      return undefined
    }
    if (this.chosen.name === part.fieldname) this.chosen = { ...this.chosen, file: new BadUpload(400) }
    return passOver(part)
  }

  async add(part: Multipart): Promise<void> {
    if (part.type === 'file') return this.addFile(part)
    this.text += part.fieldname.length + String(part.value).length
    if (part.valueTruncated || this.text > BODY_LIMIT) throw new BadUpload(413)
    // The parser replaces bytes that are no UTF-8; an honest U+FFFD is refused with them rather than text be lost unseen.
    addField(this.fields, part.fieldname, String(part.value).includes('\ufffd') ? UNREADABLE : part.value)
    return undefined
  }
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 413

/**
 * Whether the parser only passed over parts named like a member of `Object.prototype`. It says so after the last part, so that all others are
 * read; such a parameter is unknown, and unknown parameters are ignored (B2).
 */
const isUnknownName = (error: unknown, { readableEnded }: IncomingMessage): boolean =>
  readableEnded && error instanceof Error && 'code' in error && error.code === 'FST_PROTO_VIOLATION'

const bodyOf = ({ fields, chosen }: Collector): MultipartBody => {
  const upload = chosen?.file
  if (upload instanceof BadUpload) throw upload
  return { fields, upload }
}

/**
 * The parameters and the upload of a multipart body (B1, D1). At most one file's bytes are held; all others are passed over.
 * @throws BadUpload or UnreadableBody
 */
export const readMultipartBody = async (
  request: FastifyRequest,
  rule: UploadRule | undefined,
): Promise<MultipartBody> => {
  const parts = new Collector(rule)
  try {
    // A request without a body has ended already, and its end would be waited for.
    const sent = request.raw.readableEnded ? [] : request.parts({ limits: LIMITS, isPartAFile })
    for await (const part of sent) await parts.add(part)
  } catch (error) {
    if (isUnknownName(error, request.raw)) return bodyOf(parts)
    // What is left of the body is passed over unread.
    request.raw.unpipe().resume()
    if (isTooLarge(error)) throw new BadUpload(413)
    // Whatever the parser stumbles over came from outside; its own words may quote the body.
    throw error instanceof UnreadableBody ? error : new UnreadableBody('The multipart body cannot be read.')
  }
  return bodyOf(parts)
}
