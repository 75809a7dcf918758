import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Result, toResult } from './result.ts'

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
