import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'

/** A text or number that only its codec makes: no other value is assignable to it. */
export type Branded<A, Name extends string> = t.Branded<A, { readonly [K in Name]: symbol }>

/** What JSON Schema can say of a value; schemas are derived from these, so that a rule and its schema cannot part. */
export interface Facets {
  readonly type: 'string' | 'integer' | 'array'
  readonly description: string
  readonly format?: string
  readonly pattern?: string
  readonly enum?: ReadonlyArray<string>
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  /** What an array holds, at most `maxItems` of them. */
  readonly items?: { readonly type: 'string' }
  readonly maxItems?: number
  readonly default?: string | number
  readonly example?: string | number
  /** Whether an empty text has a meaning instead of counting as absent (B2, B9, C6). */
  readonly emptyHasMeaning?: true
}

/** A codec that knows its facets. Its failures carry a sentence for the caller, never the value received. */
export class Refined<A> extends t.Type<A, A, unknown> {
  readonly _tag = 'Refined'
  readonly facets: Facets
  constructor(name: string, is: t.Is<A>, validate: t.Validate<unknown, A>, facets: Facets) {
    super(name, is, validate, t.identity)
    this.facets = facets
  }
}

/** Returns whether a codec knows its facets. Compares the tag, so that codecs of another copy of this package or of io-ts count too. */
export const isRefined = (codec: t.Mixed): codec is Refined<unknown> =>
  '_tag' in codec && codec._tag === 'Refined'

/**
 * Narrows text to a value of the domain.
 * @param name shown in type errors of codecs, never to callers
 * @param rule gives the value, or a sentence that completes "<field> …"
 */
export const refined = <A>(
  name: string,
  rule: (text: string) => E.Either<string, A>,
  facets: Facets,
): Refined<A> => {
  const validate: t.Validate<unknown, A> = (input, context) => {
    if (input === undefined) return t.failure(input, context, 'is required')
    if (typeof input !== 'string') return t.failure(input, context, 'must be text')
    const read = rule(input)
    return E.isLeft(read) ? t.failure(input, context, read.left) : read
  }
  return new Refined(name, (u): u is A => E.isRight(validate(u, [])), validate, facets)
}

/** Text that every engine and every device can hold: no U+0000, no lone surrogates (B6). */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** What {@link isStorable} refuses, as a sentence. */
export const NOT_STORABLE = 'must not contain U+0000 or lone surrogates'

/** The pattern of one space of any kind, or of a character that is not shown. */
export const BLANKS = '[\\p{White_Space}\\p{Cf}\\p{Default_Ignorable_Code_Point}]'

/** Text that is empty: nothing but spaces and characters that are not shown (B6). */
export const BLANK = new RegExp(`^${BLANKS}*$`, 'u')

/** The most marks in a row that are put into order: those of real texts are a handful. */
const MOST_MARKS = 64

const MARKS = /\p{M}+/gu

/** ASCII is the same in every form. */
const BEYOND_ASCII = /[^\0-\x7f]/

/**
 * Returns a text in a normal form, or as it is if it has more than 64 combining marks in a row: putting marks into order takes time that grows
 * with the square of their number.
 */
export const normalized = (form: 'NFC' | 'NFKC' | 'NFKD', text: string): string => {
  if (!BEYOND_ASCII.test(text)) return text
  for (const [marks] of text.matchAll(MARKS)) if (marks.length > MOST_MARKS) return text
  return text.normalize(form)
}

/** Text without any of these is NFC already: nothing below U+0300 has another form, or combines. */
const COMPOSED = /[\u0300-\uffff]/

/** Returns a text in NFC (B6, H5). */
export const nfcOf = (text: string): string => (COMPOSED.test(text) ? normalized('NFC', text) : text)

/** Text of 1 to `max` code points after NFC (B6). */
export const boundedText = <A extends string>(
  name: string,
  max: number,
  { description, example }: Pick<Facets, 'description' | 'example'>,
): Refined<A> =>
  refined(
    name,
    (sent) => {
      if (!isStorable(sent)) return E.left(NOT_STORABLE)
      const text = nfcOf(sent)
      if (BLANK.test(text)) return E.left('is required')
      // No text has more code points than code units.
      const isTooLong = text.length > max && [...text].length > max
      return isTooLong ? E.left(`must have at most ${max} characters`) : E.right(text as A)
    },
    {
      type: 'string',
      description,
      minLength: 1,
      maxLength: max,
      ...(example === undefined ? {} : { example }),
    },
  )

/**
 * A codec for optional text: the empty text removes the value (C6).
 * @param facets those of the codec when absent
 */
