import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Email } from '@almoner/domain'
import type { FoundPerson } from '@almoner/domain/personal-data'
import * as O from 'fp-ts/lib/Option.js'
import { type SqlBool, sql } from 'kysely'
import { containing, type Db } from '../database/database.ts'
import { findInLists, paddedInList } from '../database/writes.ts'
import { userNumber } from '../history.ts'
import { userOf } from '../people/users.ts'

/** Rows that are compared at once: some milliseconds, during which nothing else runs. */
const HOP = 5000

/** The tables whose addresses make a person known, in the order in which an erasure locks them. Devices belong to rows of `person`. */
const SOURCES = ['client', 'access_token', 'person', 'manager', 'feed_author'] as const
type Source = (typeof SOURCES)[number]

/** The columns by whose order rows of several transactions are locked, so that none waits for another in a circle (ARCHITECTURE.md, Locks). */
const LOCK_ORDER = {
  client: 'id',
  access_token: 'digest',
  person: 'email',
  manager: 'email',
  feed_author: 'item_id',
} as const satisfies Record<Source, string>

const addressesBehind = (db: Db, source: Source, last: string) =>
  db
    .selectFrom(source)
    .select('email')
    .where('email', 'is not', null)
    .where('email', '>', last as Email)

/** Walks the addresses of a table, and returns the first that contain a text. */
const matchingIn = async (
  db: Db,
  source: Source,
  text: string,
  most: number,
): Promise<ReadonlyArray<Email>> => {
  const matches = sql<SqlBool>`email like ${containing(text)} escape '!'`
  const found = new Set<Email>()
  let last = ''
  while (found.size < most) {
    const behind = addressesBehind(db, source, last)
    const end = await behind
      .orderBy('email')
      .limit(1)
      .offset(HOP - 1)
      .executeTakeFirst()
    const upTo = end?.email ?? undefined
    const rows = await behind
      .$if(upTo !== undefined, (query) => query.where('email', '<=', upTo as Email))
      .where(matches)
      .distinct()
      .orderBy('email')
      .limit(most)
      .execute()
    for (const { email } of rows) if (email !== null) found.add(email)
    if (upTo === undefined) break
    last = upTo
    await nextTurn()
  }
  return [...found].slice(0, most)
}

/** Returns the addresses among some that are still known. Locks their rows, so that no erasure removes them before the transaction ends. */
const lockedAmong = async (db: Db, emails: ReadonlyArray<Email>): Promise<ReadonlySet<Email>> => {
  const known = new Set<Email>()
  for (const source of SOURCES) {
    const rows = await findInLists(emails, (list) =>
      db
        .selectFrom(source)
        .select('email')
        .where('email', 'in', list)
        .orderBy(LOCK_ORDER[source])
        .forUpdate()
        .execute(),
    )
    for (const { email } of rows) if (email !== null) known.add(email)
  }
  return known
}

const exactly = async (db: Db, text: string): Promise<ReadonlyArray<Email>> => {
  const email = text as Email
  for (const source of SOURCES) {
    const row = await db.selectFrom(source).select('email').where('email', '=', email).executeTakeFirst()
    if (row !== undefined) return [email]
  }
  return []
}

/** Returns the addresses that contain a text: the exact one first, then in their order, at most `most`. */
export const matchingAddresses = async (
  db: Db,
  text: string,
  most: number,
): Promise<ReadonlyArray<Email>> => {
  const found: Array<Email> = []
  for (const source of SOURCES) found.push(...(await matchingIn(db, source, text, most)))
  const ordered = [...new Set(found)].sort((a, b) => (a < b ? -1 : 1))
  return [...new Set([...(await exactly(db, text)), ...ordered])].slice(0, most)
}

/** Returns those of the addresses that have no number. */
export const withoutNumber = async (db: Db, emails: ReadonlyArray<Email>): Promise<ReadonlyArray<Email>> => {
  const rows = await findInLists(emails, (list) =>
    db.selectFrom('user_number').select('email').where('email', 'in', list).execute(),
  )
  const numbered = new Set(rows.map(({ email }) => email))
  return emails.filter((email) => !numbered.has(email))
}

/** Gives numbers to those of the addresses that are still known: an erased one must not come back (L1). */
export const giveNumbers = async (db: Db, emails: ReadonlyArray<Email>): Promise<void> => {
  for (const email of await lockedAmong(db, emails)) await userNumber(db, email)
}

/** Returns the people with these addresses, in this order, without people who were erased meanwhile. */
export const peopleWith = async (
  db: Db,
  emails: ReadonlyArray<Email>,
): Promise<ReadonlyArray<FoundPerson>> => {
  if (emails.length === 0) return []
  const rows = await db
    .selectFrom('user_number')
    .leftJoin('person', 'person.email', 'user_number.email')
    .select(['user_number.id', 'user_number.email', 'person.lang', 'person.subscribed', 'person.topics'])
    .select(({ selectFrom, fn }) =>
      selectFrom('device')
        .select(fn.countAll().as('devices'))
        .whereRef('device.email', '=', 'user_number.email')
        .as('devices'),
    )
    .where('user_number.email', 'in', paddedInList(emails))
    .execute()
  const byEmail = new Map(rows.map((row) => [row.email, row]))
  return emails.flatMap((email): ReadonlyArray<FoundPerson> => {
    const row = byEmail.get(email)
    if (row === undefined) return []
    const { id: number, lang, subscribed, topics, devices } = row
    const isUser = lang !== null && subscribed !== null && topics !== null
    const user = isUser ? O.some(userOf({ email, lang, subscribed, topics })) : O.none
    return [{ number, email, user, devices: Number(devices) }]
  })
}
