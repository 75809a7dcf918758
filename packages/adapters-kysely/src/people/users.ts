import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Email, Unavailable } from '@almoner/domain'
import type { TimedAct } from '@almoner/domain/access'
import {
  type DeviceId,
  type ImportedUser,
  NO_ACTING_USER,
  type NoActingUser,
  newUser,
  type PreferenceChange,
  preferenceChanges,
  type UnknownTopics,
  type User,
  unknownTopics,
  withPreference,
} from '@almoner/domain/people'
import type { Users } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Selectable, type SqlBool, sql } from 'kysely'
import { makeHoldBinding } from '../access/tokens.ts'
import { lockedLabels } from '../content/labels.ts'
import { type Database, DatabaseUnavailable, type Db } from '../database/database.ts'
import { batchesOf, collection, findInLists, insertChunks, paddedInLists } from '../database/writes.ts'
import { recordAct, recordUserAct } from '../history.ts'
import type { PersonRow } from '../schema/device.table.ts'
import { pinRecipients, presentEpoch } from './audience.ts'

export type UserRow = Selectable<PersonRow>

/** The user that a row holds. */
export const userOf = ({ email, lang, subscribed, topics }: Omit<UserRow, 'epoch'>): User => ({
  email,
  lang,
  subscribed: subscribed === 1,
  topics: JSON.parse(topics),
})

/** The columns of a preference. */
const columnsOf = ({ lang, subscribed, topics }: Omit<User, 'email'>) =>
  ({
    lang,
    subscribed: subscribed ? 1 : 0,
    topics: JSON.stringify(topics),
  }) as const

