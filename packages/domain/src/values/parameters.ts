import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import * as t from 'io-ts'
import { isRefined, readsList } from './refined.ts'

/** Values as they arrive, by name. An array means that the parameter was given more than once. */
export type RawParameters = Readonly<Record<string, unknown>>

/** A demand that looks at more than one parameter; `unmet` sees each that is present as text. */
export interface Condition {
  readonly field: string
  readonly message: string
  /** Whether the demand is not met. */
  readonly unmet: (present: Readonly<Record<string, string>>) => boolean
}

/** What an operation takes. */
export interface Shape<R extends t.Props, O extends t.Props> {
  readonly name: string
  readonly required: R
  readonly optional: O
  readonly conditions?: ReadonlyArray<Condition>
  /** Drops what does not count before anything is looked at, as `offset` without `lim` (B4). */
  readonly prepare?: (raw: RawParameters) => RawParameters
}

/** What decoding parameters of this shape gives: the required ones, and those of the optional ones that are present. */
export type ParametersOf<R extends t.Props, O extends t.Props> = {
  readonly [K in keyof R]: t.TypeOf<R[K]>
} & { readonly [K in keyof O]?: t.TypeOf<O[K]> | undefined }

/** A parameter's name and codec, and whether it has to be there. */
type Field = readonly [key: string, codec: t.Mixed, isRequired: boolean]

const fieldsOf = ({ required, optional }: Shape<t.Props, t.Props>): ReadonlyArray<Field> => [
  ...Object.entries(required).map(([key, codec]): Field => [key, codec, true]),
  ...Object.entries(optional).map(([key, codec]): Field => [key, codec, false]),
]

/** The parameters of one operation. Holds its shape so that schemas can be derived from it. */
export class Parameters<R extends t.Props, O extends t.Props> extends t.Type<
  ParametersOf<R, O>,
  unknown,
  unknown
> {
  readonly shape: Shape<R, O>
  /** Its parameters one by one, required ones first. */
  readonly fields: ReadonlyArray<Field>

  constructor(
    shape: Shape<R, O>,
    fields: ReadonlyArray<Field>,
    validate: t.Validate<unknown, ParametersOf<R, O>>,
  ) {
    const is = (u: unknown): u is ParametersOf<R, O> => E.isRight(validate(u, []))
    super(shape.name, is, validate, t.identity)
    this.shape = shape
    this.fields = fields
  }
}

/** Whether a value says no more than nothing would (B2). */
export const countsAsAbsent = (value: unknown, codec: t.Mixed): boolean =>
  value === undefined ||
  value === null ||
  (value === '' && !(isRefined(codec) && codec.facets.emptyHasMeaning === true))

/** Stands for a list that a request gives more than once (B2): an array would be one list. */
export const REPEATED: unique symbol = Symbol('repeated')

const notOneValue = (value: unknown): string =>
  Array.isArray(value) || value === REPEATED ? 'must be given once' : 'must be a single value'

/** Why a value that is present cannot be read as text; undefined when it can. */
const whyUnreadable = (value: unknown): string | undefined => {
  if (value === REPEATED || (typeof value === 'object' && value !== null)) return notOneValue(value)
  // What JSON said has been lost by now: the text would be another number's.
  const isLost = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
  return isLost ? 'must be given as text: the number is too large' : undefined
}

/** The known values that are present, as text, and a sentence for each that is not one value. */
interface Sorted {
  readonly present: Readonly<Record<string, string>>
  /** The lists that are present as arrays. */
  readonly lists: ReadonlyMap<string, ReadonlyArray<unknown>>
  readonly unreadable: ReadonlyMap<string, string>
}

const sortOut = (raw: RawParameters, fields: ReadonlyArray<Field>): Sorted => {
  const present: Record<string, string> = {}
  const unreadable = new Map<string, string>()
  const lists = new Map<string, ReadonlyArray<unknown>>()
  for (const [key, codec] of fields) {
    const value = Object.hasOwn(raw, key) ? raw[key] : undefined
    if (countsAsAbsent(value, codec)) continue
    if (Array.isArray(value) && readsList(codec)) {
      lists.set(key, value)
      continue
    }
    const why = whyUnreadable(value)
    if (why === undefined) present[key] = String(value)
    else unreadable.set(key, why)
  }
  return { present, lists, unreadable }
}

const ABSENT = t.success(undefined)

/** The value of one parameter; undefined for an optional one that is absent. */
const readOne = (
  [key, codec, isRequired]: Field,
  { present, lists, unreadable }: Sorted,
  context: t.Context,
): t.Validation<unknown> => {
  const why = unreadable.get(key)
  if (why !== undefined) return t.failure(undefined, t.appendContext(context, key, codec), why)
  const text = lists.get(key) ?? present[key]
  if (text === undefined && !isRequired) return ABSENT
  const read = codec.validate(text, context)
  // Only errors need the name of the parameter.
  return E.isRight(read) ? read : codec.validate(text, t.appendContext(context, key, codec))
}

const unmetBy = (
  conditions: ReadonlyArray<Condition>,
  { present, unreadable }: Sorted,
  context: t.Context,
): t.Errors =>
  conditions
    .filter(({ field, unmet }) => !unreadable.has(field) && unmet(present))
    .map(({ field, message }) => ({
      value: undefined,
      context: t.appendContext(context, field, t.unknown),
      message,
    }))

/**
 * The one way to describe an operation's parameters. Unknown names are ignored; null and, unless a codec gives it a
 * meaning, the empty text count as absent (B2); numbers and booleans are read as their text (B1); every fault is named.
 */
export const parameters = <R extends t.Props, O extends t.Props>(shape: Shape<R, O>): Parameters<R, O> => {
  const fields = fieldsOf(shape)
  const { prepare = (raw) => raw, conditions = [] } = shape
  return new Parameters(shape, fields, (input, context) => {
    const sorted = sortOut(prepare(input as RawParameters), fields)
    const values: Record<string, unknown> = {}
    const errors: Array<t.ValidationError> = []
    for (const field of fields) {
      const read = readOne(field, sorted, context)
      if (E.isLeft(read)) errors.push(...read.left)
      else if (read.right !== undefined) values[field[0]] = read.right
    }
    errors.push(...unmetBy(conditions, sorted, context))
    return errors.length === 0 ? t.success(values as ParametersOf<R, O>) : t.failures(errors)
  })
}

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

/** One parameter of a request that is refused anyway: undefined when it is left out or cannot be read. */
export const readField = <A>(
  codec: t.Type<A, unknown, unknown>,
  raw: RawParameters,
  field: string,
): A | undefined => {
  const read = decode(parameters({ name: field, required: {}, optional: { value: codec } }))({
    value: raw[field],
  })
  return E.isRight(read) ? read.right.value : undefined
}
