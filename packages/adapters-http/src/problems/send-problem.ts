import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordFault } from '../request-context.ts'
import {
  busy,
  internalError,
  PROBLEM_TYPE,
  PROBLEMS,
  type Problem,
  type ProblemCode,
  ProblemError,
  problemBody,
  UNKNOWN_PATH,
} from './problem.ts'

const DETAILS: Partial<Record<ProblemCode, string>> = {
  content_too_large: 'The body is larger than this path takes.',
  unsupported_media_type:
    'Send application/json, application/x-www-form-urlencoded or multipart/form-data, not compressed.',
  range_not_satisfiable: 'Ask for a range within the image.',
  too_many_requests: 'The limit of requests has been reached. Please wait.',
}

/** Returns the problem for a status of the framework, whose own message may quote the request and is not passed on. */
export const problemOfStatus = (status: number): Problem => {
  // The framework forbids only paths of files that lead out of their folder; scopes are not its concern.
  if (status === 403 || status === 404) return UNKNOWN_PATH
  const codes = Object.keys(PROBLEMS) as ReadonlyArray<ProblemCode>
  const code = codes.find((candidate) => PROBLEMS[candidate].status === status) ?? 'invalid_request'
  return { code, detail: DETAILS[code] ?? 'The request cannot be read.' }
}

/** The part of an error that decides about its problem. `headers` has the length of a file (RFC 9110 §15.5.17). */
interface KnownError {
  readonly _tag?: unknown
  readonly statusCode?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Maps an exception to a problem: ours carry one, the framework's go by status, all others are faults of the service (I1). */
export const problemOfError = (error: unknown): Problem => {
  if (error instanceof ProblemError) return error.problem
  const { _tag, statusCode, headers = {} } = Object(error) as KnownError
  // Thrown by a store that fails while a collection is read.
  if (error instanceof Error && _tag === 'Unavailable') return busy(error)
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode >= 500) return internalError(error)
  return statusCode === 416 ? { ...problemOfStatus(416), headers } : problemOfStatus(statusCode)
}

/** Sends a problem (I1). Its cause goes to the log, not to the caller. */
export const sendProblem = (request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply => {
  if (problem.cause !== undefined) recordFault(request, problem.cause)
  return reply
    .code(PROBLEMS[problem.code].status)
    .headers({ ...problem.headers, 'Cache-Control': 'no-store' })
    .type(PROBLEM_TYPE)
    .send(JSON.stringify(problemBody(problem, request.id)))
}

/**
 * Responds with a problem.
 * @throws ProblemError for a fault of the service, so that the application's `onError` hooks see it
 */
export const respondWithProblem = (
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): FastifyReply => {
  if (problem.cause !== undefined) throw new ProblemError(problem)
  return sendProblem(request, reply, problem)
}

/**
 * Responds with a problem, and resolves with false once it is sent: a request that was looked at may not go on. A reply cannot be the
 * result, because it is a thenable, which resolves with nothing.
 * @throws ProblemError as {@link respondWithProblem}
 */
export const refuse = async (
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): Promise<false> => {
  await respondWithProblem(request, reply, problem)
  return false
}
