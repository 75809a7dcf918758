import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { UPLOAD_FIELD, UPLOAD_LIMIT } from '@almoner/domain'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import type { UploadRule } from '../routes/route.ts'
import { BODY_LIMIT } from '../server/limits.ts'
import { UNREADABLE } from './form-body.ts'
import { UnreadableBody } from './json-body.ts'

/** The parsed body of a multipart request whose parts have not been read yet. */
export const MULTIPART = Symbol('multipart')

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

const addField = (fields: Record<string, unknown>, name: string, value: unknown): void => {
  const before = Object.hasOwn(fields, name) ? fields[name] : undefined
  Object.defineProperty(fields, name, {
    value: before === undefined ? value : [before, value].flat(),
    enumerable: true,
    configurable: true,
  })
}

/** Collects parts as they arrive. What is wrong with a file is told at the end, so that the answer can be received. */
class Collector {
  readonly fields: Record<string, unknown> = {}
  readonly rule: UploadRule | undefined
  chosen: { readonly name: string; readonly chunks: Array<Uint8Array>; size: number } | undefined
  isRepeated = false
  /** Characters of the fields, of which there may be as many as in any other body. */
  text = 0

  constructor(rule: UploadRule | undefined) {
    this.rule = rule
  }

  /** Keeps the bytes of the file that matters, and reads all others to their end without holding them. */
  addFile(name: string, file: Readable): void {
    const matters = this.rule === 'first' || (this.rule === 'named' && name === UPLOAD_FIELD)
    if (!matters || this.chosen !== undefined) {
      if (matters && this.chosen?.name === name) this.isRepeated = true
      file.resume()
      return
    }
    const chosen = { name, chunks: [] as Array<Uint8Array>, size: 0 }
    this.chosen = chosen
    file.on('data', (chunk: Uint8Array) => {
      chosen.size += chunk.byteLength
      if (chosen.size <= UPLOAD_LIMIT) chosen.chunks.push(chunk)
    })
  }

  addText(name: string, value: string, isTruncated: boolean): void {
    this.text += name.length + value.length
    if (isTruncated || this.text > BODY_LIMIT) throw new BadUpload(413)
    // The parser replaces bytes that are no UTF-8; an honest U+FFFD is refused with them rather than text be lost unseen.
    addField(this.fields, name, value.includes('\ufffd') ? UNREADABLE : value)
  }

  upload(): Uint8Array | undefined {
    if (this.isRepeated) throw new BadUpload(400)
    if (this.chosen !== undefined && this.chosen.size > UPLOAD_LIMIT) throw new BadUpload(413)
    return this.chosen && Buffer.concat(this.chosen.chunks)
  }
}

/** Reads all parts into a collector. An empty body has none. */
const readParts = (raw: IncomingMessage, parts: Collector): Promise<void> =>
  new Promise((resolve, reject) => {
    let isEmpty = true
    const parser = new Busboy({ headers: raw.headers as BusboyHeaders, limits: LIMITS, isPartAFile })
    const tooLarge = () => reject(new BadUpload(413))
    parser.on('partsLimit', tooLarge).on('filesLimit', tooLarge).on('fieldsLimit', tooLarge)
    parser.on('file', (name, file) => {
      file.on('error', reject)
      parts.addFile(name, file)
    })
    parser.on('field', (name, value, _isNameTruncated, isTruncated) => {
      try {
        parts.addText(name, value, isTruncated)
      } catch (fault) {
        reject(fault)
      }
    })
    parser.on('finish', resolve)
    parser.on('error', (fault: unknown) => (isEmpty ? resolve() : reject(fault)))
    raw.once('close', () => {
      if (!raw.readableEnded) reject(new UnreadableBody('The body ended early.'))
    })
    raw.once('data', () => {
      isEmpty = false
    })
    raw.pipe(parser)
  })

/**
 * The parameters and the upload of a multipart body (B1, D1). At most one file's bytes are held; all others are passed over.
 * @throws BadUpload or UnreadableBody
 */
export const readMultipartBody = async (
  { raw }: FastifyRequest,
  rule: UploadRule | undefined,
): Promise<MultipartBody> => {
  const parts = new Collector(rule)
  try {
    // A request without a body has ended already, and its end would be waited for.
    if (!raw.readableEnded) await readParts(raw, parts)
  } catch (error) {
    // What is left of the body is passed over unread.
    raw.unpipe().resume()
    if (error instanceof BadUpload || error instanceof UnreadableBody) throw error
    // Whatever the parser stumbles over came from outside; its own words may quote the body.
    throw new UnreadableBody('The multipart body cannot be read.')
  }
  return { fields: parts.fields, upload: parts.upload() }
}
