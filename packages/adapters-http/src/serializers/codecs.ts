import { type Facets, LANGUAGES, Refined, refined } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'

/** Returns the codec of some literals, as the domain lists them. With a name the OpenAPI document has them once (I7). */
export const literals = <A extends string>(
  words: ReadonlyArray<A>,
  name?: string,
): t.KeyofC<Record<A, null>> =>
  t.keyof(Object.fromEntries(words.map((word) => [word, null])) as Record<A, null>, name)

/** The language of a response. */
export const LANG = literals(LANGUAGES, 'Language')

/** The status of an item in a response. */
export const STATUS = literals(['Draft', 'Live', 'Archived'], 'ItemStatus')

/** Returns the codec of a text of responses, with its description, an example and perhaps a format for the OpenAPI document (I7). */
export const text = (
  description: string,
  example: string,
  facets: Partial<Facets> = {},
): t.Type<string, string, unknown> =>
  refined<string>('Text', E.right, { type: 'string', description, example, ...facets })

/** Returns the codec of a text of responses, described and with the example as the domain's codec of the value (I7). */
export const textLike = (
  { facets: { description, example = '' } }: { readonly facets: Facets },
  facets: Partial<Facets> = {},
): t.Type<string, string, unknown> => text(description, String(example), facets)

/** Returns the codec of a text of responses that {@link textLike} describes, or `""`. */
export const emptyOr = (codec: { readonly facets: Facets }): t.Type<string, string, unknown> =>
  textLike(codec, { description: `${codec.facets.description.replace(/\.$/, '')}, or empty.` })

/** Returns the codec of a whole number of responses, with its description and an example (I7). */
export const count = (description: string, example: number): t.Type<number, number, unknown> =>
  new Refined<number>('Count', t.Int.is, t.Int.validate, { type: 'integer', description, example })

/** Returns the codec of a UUID of responses. */
export const uuid = (description: string): t.Type<string, string, unknown> =>
  text(description, '01a20fe0-4e96-75a3-95a0-1dce6da740ae', { format: 'uuid' })

/** A moment in RFC 3339, in UTC. */
export const TIME = text('Moment in UTC.', '2026-05-01T09:30:00.000Z', { format: 'date-time' })

/** A moment in RFC 3339, in UTC, or `""`. */
export const TIME_OR_EMPTY = t.union([TIME, literals([''])])

/** An absolute URL. */
export const URL_TEXT = text('Absolute URL.', 'https://example.org/report', { format: 'uri' })

/** An absolute URL of an image, or `""`. */
export const IMAGE_URL = text(
  'Absolute URL of the image, or empty.',
  'https://api.example.org/static/media/XkA3b5Zq9f.jpg',
  { format: 'uri-reference' },
)

/** An absolute URL, or `""`, which is a reference as well (RFC 3986). */
export const URL_OR_EMPTY = text('Absolute URL, or empty.', 'https://example.org/report', {
  format: 'uri-reference',
})

/** Writes absent text as `""`, never as null, and never leaves it out (C2, G1). */
export const orEmpty: (text: O.Option<string>) => string = O.getOrElse(() => '')

/** Returns an integer as the codecs of responses have it; the domain has no other numbers. */
export const int = (count: number): t.Int => count as t.Int

/** Returns a word with a capital, as the names of schemas have it. */
export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/**
 * Returns the codec of an object under its own name, as `{"label":{…}}`.
 * @param title the name of the object in the OpenAPI document (I7)
 */
export const under = <Name extends string, Fields extends t.Props>(
  name: Name,
  fields: Fields,
  title: string = capitalized(name),
) =>
  t.strict({ [name]: t.strict(fields, title) } as Record<Name, t.ExactC<t.TypeC<Fields>>>, `${title}Wrapper`)

/** The response to deleting a device token or a notification. */
export const SuccessJson = literals(['success'])

/** Returns the codec of a member that is left out where it was not asked for. */
export const optional = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.UndefinedC]> =>
  t.union([codec, t.undefined])
