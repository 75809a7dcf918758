import type { components } from './generated/api.ts'

type Problem = components['responses']['Problem']['content']['application/problem+json']

/** The error codes of the service (I3). */
export type ProblemCode = Problem['code']

/** A field of the request that is not as it should be, and why. */
export type FieldError = NonNullable<Problem['errors']>[number]

/** What a failed answer brings besides what it says. */
interface Answered {
  /** The status of HTTP. */
  readonly status: number
  /** Seconds after which the service asks to be tried again, where it says so. */
  readonly retryAfter: number | undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const faultsOf = (errors: unknown): ReadonlyArray<FieldError> =>
  Array.isArray(errors) ? (errors as ReadonlyArray<FieldError>) : []

const sentence = (status: number, problem: Readonly<Record<string, unknown>>): string => {
  const faults = faultsOf(problem['errors']).map(({ field, message }) => `${field} ${message}`)
  const text =
    textOf(problem['detail']) ?? textOf(problem['title']) ?? 'The answer is not one of the service.'
  return `${status}: ${[text, faults.join('; ')].filter((part) => part !== '').join(' ')}`
}

/** The service refused a request, or something between answered in its place (I1). */
export class ApiError extends Error implements Answered {
  override readonly name = 'ApiError'
  readonly status: number
  /** `unknown` where the answer is no problem of the service: a proxy gave it, say. */
  readonly code: ProblemCode | 'unknown'
  /** Every bad field of the request; empty where it is not about fields. */
  readonly errors: ReadonlyArray<FieldError>
  /** What the service's log calls the request. */
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined

  /** Reads the body of an error response, which may be anything. */
  constructor({ status, retryAfter }: Answered, body: unknown) {
    const problem = isObject(body) ? body : {}
    super(sentence(status, problem))
    this.status = status
    this.code = (textOf(problem['code']) ?? 'unknown') as ProblemCode | 'unknown'
    this.errors = faultsOf(problem['errors'])
    this.requestId = textOf(problem['requestId'])
    this.retryAfter = retryAfter
  }
}

/** The service gave no access token, or did not take one back: RFC 6749 §5.2 (A4). */
export class TokenError extends Error implements Answered {
  override readonly name = 'TokenError'
  readonly status: number
  /** Such as `invalid_client` or `invalid_scope`; `unknown` where the answer has none. */
  readonly error: string
  readonly retryAfter: number | undefined

  /** Reads the body of an error response, which may be anything. */
  constructor({ status, retryAfter }: Answered, body: unknown) {
    const { error, error_description } = isObject(body) ? body : {}
    super(`${status}: ${textOf(error_description) ?? 'The answer is not one of the token endpoint.'}`)
    this.status = status
    this.error = textOf(error) ?? 'unknown'
    this.retryAfter = retryAfter
  }
}
