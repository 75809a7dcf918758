import type { Test } from 'tap'
import { PROBLEMS, type ProblemCode } from '../../src/index.ts'
import type { RawAnswer } from './raw.ts'

/** A problem as it came. */
export interface SeenProblem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ProblemCode
  readonly requestId: string
  readonly errors?: ReadonlyArray<{ readonly field: string; readonly message: string }>
}

/** A raw answer in the form in which fetch gives one. */
export const asResponse = ({ status, headers, body }: RawAnswer): Response =>
  new Response(status === 204 ? null : body, { status, headers })

/**
 * Checks that an answer is the problem of this code in every member that I1 names, with the headers that every answer has; gives
 * the problem.
 */
export const seeProblem = async (
  t: Test,
  response: Response,
  code: ProblemCode,
  about = '',
): Promise<SeenProblem> => {
  const problem = (await response.json()) as SeenProblem
  const { status, title } = PROBLEMS[code]
  const { errors, ...rest } = problem
  t.same(
    [response.status, { ...rest, detail: typeof rest.detail }],
    [
      status,
      {
        type: `urn:almoner:problem:${code}`,
        title,
        status,
        detail: 'string',
        code,
        requestId: response.headers.get('x-request-id'),
      },
    ],
    `${about} is ${status} ${code}`.trim(),
  )
  t.match(response.headers.get('content-type'), /^application\/problem\+json(;|$)/, `${about} problem+json`)
  t.equal(response.headers.get('api-version'), '1', `${about} API-Version`)
  const hasErrors = status === 400 || code === 'not_publishable'
  t.equal(Array.isArray(errors), hasErrors, `${about} has errors if it is 400 or lacks something (C15)`)
  t.not(problem.detail, '', `${about} has a detail`)
  return problem
}

/** The fields that a problem names, in alphabetical order. */
export const fieldsOf = ({ errors = [] }: SeenProblem): ReadonlyArray<string> =>
  errors.map(({ field }) => field).sort()
