import type { FieldError } from '@almoner/domain'
import { PROBLEMS, type ProblemCode } from './catalogue.ts'

/** A fault as the caller sees it, before it is written as RFC 9457 (I1). */
export interface Problem {
  readonly code: ProblemCode
  readonly detail: string
  readonly errors?: ReadonlyArray<FieldError>
  readonly headers?: Readonly<Record<string, string>>
  /** For the log only. */
  readonly cause?: unknown
}

/** An exception that is answered with a problem. Its message names no part of the request. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem
  /** For an application around the API that handles its own errors. */
  readonly statusCode: number
  constructor(problem: Problem) {
    super(problem.detail, { cause: problem.cause })
    this.problem = problem
    this.statusCode = PROBLEMS[problem.code].status
  }
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** Returns the body of a problem; every 400 has `errors`, though it may be empty. The log has the same `requestId`. */
export const problemBody = ({ code, detail, errors }: Problem, requestId: string) => ({
  type: `urn:almoner:problem:${code}`,
  title: PROBLEMS[code].title,
  status: PROBLEMS[code].status,
  detail,
  code,
  requestId,
  ...(errors !== undefined || PROBLEMS[code].status === 400 ? { errors: errors ?? [] } : {}),
})

export const badRequest = (detail: string, errors: ReadonlyArray<FieldError> = []): Problem => ({
  code: 'invalid_request',
  detail,
  errors,
})

export const UNKNOWN_PATH: Problem = { code: 'not_found', detail: 'There is no such path.' }

/** The problem of every fault of the service. */
export const internalError = (cause: unknown): Problem => ({
  code: 'internal_error',
  detail: 'The fault has been noted under this request id.',
  cause,
})

/** The problem of a write of which it is unknown whether it was committed (I5). No `Retry-After`: a repeat may write twice. */
export const unknownOutcome = (cause: unknown): Problem => ({
  code: 'outcome_unknown',
  detail: 'The connection to the database was lost meanwhile. Read again to see whether this was done.',
  cause,
})

export const busy = (cause: unknown): Problem => ({
  code: 'unavailable',
  detail: 'Nothing has changed. Please try again.',
  headers: { 'Retry-After': '5' },
  cause,
})
