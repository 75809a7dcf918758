import type { IncomingMessage } from 'node:http'
import { UPLOAD_FIELD, UPLOAD_LIMIT } from '@almoner/domain/library'
import { fieldError } from '@almoner/domain/values'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { BODY_LIMIT } from '../limits.ts'
import { badRequest, ProblemError } from '../problems/problem.ts'
import { problemOfStatus } from '../problems/send-problem.ts'
import { contextOf } from '../request-context.ts'
import { UNREADABLE, unreadable } from './parameters.ts'

/** How the file part of an upload is found: by its name, or the first of all (D1). */
export type UploadRule = 'named' | 'first'

/** The parameters of a multipart body, and its upload where the route takes one. */
export interface MultipartBody {
  readonly fields: Record<string, unknown>
  readonly upload: Uint8Array | undefined
}

/** Marks a request with a multipart body as read later. */
export const markMultipart = (request: FastifyRequest, _body: unknown, done: (fault: null) => void): void => {
  contextOf(request).isMultipart = true
  done(null)
}

/** The error of a body that is too large. */
export const tooLarge = (): ProblemError => new ProblemError(problemOfStatus(413))

const givenTwice = (): ProblemError =>
  new ProblemError(badRequest('Send one image.', [fieldError(UPLOAD_FIELD, 'must be given once')]))

/** All limits are here, because others would be those of the application around the API. A file at the limit and a larger one differ. */
const LIMITS = {
  fileSize: UPLOAD_LIMIT + 1,
  files: 10,
  fields: 100,
  fieldSize: BODY_LIMIT,
  parts: 110,
  headerPairs: 50,
  headerSize: 81_920,
}

/** Returns whether a part is a file: it has a file name, or it is the upload as bytes. Other parts are text of any declared type. */
const isPartAFile = (field: string | undefined, type: string | undefined, file: string | undefined) =>
  file !== undefined || (field === UPLOAD_FIELD && type === 'application/octet-stream')

/** Reads a file to its end without keeping it, so that the parts after it are reached. */
const skip = async ({ file }: MultipartFile): Promise<void> => {
  for await (const _ of file);
}

/** Returns the bytes of a file, or the error that it is too large. Reads to its end in either case. */
const readFile = async ({ file }: MultipartFile): Promise<Uint8Array | ProblemError> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of file as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size <= UPLOAD_LIMIT) chunks.push(chunk)
  }
  return size > UPLOAD_LIMIT || file.truncated ? tooLarge() : Buffer.concat(chunks)
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

/** The parts that were read. */
interface Parts {
  readonly fields: Record<string, unknown>
  /** The file that matters; its error is thrown at the end, so that the client can receive the response. */
  chosen?: { readonly name: string; readonly file: Uint8Array | ProblemError }
  /** Characters of the fields, with the same limit as other bodies. */
  text: number
}

const addFile = async (parts: Parts, rule: UploadRule | undefined, part: MultipartFile): Promise<void> => {
  const name = part.fieldname
  if (matters(rule, part) && parts.chosen === undefined) {
    parts.chosen = { name, file: await readFile(part) }
    return undefined
  }
  if (matters(rule, part) && parts.chosen?.name === name) parts.chosen = { name, file: givenTwice() }
  return skip(part)
}

/** Adds the text of a part to the fields. */
export const addText = (
  parts: Pick<Parts, 'fields' | 'text'>,
  { fieldname, value, valueTruncated }: MultipartValue,
): void => {
  const text = String(value)
  parts.text += fieldname.length + text.length
  if (valueTruncated || parts.text > BODY_LIMIT) throw tooLarge()
  // The parser replaces bytes that are not UTF-8. A U+FFFD that was sent is rejected too, rather than text be lost unseen.
  addField(parts.fields, fieldname, text.includes('\ufffd') ? UNREADABLE : value)
}

const OPTIONS = { limits: LIMITS, throwFileSizeLimit: false, isPartAFile }

/** How the parts of a body are read. */
type PartsOptions = Parameters<FastifyRequest['parts']>[0]

/** Yields the parts of a body. `@fastify/multipart` rejects requests that its parser, which the API does not use, has not seen. */
export const partsOf = (request: FastifyRequest, options: PartsOptions) =>
  (Object.create(request, { isMultipart: { value: () => true } }) as FastifyRequest).parts(options)

/** Returns whether an error of the parser says that a limit was exceeded. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 413

/**
 * Returns whether the parser only skipped parts named like a member of `Object.prototype`. It reports them after the last part, when all
 * others are read. Such parameters are unknown, and unknown parameters are ignored (B2).
 */
const isUnknownName = (error: unknown, { readableEnded }: IncomingMessage): boolean =>
  readableEnded && error instanceof Error && 'code' in error && error.code === 'FST_PROTO_VIOLATION'

const bodyOf = ({ fields, chosen }: Parts): MultipartBody => {
  const upload = chosen?.file
  if (upload instanceof ProblemError) throw upload
  return { fields, upload }
}

/**
 * Reads the parameters and the upload of a multipart body (B1, D1). Keeps the bytes of at most one file and skips all others.
 * @throws ProblemError
 */
export const readMultipartBody = async (
  request: FastifyRequest,
  rule: UploadRule | undefined,
): Promise<MultipartBody> => {
  const parts: Parts = { fields: {}, text: 0 }
  try {
    // A request without a body has ended already, and its end would be waited for.
    const sent = request.raw.readableEnded ? [] : partsOf(request, OPTIONS)
    for await (const part of sent)
      if (part.type === 'file') await addFile(parts, rule, part)
      else addText(parts, part)
  } catch (error) {
    if (isUnknownName(error, request.raw)) return bodyOf(parts)
    // The rest of the body is skipped.
    request.raw.unpipe().resume()
    if (isTooLarge(error)) throw tooLarge()
    // The parser's own message may quote the body.
    throw error instanceof ProblemError ? error : unreadable('The multipart body cannot be read.')
  }
  return bodyOf(parts)
}
