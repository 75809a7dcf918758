import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import type * as t from 'io-ts'

/** One thing wrong with one parameter; the message completes the sentence "<field> …" (I1). */
export interface FieldError {
  readonly field: string
  readonly message: string
}

/** At least one bad field, each named (I1). */
export type FieldErrors = RNEA.ReadonlyNonEmptyArray<FieldError>

/** The request is at fault; `errors` names every bad field at once (I1). */
export interface ValidationFailed {
  readonly _tag: 'ValidationFailed'
  readonly errors: FieldErrors
}

/** The refusal of a request with these bad fields: 400 (I1). */
export const validationFailed = (errors: FieldErrors): ValidationFailed => ({
  _tag: 'ValidationFailed',
  errors,
})

/** A bad field; `message` completes "<field> …" and repeats nothing of what was sent. */
export const fieldError = (field: string, message: string): FieldError => ({ field, message })

const fieldOf = (error: t.ValidationError): string =>
  error.context.map(({ key }) => key).find((key) => key !== '' && !/^\d+$/.test(key)) ?? ''

/** Converts io-ts errors: the field, and our own sentence instead of io-ts's text. */
export const fieldErrorsOf = (errors: t.Errors): ReadonlyArray<FieldError> =>
  errors.map((error) => fieldError(fieldOf(error), error.message ?? 'is not valid'))

/** Decodes with a codec, collecting every error. */
export const decode =
  <A>(codec: t.Type<A, unknown, unknown>) =>
  (input: unknown): E.Either<ValidationFailed, A> =>
    pipe(
      codec.decode(input),
      E.mapLeft((errors) => {
        const [first = fieldError('', 'is not valid'), ...rest] = fieldErrorsOf(errors)
        return validationFailed([first, ...rest])
      }),
    )
