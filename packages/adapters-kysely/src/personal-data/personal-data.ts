import type { Email, FeedItem } from '@almoner/domain'
import type { MediaName } from '@almoner/domain/media'
import type { DeviceId, DeviceToken } from '@almoner/domain/people'
import type { PersonalDelivery, PersonalRecord } from '@almoner/domain/personal-data'
import type { PersonalData, WaitingFeed } from '@almoner/domain/ports'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { sql } from 'kysely'
import { clientOf } from '../access/clients.ts'
import { hasPerson, scopesOf } from '../access/tokens.ts'
import { proposalsOf } from '../content/proposals.ts'
import { ownPosts } from '../content/tables.ts'
import { columnList, type Database, type Db, UNBOUNDED } from '../database/database.ts'
import { makeSelectRows } from '../database/ordered-table.ts'
import { findInLists, quietly } from '../database/writes.ts'
import { inboxDataOf } from '../delivery/inbox.ts'
import { deviceIdsOf } from '../delivery/retention.ts'
import { numberOf } from '../history.ts'
import { identityOfManager, passkeysOf, waitingFeedOf } from '../managers/credentials.ts'
import { managerOf } from '../managers/managers.ts'
import { passwordOf } from '../managers/passwords.ts'
import { copiesOf } from '../managers/working-copies.ts'
import { unrecorded } from '../people/audience.ts'
import { DEVICE_COLUMNS, deadDeviceOf, deviceOf } from '../people/devices.ts'
import { userOf } from '../people/users.ts'
import type { FeedItemRow } from '../schema/item.table.ts'
import { digestOfErased, erasePerson } from './erase.ts'
import { giveNumbers, matchingAddresses, peopleWith, withoutNumber } from './search.ts'

interface Found extends Pick<PersonalDelivery, 'state' | 'at'> {
  readonly delivery: number
  readonly device: DeviceId
}

const outcomesOf = async (db: Db, ids: ReadonlyArray<DeviceId>): Promise<ReadonlyArray<Found>> => {
  const rows = await findInLists(ids, (list) =>
    db
      .selectFrom('ledger')
      .selectAll()
      .where('delivery_id', 'in', ({ selectFrom }) =>
        selectFrom('delivery').select('id').where(sql<boolean>`has_rows = 1`),
      )
      .where('device_id', 'in', list)
      .execute(),
  )
  return rows.map(({ delivery_id, device_id, outcome, at }) => {
    return { delivery: delivery_id, device: device_id, state: outcome, at: O.some(at) }
  })
}

const retriesOf = async (db: Db, email: Email): Promise<ReadonlyArray<Found>> => {
  const rows = await db.selectFrom('retry').selectAll().where('email', '=', email).execute()
  return rows.map(({ delivery_id, device_id, due_at }) => {
    return { delivery: delivery_id, device: device_id, state: 'retry', at: O.some(due_at) }
  })
}

const pendingOf = async (db: Db, email: Email): Promise<ReadonlyArray<Found>> => {
  const pinned = await db
    .selectFrom('recipient_snapshot')
    .select(['delivery_id as id', 'device_id'])
    .where('email', '=', email)
    .execute()
  const unchanged = await unrecorded(db, 'device.email', [email]).execute()
  return [...pinned, ...unchanged].map(({ id, device_id }) => {
    return { delivery: id, device: device_id, state: 'pending', at: O.none }
  })
}

/** Returns the notifications for the devices of a person, by delivery and device. */
const deliveriesOf = async (
  db: Db,
  email: Email,
  tokens: ReadonlyMap<DeviceId, DeviceToken>,
): Promise<ReadonlyArray<PersonalDelivery>> => {
  const found = [
    ...(await pendingOf(db, email)),
    ...(await retriesOf(db, email)),
    ...(await outcomesOf(db, await deviceIdsOf(db, email))),
  ]
  // A snapshot stays when its device has a retry or an outcome, which come later in the list and replace it.
  const latest = new Map(found.map((one) => [`${one.delivery} ${one.device}`, one]))
  const ordered = [...latest.values()].sort((a, b) => a.delivery - b.delivery || a.device - b.device)
  const deliveries = await findInLists([...new Set(ordered.map(({ delivery }) => delivery))], (list) =>
    db.selectFrom('delivery').select(['id', 'notification_id']).where('id', 'in', list).execute(),
  )
  const notifications = new Map(deliveries.map(({ id, notification_id }) => [id, notification_id]))
  return ordered.map(({ delivery, device, state, at }) => ({
    notificationId: O.fromNullable(notifications.get(delivery)),
    token: O.fromNullable(tokens.get(device)),
    state,
    at,
  }))
}

const ALL = 2_147_483_647

