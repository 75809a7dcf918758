import type { Unavailable } from '@almoner/domain'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'

/** Why a command did not do its work, in lines for a person: it went wrong, or it was asked for wrongly. */
export interface Failure {
  readonly _tag: 'Failed' | 'Misused'
  readonly lines: ReadonlyNonEmptyArray<string>
}

export const failed = (...lines: ReadonlyNonEmptyArray<string>): Failure => ({ _tag: 'Failed', lines })

export const misused = (...lines: ReadonlyNonEmptyArray<string>): Failure => ({ _tag: 'Misused', lines })

/** How a process ends: done, failed, wrong usage. */
export type ExitCode = 0 | 1 | 2

export const EXIT_CODES: Readonly<Record<Failure['_tag'], ExitCode>> = { Failed: 1, Misused: 2 }

/** The one line of any thrown value. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** SQLite's words for a fault of the disk are few; its code says which it was. */
const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && String(cause.code).startsWith('SQLITE_')
    ? ` (${cause.code})`
    : ''

/** What was wanted of the world and could not be had. */
export const notAvailable =
  (what: string) =>
  ({ _tag, cause }: Unavailable): Failure =>
    _tag === 'OutcomeUnknown'
      ? failed(
          `It is not known whether this was done. Look before you repeat it. ${what}: ${messageOf(cause)}`,
        )
      : failed(`${what} is not available: ${messageOf(cause)}${codeOf(cause)}`)
