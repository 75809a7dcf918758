import type { Database } from '@almoner/adapters-kysely'
import type { Email } from '@almoner/domain'
import type { Outcome } from '@almoner/domain/notifications'
import type { DeviceId } from '@almoner/domain/people'
import type { Language, NotificationId } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'

// What the tables hold, asked without the repositories.

/** Devices and whose they were. */
export type Fixed = ReadonlyMap<DeviceId, Email>

/** The devices of a language's subscribed readers, by a plain join (F1, G4). */
export const audienceNow = (database: Database, lang: Language): Promise<Fixed> =>
  done(
    database.read(async (db) => {
      const { rows } = await sql<{ readonly id: DeviceId; readonly email: Email }>`
      select device.id, person.email from person join device on device.email = person.email
      where person.lang = ${lang} and person.subscribed = 1`.execute(db)
      return new Map(rows.map(({ id, email }) => [id, email]))
    }),
  )

/** Every outcome that the ledger has for a notification. */
export const ledgerOf = (database: Database, id: NotificationId): Promise<ReadonlyMap<DeviceId, Outcome>> =>
  done(
    database.read(async (db) => {
      const { rows } = await sql<{ readonly id: DeviceId; readonly outcome: Outcome }>`
      select device_id as id, outcome from ledger join delivery on delivery.id = ledger.delivery_id
      where notification_id = ${id}`.execute(db)
      return new Map(rows.map(({ id, outcome }) => [id, outcome]))
    }),
  )

const count = (database: Database, from: string): Promise<number> =>
  done(
    database.read(async (db) => {
      const { rows } = await sql<{
        readonly count: number
      }>`select count(*) as count from ${sql.raw(from)}`.execute(db)
      return rows[0]?.count ?? 0
    }),
  )

/** Lists rows as texts, to compare them. */
const listed = (database: Database, query: string): Promise<ReadonlyArray<ReadonlyArray<string>>> =>
  done(
    database.read(async (db) => {
      const { rows } = await sql.raw<object>(query).execute(db)
      return rows.map((row) => Object.values(row).map(String))
    }),
  )

/** Devices that do not repeat their user's preference, and labels by which one is found without reason, or is not found (F6). */
export const strayed = async (database: Database): Promise<number> => {
  const devices = await count(
    database,
    `person join device on device.email = person.email
     where (person.lang, person.subscribed, case person.topics when '[]' then 1 else 0 end)
       <> (device.lang, device.subscribed, follows_all)`,
  )
  const people = await listed(
    database,
    `select device.lang, device.id, topics from person join device on device.email = person.email where person.subscribed = 1`,
  )
  const stored = await listed(database, 'select label_id, lang, device_id from follow')
  const expected = people.flatMap(([lang, device, topics = '']) =>
    (JSON.parse(topics) as ReadonlyArray<string>).map((label) => `${[label, lang, device]}`),
  )
  const found = stored.map(String)
  const missing = expected.filter((label) => !found.includes(label))
  return devices + missing.length + found.filter((label) => !expected.includes(label)).length
}

/** Counts delivery rows, and those without a notification. */
export const leftovers = (database: Database): Promise<number> =>
  count(database, 'delivery where notification_id is null')

const TABLES = [
  'dead_device',
  'batch',
  'retry',
  'ledger',
  'recipient_snapshot',
  'delivery',
  'notification',
  'device',
  'person',
]

/** Empties the tables of people, notifications and sending. */
export const wipe = (database: Database) =>
  done(
    database.write(async (db) => {
      for (const table of TABLES) await sql`delete from ${sql.table(table)}`.execute(db)
      return E.right(undefined)
    }),
  )