export const clearable = <A>(
  name: string,
  codec: Refined<A>,
  facets: Facets = codec.facets,
): Refined<O.Option<A>> =>
  refined<O.Option<A>>(
    name,
    (text) =>
      text === ''
        ? E.right(O.none)
        : pipe(
            codec.decode(text),
            E.bimap((errors) => errors[0]?.message ?? 'is not valid', O.some),
          ),
    { ...facets, emptyHasMeaning: true },
  )

const textsIn = (text: string): ReadonlyArray<string> => (text === '' ? [] : text.split(','))

/**
 * A codec for a list: an array, or a text with commas between the values. The empty text is the empty list; repeats count once (F6).
 * @param most the most distinct values
 */
export const listOf = <A extends string>(
  name: string,
  codec: Refined<A>,
  most: number,
  description: string,
): Refined<ReadonlyArray<A>> => {
  const validate: t.Validate<unknown, ReadonlyArray<A>> = (input, context) => {
    const given = typeof input === 'string' ? textsIn(input) : input
    if (!Array.isArray(given))
      return t.failure(input, context, input === undefined ? 'is required' : 'must be a list')
    const read = pipe(
      given,
      E.traverseArray((one) => codec.decode(typeof one === 'number' ? String(one) : one)),
    )
    if (E.isLeft(read)) return t.failure(input, context, read.left[0]?.message ?? 'is not valid')
    const values = [...new Set(read.right)]
    return values.length > most
      ? t.failure(input, context, `must have at most ${most} values`)
      : t.success(values)
  }
  return new Refined(name, (u): u is ReadonlyArray<A> => E.isRight(validate(u, [])), validate, {
    type: 'array',
    items: { type: 'string' },
    maxItems: most,
    description,
    emptyHasMeaning: true,
  })
}

/** Returns whether a codec reads a list, so that an array is one value. */
export const readsList = (codec: t.Mixed): boolean => isRefined(codec) && codec.facets.type === 'array'

/** A codec for one of a few names, matched exactly (B6). */
export const oneOf = <A extends string>(
  name: string,
  names: ReadonlyArray<A>,
  description: string,
): Refined<A> =>
  refined(
    name,
    (text) => {
      const found = names.find((candidate) => candidate === text)
      return found === undefined ? E.left(`must be one of ${names.join(', ')}`) : E.right(found)
    },
    { type: 'string', description, enum: names },
  )

/**
 * A codec for decimal numbers without a sign; leading zeros are fine (B4).
 * @param most at most 2^53 - 1, so that every number is exact
 */
export const integer = <A extends number = number>(
  name: string,
  least: number,
  most: number,
  description: string,
): Refined<A> =>
  refined<A>(
    name,
    (text) => {
      const value = Number(text)
      return /^\d+$/.test(text) && value >= least && value <= most
        ? E.right(value as A)
        : E.left(`must be a whole number from ${least} to ${most}`)
    },
    { type: 'integer', description, minimum: least, maximum: most },
  )

const MEANING: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false }

/** `subscribed`: `true`, `false`, `1` or `0`, in any case; JSON booleans too (F2). */
export const BooleanParameter = refined<boolean>(
  'BooleanParameter',
  (text) => {
    const word = text.toLowerCase()
    const meaning = Object.hasOwn(MEANING, word) ? MEANING[word] : undefined
    return meaning === undefined ? E.left('must be true or false') : E.right(meaning)
  },
  {
    type: 'string',
    description: '`true`, `false`, `1` or `0`, in any case.',
    pattern: '^([tT][rR][uU][eE]|[fF][aA][lL][sS][eE]|0|1)$',
    example: 'true',
  },
)

/** The fields of an editor as they were typed, by name. They may be invalid. */
export type TypedFields = Readonly<Record<string, string>>

const MOST_CHARACTERS = 262_144

const ERROR = 'must be the JSON text of an object whose values are texts'

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isFields = (value: unknown): value is TypedFields =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((one) => typeof one === 'string')

/** Reads the fields of an editor from their JSON text of at most 262,144 characters. */
export const TypedFields = refined<TypedFields>(
  'TypedFields',
  (text) => {
    if (text.length > MOST_CHARACTERS) return E.left(`must have at most ${MOST_CHARACTERS} characters`)
    const fields = parsed(text)
    return isFields(fields) ? E.right(fields) : E.left(ERROR)
  },
  {
    type: 'string',
    description: 'Fields as typed: the JSON text of an object of texts.',
    maxLength: MOST_CHARACTERS,
  },
)