/** Makes those of these users who are not there yet, and gives their emails. */
const addUsers = async (db: Db, users: ReadonlyArray<User>): Promise<ReadonlySet<Email>> => {
  const made = new Set<Email>()
  for (const block of insertChunks(users)) {
    const rows = await db
      .insertInto('person')
      .values(block.map((user) => ({ email: user.email, ...columnsOf(user) })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('email')
      .execute()
    for (const { email } of rows) made.add(email)
  }
  return made
}

export const lockedUsers = async (
  db: Db,
  emails: ReadonlyArray<Email>,
): Promise<ReadonlyMap<Email, User>> => {
  const rows = await findInLists(emails, (list) =>
    db.selectFrom('person').selectAll().where('email', 'in', list).orderBy('email').forUpdate().execute(),
  )
  return new Map(rows.map((row) => [row.email, userOf(row)]))
}

/** How often missing users are made: each further time needs another erasure at just that moment. */
const MOST_ROUNDS = 10

/**
 * Locks the rows of users until the transaction ends, and makes missing ones. A user can be erased between the look and the lock, and is
 * then made after all. Returns the emails of the made ones, and all users as they were found or made.
 * @throws DatabaseUnavailable after {@link MOST_ROUNDS}
 */
export const ensureUsers = async (
  db: Db,
  users: ReadonlyArray<User>,
): Promise<{ readonly made: ReadonlySet<Email>; readonly before: ReadonlyMap<Email, User> }> => {
  const made = new Set<Email>()
  const before = new Map<Email, User>()
  let missing = users
  for (let round = 0; missing.length > 0; round += 1) {
    if (round === MOST_ROUNDS) throw new DatabaseUnavailable('users are erased as often as they are made')
    for (const email of await addUsers(db, missing)) made.add(email)
    for (const [email, user] of await lockedUsers(
      db,
      missing.map(({ email }) => email),
    ))
      before.set(email, user)
    missing = missing.filter(({ email }) => !before.has(email))
  }
  return { made, before }
}

/** As {@link ensureUsers}, for one user. */
export const lockedUser = async (
  db: Db,
  otherwise: User,
): Promise<{ readonly isNew: boolean; readonly user: User }> => {
  const { made, before } = await ensureUsers(db, [otherwise])
  return { isNew: made.has(otherwise.email), user: before.get(otherwise.email) ?? otherwise }
}

/** Users by their preference. */
export const byPreference = (users: ReadonlyArray<User>): Iterable<ReadonlyArray<User>> => {
  const groups = new Map<string, Array<User>>()
  for (const user of users) {
    const key = JSON.stringify(columnsOf(user))
    groups.set(key, [...(groups.get(key) ?? []), user])
  }
  return groups.values()
}

/** Adds the rows by which a device is found by the topics of its subscribed user (F6). */
export const addFollows = async (
  db: Db,
  { lang, subscribed, topics }: User,
  devices: ReadonlyArray<DeviceId>,
): Promise<void> => {
  if (!subscribed) return
  const rows = devices.flatMap((device_id) => topics.map((label_id) => ({ label_id, lang, device_id })))
  for (const block of insertChunks(rows)) await db.insertInto('follow').values(block).execute()
}

/** Lets users who were just made be known since the present epoch (F7). To be called within it. */
export const knowSince = async (db: Db, emails: Iterable<Email>, epoch: number): Promise<void> => {
  for (const list of paddedInLists([...emails]))
    await db.updateTable('person').set({ epoch }).where('email', 'in', list).execute()
}

/**
 * Gives users another preference in an epoch. Keeps the language and the topics that they had, if notifications may have started under them
 * (F7).
 */
const replacePreference = async (
  db: Db,
  emails: ReadonlyArray<Email>,
  user: User,
  epoch: number,
): Promise<void> => {
  const columns = columnsOf(user)
  const differs = sql<SqlBool>`(lang <> ${columns.lang} or topics <> ${columns.topics})`
  await db
    .insertInto('former_preference')
    .columns(['email', 'until_epoch', 'since_epoch', 'lang', 'topics'])
    .expression(({ selectFrom }) =>
      selectFrom('person')
        .select(['email', sql<number>`cast(${epoch} as bigint)`.as('until_epoch'), 'epoch', 'lang', 'topics'])
        .where('email', 'in', emails)
        .where('epoch', '<', epoch)
        .where(differs),
    )
    .execute()
  await db
    .updateTable('person')
    .set({ ...columns, epoch: sql<number>`case when ${differs} then ${epoch} else epoch end` })
    .where('email', 'in', emails)
    .execute()
}

/** Makes the devices of some users, all with this preference, repeat it; in an epoch, if that has changed. */
export const repeatPreference = async (
  db: Db,
  emails: ReadonlyArray<Email>,
  { user, epoch }: { readonly user: User; readonly epoch?: number },
): Promise<void> => {
  const { topics: _, ...columns } = columnsOf(user)
  const followed = db
    .selectFrom('device')
    .select('id')
    .where('email', 'in', emails)
    .where('follows_all', '=', 0)
  await db.deleteFrom('follow').where('device_id', 'in', followed).execute()
  const changed = db
    .updateTable('device')
    .set({ ...columns, follows_all: user.topics.length === 0 ? 1 : 0, ...(epoch !== undefined && { epoch }) })
    .where('email', 'in', emails)
  if (user.topics.length === 0) await changed.execute()
  else {
    const rows = await changed.returning('id').execute()
    await addFollows(
      db,
      user,
      rows.map(({ id }) => id),
    )
  }
}

/** Gives users who are there, and held still, other preferences than they had; their devices repeat them. */
export const rewriteUsers = async (db: Db, users: ReadonlyArray<User>): Promise<void> => {
  const epoch = await presentEpoch(db)
  await pinRecipients(db, { by: 'device.email', values: users.map(({ email }) => email) })
  for (const group of byPreference(users)) {
    const [user] = group
    if (user === undefined) continue
    for (const emails of paddedInLists(group.map(({ email }) => email))) {
      await replacePreference(db, emails, user, epoch)
      await repeatPreference(db, emails, { user, epoch })
    }
  }
}

/** Users written at a time, before the process yields to other work. */
export const PUT = 100

/** Users put in one transaction: it keeps notifications from being started, and on some engines all other writes waiting. */
const STEP = 1000

async function* everyUser(db: Db) {
  const read = (last: UserRow | undefined, most: number) =>
    db
      .selectFrom('person')
      .selectAll()
      .$if(last !== undefined, (query) => query.where('email', '>', (last as UserRow).email))
      .orderBy('email')
      .limit(most)
      .execute()
  for await (const rows of batchesOf<UserRow>(read)) yield rows.map(userOf)
}

const isOther = (user: User, before: User | undefined): boolean =>
  before === undefined || preferenceChanges(before, user).length > 0

/** Adds the users that are missing, and locks the others. Returns which it added, and which of the others get other preferences. */
const prepare = async (db: Db, users: ReadonlyArray<ImportedUser>) => {
  const { made, before } = await ensureUsers(
    db,
    users.map((user) => ({ ...user, topics: user.topics ?? [] })),
  )
  const whole = users.map((user) => ({
    ...user,
    topics: user.topics ?? before.get(user.email)?.topics ?? [],
  }))
  return { made, others: whole.filter((user) => isOther(user, before.get(user.email))) }
}

export const slices = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))

