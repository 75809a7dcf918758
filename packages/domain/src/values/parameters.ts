import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Refined } from './refined.ts'

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

/** The parameters of one operation. Holds its shape so that schemas can be derived from it. */
export class Parameters<R extends t.Props, O extends t.Props> extends t.Type<
  ParametersOf<R, O>,
  unknown,
  unknown
> {
  readonly shape: Shape<R, O>

  constructor(shape: Shape<R, O>, validate: t.Validate<unknown, ParametersOf<R, O>>) {
    const is = (u: unknown): u is ParametersOf<R, O> => E.isRight(validate(u, []))
    super(shape.name, is, validate, t.identity)
    this.shape = shape
  }
}

/** Whether a value says no more than nothing would (B2). */
export const countsAsAbsent = (value: unknown, codec: t.Mixed): boolean =>
  value === undefined ||
  value === null ||
  (value === '' && !(codec instanceof Refined && codec.facets.emptyHasMeaning === true))

const notOneValue = (value: object): string =>
  Array.isArray(value) ? 'must be given once' : 'must be a single value'

/** Why a value that is present cannot be read as text; undefined when it can. */
const whyUnreadable = (value: unknown): string | undefined => {
  if (typeof value === 'object' && value !== null) return notOneValue(value)
  // What JSON said has been lost by now: the text would be another number's.
  const isLost = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
  return isLost ? 'must be given as text: the number is too large' : undefined
}

/** The known values that are present, as text, and a sentence for each that is not one value. */
const sortOut = (raw: RawParameters, props: t.Props) => {
  const present: Record<string, string> = {}
  const unreadable = new Map<string, string>()
  for (const [key, codec] of Object.entries(props)) {
    const value = Object.hasOwn(raw, key) ? raw[key] : undefined
    if (countsAsAbsent(value, codec)) continue
    const why = whyUnreadable(value)
    if (why === undefined) present[key] = String(value)
    else unreadable.set(key, why)
  }
  return { present, unreadable }
}

/**
 * The one way to describe an operation's parameters. Unknown names are ignored; null and, unless a codec gives it a
 * meaning, the empty text count as absent (B2); numbers and booleans are read as their text (B1); every fault is named.
 */
export const parameters = <R extends t.Props, O extends t.Props>(shape: Shape<R, O>): Parameters<R, O> => {
  const props: t.Props = { ...shape.optional, ...shape.required }
  const codec = t.exact(t.intersection([t.type(shape.required), t.partial(shape.optional)]))
  return new Parameters(shape, (input, context) => {
    const raw = input as RawParameters
    const { present, unreadable } = sortOut(shape.prepare === undefined ? raw : shape.prepare(raw), props)
    const error = (key: string, message: string): t.ValidationError => ({
      value: undefined,
      context: [...context, { key, type: props[key] ?? t.unknown }],
      message,
    })
    const decoded = codec.validate(present, context)
    const errors = [
      ...[...unreadable].map(([key, message]) => error(key, message)),
      ...(E.isLeft(decoded) ? decoded.left : []).filter(
        (e) => !e.context.some(({ key }) => unreadable.has(key)),
      ),
      ...(shape.conditions ?? [])
        .filter(({ field, unmet }) => !unreadable.has(field) && unmet(present))
        .map(({ field, message }) => error(field, message)),
    ]
    return errors.length === 0 ? (decoded as t.Validation<ParametersOf<R, O>>) : t.failures(errors)
  })
}
