import type { Unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { DatabaseUnavailable } from '../database/database.ts'

/** Why an archive was not written or not read, in lines for a person. */
export interface ArchiveRefused {
  readonly _tag: 'ArchiveRefused'
  readonly lines: ReadonlyArray<string>
}

/** An error of an archive: a sentence about its file. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

/** A failure that plain async code throws. */
export class ArchiveStopped extends Error {
  override readonly name = 'ArchiveStopped'
  readonly failure: ArchiveRefused | Unavailable

  constructor(failure: ArchiveRefused | Unavailable) {
    super(failure._tag)
    this.failure = failure
  }
}

/** Makes a failure of whole lines. */
export const refused = (...lines: ReadonlyArray<string>): ArchiveRefused => ({
  _tag: 'ArchiveRefused',
  lines,
})

/** Returns the message of any thrown value. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Resolves to the value of a task, or throws its failure: as an {@link ArchiveError} with a sentence, where one is given. */
export const orThrow = async <A>(task: TE.TaskEither<Unavailable, A>, sentence?: string): Promise<A> => {
  const done = await task()
  if (E.isRight(done)) return done.right
  if (sentence === undefined) throw new ArchiveStopped(done.left)
  throw new ArchiveError(`${sentence}: ${messageOf(done.left.cause)}`)
}

const failureOf = (file: string, cause: unknown): ArchiveRefused | Unavailable | undefined => {
  if (cause instanceof DatabaseUnavailable) return cause
  if (cause instanceof ArchiveStopped) return cause.failure
  if (cause instanceof ArchiveError) return refused(`${file} ${cause.message}`)
  return cause instanceof Error && 'code' in cause ? refused(`${file}: ${cause.message}`) : undefined
}

/** Runs plain async code about an archive. What the archive, the disk or the database refuses is a failure; all else is a bug. */
export const aboutArchive =
  <A>(file: string, work: () => Promise<A>): TE.TaskEither<ArchiveRefused | Unavailable, A> =>
  async () => {
    try {
      return E.right(await work())
    } catch (cause) {
      const failure = failureOf(file, cause)
      if (failure === undefined) throw cause
      return E.left(failure)
    }
  }

/** The greatest number of errors of one archive that are reported. */
export const MAX_ERRORS = 100

/** Collects the errors of an archive. */
export interface ErrorReport {
  /** Adds a whole line. */
  readonly line: (line: string) => void
  /** Adds a sentence about the archive. */
  readonly add: (sentence: string) => void
  /** Adds a sentence about one of its entries, which begins with that entry's name. */
  readonly inside: (sentence: string) => void
  /** Returns whether no error was added. */
  readonly isEmpty: () => boolean
  /** Throws {@link ArchiveStopped} with all lines, if there are any. */
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
    const all = more === 0 ? lines : [...lines, `${file}: and ${more} more`]
    if (all.length > 0) throw new ArchiveStopped(refused(...all))
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
