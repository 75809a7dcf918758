import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Act, ActedBy, Action } from '../access/acts.ts'
import { boundToOwnUser, type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import { Email, PathSegment } from '../values/addresses.ts'
import { LabelId } from '../values/ids.ts'
import {
  decode,
  type FieldError,
  type FieldErrors,
  fieldError,
  parameters,
  type RawParameters,
  type ValidationFailed,
  validationFailed,
} from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { BooleanParameter, listOf } from '../values/refined.ts'
import { Language } from '../values/text.ts'
import {
  actingUser,
  type ImportedUser,
  type NoActingUser,
  type UnknownTopics,
  USER_NOT_FOUND,
  type User,
  type UserNotFound,
  unknownTopics,
} from './model.ts'
import type { PeoplePorts } from './ports.ts'

/** Parameters of GET /user/<email>/notification/token and GET /user/<email>/notification/preference. */
export const OneUser = parameters({ name: 'OneUser', required: { email: PathSegment }, optional: {} })
export type OneUser = typeof OneUser._A

/** The operations for the user of a request. */
type ForUser = 'actForUser' | 'readInbox' | 'usePreference'

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
  operation: ForUser = 'actForUser',
): TE.TaskEither<E | InsufficientScope | ValidationFailed | NoActingUser, A> =>
  permitted(operation, caller)(() => withActingUser(caller, inPath, work))

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
  operation: ForUser = 'actForUser',
): TE.TaskEither<InsufficientScope | NoActingUser, ReadonlyArray<FieldError>> =>
  permitted(
    operation,
    caller,
  )(() => {
    const subject = actingUser(caller, String(raw['email']))
    if (E.isRight(subject)) return TE.right([])
    return subject.left._tag === 'ValidationFailed' ? TE.right(subject.left.errors) : TE.left(subject.left)
  })

/** Returns the language, the subscription and the topics of a user (F2, F3, F6). */
export const makeGetPreference =
  (ports: Pick<PeoplePorts, 'users'>) =>
  (
    caller: Caller,
    { email }: OneUser,
  ): TE.TaskEither<InsufficientScope | ValidationFailed | NoActingUser | UserNotFound | Unavailable, User> =>
    forActingUser(
      caller,
      email,
      (subject) =>
        pipe(
          ports.users.find(subject),
          TE.flatMap(TE.fromOption((): UserNotFound | Unavailable => USER_NOT_FOUND)),
        ),
      'usePreference',
    )

/** The most labels that a person may follow. */
const MOST_TOPICS = 1000

/** `topics`: identifiers of labels; the empty list follows everything (F6). */
export const Topics = listOf<LabelId>(
  'Topics',
  LabelId,
  MOST_TOPICS,
  'Identifiers of the labels that the user follows; empty for everything.',
)

/** Returns whether a text is the JSON of topics, as stores and archives have them. */
export const isTopicList = (text: string): boolean => {
  try {
    const topics: unknown = JSON.parse(text)
    return Array.isArray(topics) && Topics.is(topics) && JSON.stringify(topics) === text
  } catch {
    return false
  }
}

const UNKNOWN_TOPICS = 'must be identifiers of labels'

/** Parameters of PUT /user/<email>/notification/preference. */
export const SetPreference = parameters({
  name: 'SetPreference',
  required: { email: PathSegment },
  optional: { lang: Language, subscribed: BooleanParameter, topics: Topics },
})
export type SetPreference = typeof SetPreference._A

