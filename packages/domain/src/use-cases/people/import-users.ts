import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { User } from '../../people/user.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { Email } from '../../values/email.ts'
import { decode, type FieldFaults, type Invalid } from '../../values/faults.ts'
import { Language } from '../../values/language.ts'
import { parameters, type RawParameters } from '../../values/parameters.ts'
import { YesNo } from '../../values/yes-no.ts'

/** One row of a file of users (F2). */
const UserRow = parameters({
  name: 'UserRow',
  required: { email: Email, lang: Language, subscribed: YesNo },
  optional: {},
})

/** The columns of a file of users, all required (F2). */
export const USER_COLUMNS: ReadonlyArray<string> = Object.keys(UserRow.shape.required)

/** What is wrong with one row of a file. */
export interface BadRow {
  /** The row's place among the rows, from 0. */
  readonly row: number
  readonly faults: FieldFaults
}

/** Rows of a file are at fault; every one of them is named, and nothing has changed. */
export interface BadRows {
  readonly _tag: 'BadRows'
  readonly rows: ReadonlyArray<BadRow>
}

const repeats = (users: ReadonlyArray<E.Either<Invalid, User>>): ReadonlyArray<BadRow> => {
  const seen = new Set<Email>()
  return users.flatMap((user, row): ReadonlyArray<BadRow> => {
    if (E.isLeft(user)) return []
    if (seen.has(user.right.email))
      return [{ row, faults: [{ field: 'email', message: 'comes a second time' }] }]
    seen.add(user.right.email)
    return []
  })
}

/** The users that rows describe, or every row that is at fault, in order. */
export const readUsers = (rows: ReadonlyArray<RawParameters>): E.Either<BadRows, ReadonlyArray<User>> => {
  const users = rows.map((row): E.Either<Invalid, User> => decode(UserRow)(row))
  const bad = users.flatMap(
    (user, row): ReadonlyArray<BadRow> => (E.isLeft(user) ? [{ row, faults: user.left.faults }] : []),
  )
  const all = [...bad, ...repeats(users)].sort((a, b) => a.row - b.row)
  return all.length === 0
    ? E.right(users.flatMap((user) => (E.isRight(user) ? [user.right] : [])))
    : E.left({ _tag: 'BadRows', rows: all })
}

/** Makes or replaces all users that rows describe, or none of them (F2). Gives how many. */
export const makeImportUsers =
  (ports: Pick<Ports, 'users'>) =>
  (rows: ReadonlyArray<RawParameters>): TE.TaskEither<BadRows | Unavailable, number> =>
    pipe(
      TE.fromEither<BadRows | Unavailable, ReadonlyArray<User>>(readUsers(rows)),
      TE.flatMap((users) =>
        pipe(
          ports.users.putAll(users),
          TE.map(() => users.length),
        ),
      ),
    )
