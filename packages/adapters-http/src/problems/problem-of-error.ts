import { fault, UPLOAD_FIELD } from '@almoner/domain'
import { UnreadableBody } from '../request/json-body.ts'
import { BadUpload } from '../request/multipart-body.ts'
import { NoSlot } from '../request/upload-limit.ts'
import { PROBLEMS, type ProblemCode } from './catalogue.ts'
import { Overloaded } from './overloaded.ts'
import { badRequest, busy, internalError, type Problem, UNKNOWN_PATH } from './problem.ts'

const DETAILS: Partial<Record<ProblemCode, string>> = {
  content_too_large: 'The body is larger than this path takes.',
  unsupported_media_type:
    'Send application/json, application/x-www-form-urlencoded or multipart/form-data, not compressed.',
  range_not_satisfiable: 'Ask for a range within the image.',
  too_many_requests: 'The limit of requests has been reached. Please wait.',
}

/** The problem that a status of the framework stands for; its own words may quote the request and are not passed on. */
export const problemOfStatus = (status: number): Problem => {
  // The framework forbids only paths that lead out of a folder of files; scopes are none of its business.
  if (status === 403 || status === 404) return UNKNOWN_PATH
  const codes = Object.keys(PROBLEMS) as ReadonlyArray<ProblemCode>
  const code = codes.find((candidate) => PROBLEMS[candidate].status === status) ?? 'invalid_request'
  return { code, detail: DETAILS[code] ?? 'The request cannot be read.' }
}

const statusOf = (error: unknown): number =>
  typeof error === 'object' && error !== null && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500

/** A store that went away while a collection was being read says so in this form. */
const isOutage = (error: unknown): boolean =>
  error instanceof Error && '_tag' in error && error._tag === 'Unavailable'

/** How long the file is, as the server of files puts it into its error (RFC 9110 §15.5.17). */
const sizeHeader = (error: unknown): Readonly<Record<string, string>> =>
  typeof error === 'object' && error !== null && 'headers' in error
    ? (error.headers as Readonly<Record<string, string>>)
    : {}

/** What an exception is to a caller: ours are known, the framework's go by their status, the rest are our fault (I1). */
export const problemOfError = (error: unknown): Problem => {
  if (error instanceof UnreadableBody) return badRequest(error.message)
  if (error instanceof NoSlot || isOutage(error)) return busy(error)
  // The log has one line for all of them.
  if (error instanceof Overloaded) return busy(undefined)
  if (error instanceof BadUpload && error.statusCode === 400)
    return badRequest('Send one image.', [fault(UPLOAD_FIELD, 'must be given once')])
  const status = statusOf(error)
  if (status === 416) return { ...problemOfStatus(status), headers: sizeHeader(error) }
  return status >= 400 && status < 500 ? problemOfStatus(status) : internalError(error)
}
