import type { FieldFault } from '@almoner/domain'
import { PROBLEMS, type ProblemCode } from './catalogue.ts'

/** A fault as the caller hears of it, before it is written as RFC 9457 (I1). */
export interface Problem {
  readonly code: ProblemCode
  readonly detail: string
  readonly errors?: ReadonlyArray<FieldFault>
  readonly headers?: Readonly<Record<string, string>>
  /** For the log only. */
  readonly cause?: unknown
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** The body of a problem answer; every 400 has `errors`, if only none. `requestId` is what the log calls the request. */
export const problemBody = ({ code, detail, errors }: Problem, requestId: string) => ({
  type: `urn:almoner:problem:${code}`,
  title: PROBLEMS[code].title,
  status: PROBLEMS[code].status,
  detail,
  code,
  requestId,
  ...(PROBLEMS[code].status === 400 ? { errors: errors ?? [] } : {}),
})

export const badRequest = (detail: string, errors: ReadonlyArray<FieldFault> = []): Problem => ({
  code: 'invalid_request',
  detail,
  errors,
})

export const UNKNOWN_PATH: Problem = { code: 'not_found', detail: 'There is no such path.' }

/** What every fault that is not the caller's looks like from outside. */
export const internalError = (cause: unknown): Problem => ({
  code: 'internal_error',
  detail: 'The fault has been noted under this request id.',
  cause,
})

/** What a write is answered of which nobody knows whether it was committed (I5). Without `Retry-After`: a repeat may do it twice. */
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