/** Of each email the user who came last; in one order, so that two who put the same users do not wait for each other. */
const distinct = (users: ReadonlyArray<ImportedUser>): ReadonlyArray<ImportedUser> =>
  [...new Map(users.map((user) => [user.email, user])).values()].sort((a, b) => (a.email < b.email ? -1 : 1))

/**
 * Holds the labels that users follow until the transaction ends, before users are locked. Returns the failure of topics that are no labels (F6).
 */
const holdTopics = async (
  db: Db,
  users: ReadonlyArray<Pick<ImportedUser, 'topics'>>,
): Promise<UnknownTopics | undefined> => {
  const named = [...new Set(users.flatMap(({ topics = [] }) => topics))]
  if (named.length === 0) return undefined
  const labels = await lockedLabels(db, named)
  return unknownTopics(users, (labelId) => labels.has(labelId))
}

/**
 * Stores users in one transaction. Locks all users before the epoch, as all writers do: otherwise the start of a notification could cause a
 * deadlock between a holder of the epoch and a holder of a user that waits for the epoch.
 */
const putStep = (
  database: Database,
  users: ReadonlyArray<ImportedUser>,
  act: TimedAct | undefined,
): TE.TaskEither<UnknownTopics | Unavailable, void> =>
  database.write(
    async (db): Promise<E.Either<UnknownTopics, void>> => {
      const unknown = await holdTopics(db, users)
      if (unknown !== undefined) return E.left(unknown)
      const others: Array<User> = []
      const added: Array<Email> = []
      for (const some of slices(users, PUT)) {
        const prepared = await prepare(db, some)
        others.push(...prepared.others)
        added.push(...prepared.made)
        await nextTurn()
      }
      if (added.length > 0) await knowSince(db, added, await presentEpoch(db))
      for (const some of slices(others, PUT)) {
        await rewriteUsers(db, some)
        await nextTurn()
      }
      if (added.length + others.length > 0) await recordAct(db, act, { kind: 'users', id: '' })
      return E.right(undefined)
    },
    { notify: ['people'] },
  )

const prefer = async (
  db: Db,
  email: Email,
  { change, act }: { readonly change: PreferenceChange; readonly act: TimedAct | undefined },
): Promise<User> => {
  const fresh = withPreference(newUser(email), change)
  const { isNew, user: before } = await lockedUser(db, fresh)
  const user = withPreference(before, change)
  if (isNew) await knowSince(db, [email], await presentEpoch(db))
  if (isOther(user, before)) await rewriteUsers(db, [user])
  const changes = preferenceChanges(isNew ? undefined : before, user)
  if (changes.length > 0) await recordUserAct(db, act, email, changes)
  return user
}

/** Users and what they prefer (F1, F2). */
export const makeUsers = (database: Database): Users => {
  const holdBinding = makeHoldBinding()
  return {
    find: (email) =>
      database.read(async (db): Promise<O.Option<User>> => {
        const row = await db.selectFrom('person').selectAll().where('email', '=', email).executeTakeFirst()
        return O.map(userOf)(O.fromNullable(row))
      }),

    all: () => collection(database, everyUser),

    prefer: (email, change, act) =>
      database.write(
        async (db): Promise<E.Either<NoActingUser | UnknownTopics, User>> => {
          if (!(await holdBinding(db, act))) return E.left(NO_ACTING_USER)
          const unknown = await holdTopics(db, [change])
          return unknown === undefined ? E.right(await prefer(db, email, { change, act })) : E.left(unknown)
        },
        { notify: ['people'] },
      ),

    putAll: (users, act) =>
      pipe(
        slices(distinct(users), STEP),
        TE.traverseSeqArray((some) => putStep(database, some, act)),
        TE.map(() => undefined),
      ),
  }
}
