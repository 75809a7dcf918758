import { runningAtOnce } from '@almoner/domain/values'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { done } from '../contracts/index.ts'

/** The same use cases for tests: each member runs at once, resolves to the value, and rejects with a failure as its `cause`. */
export type Acting<Area> = {
  readonly [Name in keyof Area]: Area[Name] extends (
    ...given: infer Given
  ) => TE.TaskEither<infer _Error, infer Value>
    ? (...given: Given) => Promise<Value>
    : Acting<Area[Name]>
}

/** Adapts use cases to promises of their values. */
export const acting = <Area extends object>(area: Area): Acting<Area> =>
  runningAtOnce(area, done) as Acting<Area>
