import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ActedBy } from '../../access/acts.ts'
import type { User } from '../../people/user.ts'
import type { PeoplePorts } from '../../ports/of-people.ts'
import { Email } from '../../values/addresses.ts'
import {
  decode,
  type FieldErrors,
  fieldError,
  parameters,
  type RawParameters,
} from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { BooleanParameter } from '../../values/refined.ts'
import { Language } from '../../values/text.ts'

/** Truth values as spreadsheets write them in French. */
const FRENCH: ReadonlyMap<unknown, string> = new Map([
  ['VRAI', 'true'],
  ['FAUX', 'false'],
])

/** One row of a file of users (F2). */
const UserRow = parameters({
  name: 'UserRow',
  required: { email: Email, lang: Language, subscribed: BooleanParameter },
  optional: {},
  prepare: (raw) => ({ ...raw, subscribed: FRENCH.get(raw['subscribed']) ?? raw['subscribed'] }),
})

/** Returns the email of a row, ignoring other errors. */
const RowEmail = parameters({ name: 'RowEmail', required: {}, optional: { email: Email } })

/** The columns of a file of users, all required (F2). */
export const USER_COLUMNS: ReadonlyArray<string> = Object.keys(UserRow.shape.required)

/** The errors of a row. */
export interface BadRow {
  /** The row's place among the rows, from 0. */
  readonly row: number
  readonly errors: FieldErrors
}

/** Rows of a file are at fault; every one of them is named, and nothing has changed. */
export interface BadRows {
  readonly _tag: 'BadRows'
  readonly rows: ReadonlyArray<BadRow>
}

/** Returns the rows whose email is in an earlier row, ignoring other errors. */
const repeats = (rows: ReadonlyArray<RawParameters>): ReadonlySet<number> => {
  const seen = new Set<Email>()
  const repeating = new Set<number>()
  for (const [row, raw] of rows.entries()) {
    const read = decode(RowEmail)(raw)
    const email = E.isRight(read) ? read.right.email : undefined
    if (email === undefined) continue
    if (seen.has(email)) repeating.add(row)
    seen.add(email)
  }
  return repeating
}

/** The users that rows describe, or every row that is at fault, in order. */
export const readUsers = (rows: ReadonlyArray<RawParameters>): E.Either<BadRows, ReadonlyArray<User>> => {
  const repeating = repeats(rows)
  const users: Array<User> = []
  const bad: Array<BadRow> = []
  for (const [row, raw] of rows.entries()) {
    const user = decode(UserRow)(raw)
    const own = E.isLeft(user) ? user.left.errors : []
    const [first, ...rest] = repeating.has(row)
      ? [...own, fieldError('email', 'comes a second time: keep one of the two rows')]
      : own
    if (first !== undefined) bad.push({ row, errors: [first, ...rest] })
    else if (E.isRight(user)) users.push(user.right)
  }
  return bad.length === 0 ? E.right(users) : E.left({ _tag: 'BadRows', rows: bad })
}

/** Makes or replaces all users, as {@link readUsers} gives them (F2). Gives how many. After a fault it may be run again. */
export const makeImportUsers =
  (ports: Pick<PeoplePorts, 'users'>) =>
  (users: ReadonlyArray<User>, by?: ActedBy): TE.TaskEither<Unavailable, number> =>
    pipe(
      ports.users.putAll(users, by && { ...by, action: 'import-users' }),
      TE.map(() => users.length),
    )