/** Changes a user's preference, and creates an unknown user. Omitted fields stay (F2); topics must be labels (F6). */
export const makeSetPreference =
  (ports: Pick<PeoplePorts, 'users' | 'clock'>) =>
  (
    caller: Caller,
    { email, lang, subscribed, topics }: SetPreference,
  ): TE.TaskEither<InsufficientScope | ValidationFailed | NoActingUser | Unavailable, User> =>
    forActingUser(
      caller,
      email,
      (subject) =>
        pipe(
          ports.users.prefer(
            subject,
            {
              ...(lang === undefined ? {} : { lang }),
              ...(subscribed === undefined ? {} : { subscribed }),
              ...(topics === undefined ? {} : { topics }),
            },
            { ...actingFor(caller, 'set-preference'), at: ports.clock.now() },
          ),
          TE.mapLeft((failure) =>
            failure._tag === 'UnknownTopics'
              ? validationFailed([fieldError('topics', UNKNOWN_TOPICS)])
              : failure,
          ),
        ),
      'usePreference',
    )

/** Truth values as spreadsheets write them in French. */
const FRENCH: ReadonlyMap<unknown, string> = new Map([
  ['VRAI', 'true'],
  ['FAUX', 'false'],
])

/** Returns the identifiers in a cell, which spaces separate; undefined without the column (F6). */
const topicsIn = (cell: unknown): unknown =>
  typeof cell === 'string' ? cell.split(/\s+/u).filter((one) => one !== '') : cell

/** One row of a file of users (F2). */
const UserRow = parameters({
  name: 'UserRow',
  required: { email: Email, lang: Language, subscribed: BooleanParameter },
  optional: { topics: Topics },
  prepare: (raw) => ({
    ...raw,
    subscribed: FRENCH.get(raw['subscribed']) ?? raw['subscribed'],
    topics: topicsIn(raw['topics']),
  }),
})

/** Returns the email of a row, ignoring other errors. */
const RowEmail = parameters({ name: 'RowEmail', required: {}, optional: { email: Email } })

/** The columns that a file of users must have (F2). */
export const REQUIRED_USER_COLUMNS: ReadonlyArray<string> = Object.keys(UserRow.shape.required)

/** The columns that a file of users may have (F2, F6). */
export const USER_COLUMNS: ReadonlyArray<string> = [
  ...REQUIRED_USER_COLUMNS,
  ...Object.keys(UserRow.shape.optional),
]

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
export const readUsers = (
  rows: ReadonlyArray<RawParameters>,
): E.Either<BadRows, ReadonlyArray<ImportedUser>> => {
  const repeating = repeats(rows)
  const users: Array<ImportedUser> = []
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

/** Returns each user whose topics are not all labels, as its row. */
const strangers = (users: ReadonlyArray<ImportedUser>, { labelIds }: UnknownTopics): BadRows => {
  const unknown = new Set(labelIds)
  const rows = users.flatMap(
    ({ topics = [] }, row): ReadonlyArray<BadRow> =>
      topics.some((labelId) => unknown.has(labelId))
        ? [{ row, errors: [fieldError('topics', UNKNOWN_TOPICS)] }]
        : [],
  )
  return { _tag: 'BadRows', rows }
}

/**
 * Makes or replaces all users, as {@link readUsers} gives them, and returns how many (F2). Rejects every row with a topic that is no label, and
 * changes nothing then (F6). After a fault it may be run again.
 */
export const makeImportUsers =
  (ports: Pick<PeoplePorts, 'users' | 'labels'>) =>
  (users: ReadonlyArray<ImportedUser>, by?: ActedBy): TE.TaskEither<BadRows | Unavailable, number> => {
    const rejected = (unknown: UnknownTopics): BadRows => strangers(users, unknown)
    return pipe(
      ports.labels.all(),
      TE.flatMap((labels): TE.TaskEither<BadRows | Unavailable, number> => {
        const known = new Set(labels.map(({ labelId }) => labelId))
        const unknown = unknownTopics(users, (labelId) => known.has(labelId))
        if (unknown !== undefined) return TE.left(rejected(unknown))
        return pipe(
          ports.users.putAll(users, by && { ...by, action: 'import-users' }),
          TE.bimap(
            (failure) => (failure._tag === 'UnknownTopics' ? rejected(failure) : failure),
            () => users.length,
          ),
        )
      }),
    )
  }
