import { LANGUAGES } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'

/** Returns the codec of some literals, as the domain lists them. */
export const literals = <A extends string>(words: ReadonlyArray<A>): t.KeyofC<Record<A, null>> =>
  t.keyof(Object.fromEntries(words.map((word) => [word, null])) as Record<A, null>)

/** The language of a response. */
export const LANG = literals(LANGUAGES)

/** The status of an item in a response. */
export const STATUS = t.keyof({ Draft: null, Live: null, Archived: null })

/** Writes absent text as `""`, never as null, and never leaves it out (C2, G1). */
export const orEmpty: (text: O.Option<string>) => string = O.getOrElse(() => '')

/** Returns an integer as the codecs of responses have it; the domain has no other numbers. */
export const int = (count: number): t.Int => count as t.Int

/** Returns the codec of an object under its own name, as `{"label":{…}}`. */
export const under = <Name extends string, Fields extends t.Props>(name: Name, fields: Fields) =>
  t.strict({ [name]: t.strict(fields) } as Record<Name, t.ExactC<t.TypeC<Fields>>>)

/** The response to deleting a device token or a notification. */
export const SuccessJson = t.keyof({ success: null })

/** Returns the codec of a member that is left out where it was not asked for. */
export const optional = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.UndefinedC]> =>
  t.union([codec, t.undefined])
