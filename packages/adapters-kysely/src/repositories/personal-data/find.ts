import type { Email, FeedItem } from '@almoner/domain'
import type { PersonalRecord } from '@almoner/domain/personal-data'
import * as O from 'fp-ts/lib/Option.js'
import type { Db } from '../../database/database.ts'
import { columnList } from '../../database/query.ts'
import type { FeedItemRow } from '../../schema/item.table.ts'
import { clientOf } from '../clients/client-rows.ts'
import { makeSelectRows } from '../collections/ordered-table.ts'
import { deadDeviceOf } from '../devices/dead-devices.ts'
import { DEVICE_COLUMNS, deviceOf } from '../devices/device-rows.ts'
import { numberOf } from '../history/record-act.ts'
import { ownPosts } from '../items/feed-authors.ts'
import { identityOfManager } from '../managers/identities.ts'
import { managerOf } from '../managers/managers.ts'
import { passkeysOf } from '../managers/passkeys.ts'
import { passwordOf } from '../managers/passwords.ts'
import { copiesOf } from '../managers/working-copies.ts'
import { userOf } from '../users/person-rows.ts'
import { deliveriesOf } from './deliveries-of.ts'

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
    .where('email', '=', email)
    .orderBy('used_at')
    .execute()
  return rows.map(({ client_id, used_at, body }) => ({ clientId: client_id, at: used_at, body }))
}

/** Makes the reader of everything that is stored about a person (L2). */
export const makeFindPerson = () => {
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
    return {
      user: O.map(userOf)(O.fromNullable(user)),
      manager: O.map(managerOf)(O.fromNullable(manager)),
      number: O.fromNullable(await numberOf(db, email)),
      passkeys: await passkeysOf(db, email),
      identity: await identityOfManager(db, email),
      password: await passwordOf(db, email),
      workingCopies: await copiesOf(db, email),
      devices: devices.map(deviceOf),
      deadDevices: dead.map(deadDeviceOf),
      deliveries: await deliveriesOf(db, email, new Map(devices.map(({ id, token }) => [id, token]))),
      posts: await postsOf(db, email),
      clients: clients.map(clientOf),
      responses: await responsesOf(db, email),
    }
  }
}
