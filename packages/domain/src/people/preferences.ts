import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Act, ActedBy, Action } from '../access/acts.ts'
import { boundToOwnUser, type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import { FeedCursor } from '../content/finding.ts'
import type { FeedItem } from '../content/model.ts'
import { Email, PathSegment } from '../values/addresses.ts'
import { dropOffsetWithoutLimit, Lim, Offset, pageRequest, type ResultSet } from '../values/page.ts'
import {
  decode,
  type FieldError,
  type FieldErrors,
  fieldError,
  parameters,
  type RawParameters,
  type ValidationFailed,
} from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { BooleanParameter } from '../values/refined.ts'
import { Language } from '../values/text.ts'
import { actingUser, type NoActingUser, USER_NOT_FOUND, type User, type UserNotFound } from './model.ts'
import type { PeoplePorts } from './ports.ts'

/** Parameters of GET /user/<email>/notification/token and GET /user/<email>/notification/preference. */
export const OneUser = parameters({ name: 'OneUser', required: { email: PathSegment }, optional: {} })
export type OneUser = typeof OneUser._A

/** Does the work for the user that a request is about (F3). Checks no scope. */
export const withActingUser = <E, A>(
  caller: Caller,
  inPath: string,
  work: (email: Email) => TE.TaskEither<E, A>,
): TE.TaskEither<E | ValidationFailed | NoActingUser, A> =>
  pipe(
    TE.fromEither<E | ValidationFailed | NoActingUser, Email>(actingUser(caller, inPath)),
    TE.flatMap((email): TE.TaskEither<E | ValidationFailed | NoActingUser, A> => work(email)),
  )

/** Does the work for the user that a request is about, if the caller may act for users (F3). */
export const forActingUser = <E, A>(
  caller: Caller,
  inPath: string,
  work: (email: Email) => TE.TaskEither<E, A>,
): TE.TaskEither<E | InsufficientScope | ValidationFailed | NoActingUser, A> =>
  permitted('actForUser', caller)(() => withActingUser(caller, inPath, work))

/**
 * Returns the act of a change for the user that a request is about. Unless the path named the user, the change is made only while the caller is
 * bound to that user (L1, F3).
 */
export const actingFor = (caller: Caller, action: Action): Act => ({
  actor: caller.actor,
  action,
  ...(caller.roles.has('user-manager') ? {} : boundToOwnUser(caller)),
})

/** Returns further errors of a rejected request about a user: a bad path, or a missing user (F2, F3). */
export const furtherUserErrors = (
  caller: Caller,
  raw: RawParameters,
): TE.TaskEither<InsufficientScope | NoActingUser, ReadonlyArray<FieldError>> =>
  permitted(
    'actForUser',
    caller,
  )(() => {
    const subject = actingUser(caller, String(raw['email']))
    if (E.isRight(subject)) return TE.right([])
    return subject.left._tag === 'ValidationFailed' ? TE.right(subject.left.errors) : TE.left(subject.left)
  })

/** Returns the language and the subscription of a user (F2, F3). */
export const makeGetPreference =
  (ports: Pick<PeoplePorts, 'users'>) =>
  (
    caller: Caller,
    { email }: OneUser,
  ): TE.TaskEither<InsufficientScope | ValidationFailed | NoActingUser | UserNotFound | Unavailable, User> =>
    forActingUser(caller, email, (subject) =>
      pipe(
        ports.users.find(subject),
        TE.flatMap(TE.fromOption((): UserNotFound | Unavailable => USER_NOT_FOUND)),
      ),
    )

/** Parameters of PUT /user/<email>/notification/preference. */
export const SetPreference = parameters({
  name: 'SetPreference',
  required: { email: PathSegment },
  optional: { lang: Language, subscribed: BooleanParameter },
})
export type SetPreference = typeof SetPreference._A

/** Changes a user's preference, and creates an unknown user. Omitted fields stay (F2). */
export const makeSetPreference =
  (ports: Pick<PeoplePorts, 'users' | 'clock'>) =>
  (
    caller: Caller,
    { email, lang, subscribed }: SetPreference,
  ): TE.TaskEither<InsufficientScope | ValidationFailed | NoActingUser | Unavailable, User> =>
    forActingUser(caller, email, (subject) =>
      ports.users.prefer(
        subject,
        {
          ...(lang === undefined ? {} : { lang }),
          ...(subscribed === undefined ? {} : { subscribed }),
        },
        { ...actingFor(caller, 'set-preference'), at: ports.clock.now() },
      ),
    )

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

/** Parameters of GET /user/<email>/feed. */
export const ListOwnPosts = parameters({
  name: 'ListOwnPosts',
  required: { email: PathSegment },
  optional: { lim: Lim, offset: Offset, lang: Language, after: FeedCursor },
  prepare: dropOffsetWithoutLimit,
})
export type ListOwnPosts = typeof ListOwnPosts._A

/** Lists the posts that a user created, in every state and newest first; none for an unknown user (L3). */
export const makeListOwnPosts =
  (ports: Pick<PeoplePorts, 'feedAuthors'>) =>
  (
    caller: Caller,
    { email, lang, ...page }: ListOwnPosts,
  ): TE.TaskEither<
    InsufficientScope | ValidationFailed | NoActingUser | Unavailable,
    ResultSet<FeedItem, FeedCursor>
  > =>
    forActingUser(caller, email, (subject) =>
      ports.feedAuthors.list({ email: subject, lang: O.fromNullable(lang) }, pageRequest(page)),
    )