/** Makes the reader of own posts, all of them. */
const makePostsOf = () => {
  const select = makeSelectRows(ownPosts)
  const columns = columnList(ownPosts.columns)
  return async (db: Db, email: Email): Promise<ReadonlyArray<FeedItem>> => {
    const slice = { after: O.none, most: ALL, offset: 0 }
    const rows = await select<FeedItemRow>(db, columns, { email, lang: O.none }, slice)
    return rows.map(ownPosts.fromRow)
  }
}

const responsesOf = async (db: Db, email: Email): Promise<PersonalRecord['responses']> => {
  const rows = await db
    .selectFrom('idempotency_key')
    .select(['client_id', 'used_at', 'body'])
    .where(({ and, eb, or }) => or([eb('email', '=', email), and([eb('person', '=', email), hasPerson])]))
    .orderBy('used_at')
    .execute()
  return rows.map(({ client_id, used_at, body }) => ({ clientId: client_id, at: used_at, body }))
}

/** Returns the access tokens of a person, without their digests (A10). */
const tokensOf = async (db: Db, email: Email): Promise<PersonalRecord['tokens']> => {
  const rows = await db
    .selectFrom('access_token')
    .select(['client_id', 'scopes', 'expires_at'])
    .where('email', '=', email)
    .orderBy('expires_at')
    .orderBy('digest')
    .execute()
  return rows.map(({ client_id, scopes, expires_at }) => ({
    clientId: client_id,
    scopes: scopesOf(scopes),
    expiresAt: expires_at,
  }))
}

/** Makes the reader of everything that is stored about a person (L2). */
const makeFindPerson = () => {
  const postsOf = makePostsOf()
  return async (db: Db, email: Email): Promise<PersonalRecord> => {
    const user = await db.selectFrom('person').selectAll().where('email', '=', email).executeTakeFirst()
    const manager = await db.selectFrom('manager').selectAll().where('email', '=', email).executeTakeFirst()
    const devices = await db
      .selectFrom('device')
      .select(DEVICE_COLUMNS)
      .where('email', '=', email)
      .orderBy('id')
      .execute()
    const dead = await db
      .selectFrom('dead_device')
      .selectAll()
      .where('email', '=', email)
      .orderBy('detached_at')
      .orderBy('id')
      .execute()
    const clients = await db
      .selectFrom('client')
      .selectAll()
      .where('email', '=', email)
      .orderBy('id')
      .execute()
    const number = await numberOf(db, email)
    return {
      user: O.map(userOf)(O.fromNullable(user)),
      ...(await inboxDataOf(db, email)),
      manager: O.map(managerOf)(O.fromNullable(manager)),
      number: O.fromNullable(number),
      passkeys: await passkeysOf(db, email),
      identity: await identityOfManager(db, email),
      password: await passwordOf(db, email),
      waitingFeed: O.map((feed: WaitingFeed) => feed.madeAt)(await waitingFeedOf(db, email)),
      workingCopies: await copiesOf(db, email),
      proposals: await proposalsOf(db, number),
      devices: devices.map(deviceOf),
      deadDevices: dead.map(deadDeviceOf),
      deliveries: await deliveriesOf(db, email, new Map(devices.map(({ id, token }) => [id, token]))),
      posts: await postsOf(db, email),
      clients: clients.map(clientOf),
      tokens: await tokensOf(db, email),
      responses: await responsesOf(db, email),
    }
  }
}

/** Writes only where a person has no number yet. */
const search =
  (database: Database): PersonalData['search'] =>
  (text, most) =>
    pipe(
      database.readSnapshot(async (db) => {
        const emails = await matchingAddresses(db, text, most)
        return { emails, unnumbered: await withoutNumber(db, emails) }
      }, UNBOUNDED),
      TE.tap(({ unnumbered }) =>
        unnumbered.length === 0
          ? TE.right(undefined)
          : quietly(database, (db) => giveNumbers(db, unnumbered)),
      ),
      TE.flatMap(({ emails }) => database.read((db) => peopleWith(db, emails))),
    )

/** Everything that is stored about people (L1, L2). */
export const makePersonalData = (database: Database): PersonalData => {
  const find = makeFindPerson()
  return {
    erase: (email, now, act, by) => {
      let forgotten: ReadonlyArray<MediaName> = []
      const onImages = (images: ReadonlyArray<MediaName>) => {
        forgotten = images
      }
      return pipe(
        database.erase(
          (db) => erasePerson(db, email, now, act && { ...act, at: now }, by, onImages),
          digestOfErased(email),
        ),
        TE.map(() => forgotten),
      )
    },
    find: (email) => database.readSnapshot((db) => find(db, email), UNBOUNDED),
    search: search(database),
    addressOf: (number) =>
      database.read(async (db) => {
        const row = await db
          .selectFrom('user_number')
          .select('email')
          .where('id', '=', number)
          .executeTakeFirst()
        return O.fromNullable(row?.email)
      }),
  }
}
