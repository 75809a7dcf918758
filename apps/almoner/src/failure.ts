import type { Unavailable } from '@almoner/domain'
import { isUnavailable, unavailable } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** How a process ends: done, failed, wrong usage. */
export type ExitCode = 0 | 1 | 2

/** Ends a command without a result, in lines for a person. Commands throw it, and so does the composition when it cannot open a part. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly lines: ReadonlyArray<string>
  readonly exitCode: ExitCode

  constructor(lines: ReadonlyArray<string>, exitCode: ExitCode = 1) {
    super(lines.join('; '))
    this.lines = lines
    this.exitCode = exitCode
  }
}

/** Makes the error of a command that did not succeed. */
export const failed = (...lines: ReadonlyArray<string>): CommandFailed => new CommandFailed(lines)

/** Makes the error of a command that was called wrongly. */
export const misused = (...lines: ReadonlyArray<string>): CommandFailed => new CommandFailed(lines, 2)

/** Returns the message of any thrown value. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** SQLite's messages about the disk are short; the code says which fault it was. */
const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && String(cause.code).startsWith('SQLITE_')
    ? ` (${cause.code})`
    : ''

/** Makes the error for a system that could not be used. */
export const notAvailable =
  (what: string) =>
  ({ _tag, cause }: Unavailable): CommandFailed =>
    _tag === 'OutcomeUnknown'
      ? failed(
          `It is not known whether this was done. Look before you repeat it. ${what}: ${messageOf(cause)}`,
        )
      : failed(`${what} is not available: ${messageOf(cause)}${codeOf(cause)}`)

/** Makes the error for a database that could not be used. */
export const databaseNotAvailable = notAvailable('the database')

/** Makes a `CommandFailed` of an error that the iteration over a collection throws; undefined for a bug. */
export const outageOf = (error: unknown): CommandFailed | undefined =>
  error instanceof Error && '_tag' in error && isUnavailable({ _tag: String(error._tag) })
    ? databaseNotAvailable(unavailable(error.cause))
    : undefined

/** Returns the value, or throws the error that `toError` makes of the failure. */
export const orThrow = <L, A>(result: E.Either<L, A>, toError: (failure: L) => Error): A => {
  if (E.isLeft(result)) throw toError(result.left)
  return result.right
}

/** Resolves to the value of a task, or rejects with the error that `toError` makes of its failure. */
export const orFail = async <L, A>(task: TaskEither<L, A>, toError: (failure: L) => Error): Promise<A> =>
  orThrow(await task(), toError)

/** Resolves to the value of a task on the database, or rejects because the database is not available. */
export const fromDatabase = <A>(task: TaskEither<Unavailable, A>): Promise<A> =>
  orFail(task, databaseNotAvailable)
