import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type * as t from 'io-ts'
import {
  decode,
  type FieldError,
  fieldError,
  type Parameters,
  type RawParameters,
  type ValidationFailed,
  validationFailed,
} from './parameters.ts'

/** A result for code that does not use fp-ts: a value, or one of the failures in its type. */
export type Result<Error, Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Error }

/** Turns an `Either` into a {@link Result}. */
export const toResult = <Error, Value>(either: E.Either<Error, Value>): Result<Error, Value> =>
  E.isRight(either) ? { ok: true, value: either.right } : { ok: false, error: either.left }

/**
 * Runs a task that must succeed, such as opening a database at start, and resolves to its value. Rejects with an error that has the tag of the
 * failure as its message and the failure as its `cause`.
 */
export const orThrow = async <Failure extends { readonly _tag: string }, Value>(
  task: TE.TaskEither<Failure, Value>,
): Promise<Value> => {
  const result = await task()
  if (E.isRight(result)) return result.right
  throw new Error(result.left._tag, { cause: result.left })
}

/** The same use cases with plain results: each member runs at once and resolves to a {@link Result}. */
export type Promised<Area> = {
  readonly [Name in keyof Area]: Area[Name] extends (
    ...given: infer Given
  ) => TE.TaskEither<infer Error, infer Value>
    ? (...given: Given) => Promise<Result<Error, Value>>
    : Promised<Area[Name]>
}

type UseCase = (...given: ReadonlyArray<unknown>) => TE.TaskEither<unknown, unknown>

/**
 * Returns an object of the same shape whose members run the use cases of `area` at once.
 * @param area use cases, or further areas, by name
 * @param run runs the task of a use case
 */
export const runningAtOnce = (
  area: object,
  run: (task: TE.TaskEither<unknown, unknown>) => Promise<unknown>,
): object => {
  const atOnce = (member: unknown): unknown => {
    if (typeof member !== 'function') return runningAtOnce(member as object, run)
    const useCase = member as UseCase
    return async (...given: ReadonlyArray<unknown>) => run(useCase(...given))
  }
  return Object.fromEntries(Object.entries(area).map(([name, member]) => [name, atOnce(member)]))
}

/** Adapts use cases to promises of plain results. A promise rejects only after a bug. */
export const promised = <Area extends object>(area: Area): Promised<Area> =>
  runningAtOnce(area, async (task) => toResult(await task())) as Promised<Area>

/** Returns an error if a number or boolean stands for a value that is neither. HTTP reads it as text instead (B1). */
const typeError = (input: RawParameters, field: string, codec: t.Mixed): ReadonlyArray<FieldError> => {
  const value = input[field]
  if (typeof value !== 'number' && typeof value !== 'boolean') return []
  const decoded = codec.decode(String(value))
  const isOther = E.isRight(decoded) && typeof decoded.right !== typeof value
  return isOther ? [fieldError(field, `must not be a ${typeof value}`)] : []
}

const unknownNames = (input: RawParameters, known: ReadonlySet<string>): ReadonlyArray<FieldError> =>
  Object.keys(input)
    .filter((name) => !known.has(name))
    .map((name) => fieldError(name, 'is unknown'))

/**
 * Parses the input of a use case, and names every bad field (I1). Accepts the same values as the HTTP interface, with two differences that
 * catch mistakes in code: unknown names are errors, and a number or boolean is not read as text.
 *
 * ```ts
 * const post = parseInput(CreateFeedItem, { itemType: 'photo', itemTitle: 'A well', itemDescription: 'Clean water.' })
 * ```
 * @param codec the parameters of the use case, a constant with the name of its operation
 * @param input values by name; null and undefined count as absent
 */
export const parseInput = <R extends t.Props, O extends t.Props>(
  codec: Parameters<R, O>,
  input: { readonly [Name in keyof (R & O)]?: unknown },
): Result<ValidationFailed, t.TypeOf<Parameters<R, O>>> => {
  const decoded = decode(codec)(input)
  const [first, ...rest] = [
    ...(E.isLeft(decoded) ? decoded.left.errors : []),
    ...codec.fields.flatMap(([field, type]) => typeError(input, field, type)),
    ...unknownNames(input, new Set(codec.fields.map(([field]) => field))),
  ]
  return first === undefined ? toResult(decoded) : { ok: false, error: validationFailed([first, ...rest]) }
}

type Atom = string | number | boolean | null | undefined | Uint8Array

/** A value of the domain as plain data: an `Option` is its value or null, a set is an array. */
export type Plain<A> = A extends O.None
  ? null
  : A extends O.Some<infer Value>
    ? Plain<Value>
    : A extends Atom
      ? A
      : A extends ReadonlySet<infer Item>
        ? ReadonlyArray<Plain<Item>>
        : A extends ReadonlyArray<infer Item>
          ? ReadonlyArray<Plain<Item>>
          : { readonly [Name in keyof A]: Plain<A[Name]> }

const isTagged = (value: object, tag: 'None' | 'Some'): boolean => '_tag' in value && value._tag === tag

const plainOf = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (isTagged(value, 'None')) return null
  if (isTagged(value, 'Some') && 'value' in value) return plainOf(value.value)
  if (Array.isArray(value) || value instanceof Set) return [...value].map(plainOf)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainOf(member)]))
}

/**
 * Returns a value of the domain as plain data, for JSON and for code without fp-ts. Instants stay milliseconds since 1970 in UTC, which
 * `new Date(instant)` takes; calendar days stay `YYYY-MM-DD`.
 */
export const plain = <A>(value: A): Plain<A> => plainOf(value) as Plain<A>

/** Codes of the operating system for calls that a file system does not have, or allows to none of its users. macOS has two names for one. */
const CODES: ReadonlyArray<unknown> = ['EINVAL', 'EBADF', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM']

/**
 * Returns whether a file system refused a call that it need not have: flushing a folder, setting times or owners. A file is stored all the
 * same (D10). Other errors, such as EIO and ENOSPC, are faults.
 */
export const isRefusedCall = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'code' in error && CODES.includes(error.code)
