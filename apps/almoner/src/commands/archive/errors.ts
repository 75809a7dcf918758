import { DatabaseUnavailable } from '@almoner/adapters-kysely'
import type { Unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failed, messageOf, notAvailable } from '../../cli/failure.ts'
import { progressOn, type Terminal } from '../../cli/terminal.ts'

/** What is wrong with an archive, or keeps one from being written: a sentence about its file. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

/** A failure of a command that plain async code throws. */
class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.lines.join('\n'))
    this.failure = failure
  }
}

/** Resolves to the value of a task, or throws its error as a failure of the command. */
export const orFail = async <L, A>(
  task: TE.TaskEither<L, A>,
  toFailure: (error: L) => Failure,
): Promise<A> => {
  const done = await task()
  if (E.isRight(done)) return done.right
  throw new CommandFailed(toFailure(done.left))
}

/** Makes a failure that says why something could not be done. */
export const because =
  (what: string) =>
  ({ cause }: Unavailable): Failure =>
    failed(`${what}: ${messageOf(cause)}`)

/** Runs plain async code about an archive, and then clears the progress. What the archive, the disk or the database refuses is a failure. */
export const aboutArchive = <A>(
  { file, terminal }: { readonly file: string; readonly terminal: Terminal },
  work: () => Promise<A>,
): TE.TaskEither<Failure, A> =>
  TE.tryCatch(
    () => work().finally(() => progressOn(terminal)('')),
    (cause) => {
      if (cause instanceof CommandFailed) return cause.failure
      if (cause instanceof DatabaseUnavailable) return notAvailable('the database')(cause)
      if (cause instanceof ArchiveError) return failed(`${file} ${cause.message}`)
      if (cause instanceof Error && 'code' in cause) return failed(`${file}: ${messageOf(cause)}`)
      throw cause
    },
  )

/** The greatest number of errors of one archive that are reported. */
export const MAX_ERRORS = 100

/** Collects what is wrong with an archive. */
export interface ErrorReport {
  /** Adds a line about something else. */
  readonly line: (line: string) => void
  /** Adds a sentence about the archive. */
  readonly add: (sentence: string) => void
  /** Adds a sentence about one of its entries, which begins with that entry's name. */
  readonly inside: (sentence: string) => void
  readonly isEmpty: () => boolean
  /** Throws a failure with all lines, if there are any. */
  readonly throwIfAny: () => void
  /** Adds the {@link ArchiveError} that ends a verification early, and throws if there are any lines. */
  readonly complete: <A>(verification: Promise<A>) => Promise<A>
}

/** Makes an empty report about a file. */
export const makeErrorReport = (file: string): ErrorReport => {
  const lines: Array<string> = []
  let more = 0
  const line = (text: string): void => {
    if (lines.length < MAX_ERRORS) lines.push(text)
    else more += 1
  }
  const throwIfAny = (): void => {
    const [first, ...rest] = more === 0 ? lines : [...lines, `${file}: and ${more} more`]
    if (first !== undefined) throw new CommandFailed(failed(first, ...rest))
  }
  return {
    line,
    add: (sentence) => line(`${file} ${sentence}`),
    inside: (sentence) => line(`${file}: ${sentence}`),
    isEmpty: () => lines.length === 0,
    throwIfAny,
    complete: async (verification) => {
      try {
        return await verification
      } catch (cause) {
        if (!(cause instanceof ArchiveError)) throw cause
        line(`${file} ${cause.message}`)
        throw cause
      } finally {
        throwIfAny()
      }
    },
  }
}
