import type { Database, Store } from '@almoner/adapters-kysely'
import type { Email, Instant, Language, NotificationId, Portion, Recipient, Turn } from '@almoner/domain'
import { done, SAMPLE_MOMENT, sampleEmail, sampleNotification } from '@almoner/domain/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'

/** A store, and the engine that it is on. */
export type Opened = Store & { readonly database: Database }

const LIFE = 86_400_000

/** Emails of the sample readers from one to another, the last not included. */
export const emails = (from: number, to: number): ReadonlyArray<Email> =>
  Array.from({ length: to - from }, (_, n) => sampleEmail(from + n))

/** Puts sample readers of a language there, with a device each. */
export const fill = ({ database }: Opened, from: number, to: number, lang: Language = 'en') =>
  database.write(async (db) => {
    const numbers = sql`with recursive numbers (n) as (select cast(${from} as integer) union all select n + 1 from numbers where n + 1 < ${to})`
    const email = sql`'reader-' || substr(cast(100000 + n as text), 2) || '@example.org'`
    await sql`insert into person ${numbers} select ${email}, ${lang}, 1 from numbers`.execute(db)
    await sql`
      insert into device (token_digest, token, email, kind, attached_at, epoch, lang, subscribed)
      ${numbers} select 'digest ' || n, 'fcm:token-' || n, ${email}, 'fcm', 0, 1, ${lang}, 1 from numbers`.execute(
      db,
    )
    return E.right(undefined)
  })

/** Makes a notification in English, and takes it up. */
export const begin = async ({ notifications, deliveries }: Opened, n = 1): Promise<NotificationId> => {
  const notification = sampleNotification(n)
  await done(notifications.add(notification))
  await done(deliveries.takeUp(SAMPLE_MOMENT, LIFE))
  return notification.id
}

/** A portion, if there is one to claim. */
export const claim = async (
  { deliveries }: Opened,
  most: number,
  now = SAMPLE_MOMENT,
): Promise<Portion | undefined> => O.toUndefined(await done(deliveries.claim({ now, most, except: [] })))

/** A portion that must be there. */
export const claimed = async (store: Opened, most: number, now = SAMPLE_MOMENT): Promise<Portion> => {
  const portion = await claim(store, most, now)
  if (portion === undefined) throw new Error('there is nothing to claim')
  return portion
}

const delivered = ({ deviceId }: Recipient): Turn => ({
  deviceId,
  kind: 'answered',
  provider: 'fcm',
  outcome: 'delivered',
})

/** A turn that comes again. */
export const again =
  (at: Instant) =>
  ({ deviceId }: Recipient): Turn => ({ deviceId, kind: 'again', at })

/** Ends a portion. */
export const record = (
  { deliveries }: Opened,
  { claim, recipients }: Portion,
  {
    now = SAMPLE_MOMENT,
    turn = delivered,
  }: { readonly now?: Instant; readonly turn?: (one: Recipient) => Turn } = {},
) => done(deliveries.record(claim, recipients.map(turn), { now, last: true }))

/** Claims and ends portions until there are none. Gives whom each was for. */
export const serve = async (
  store: Opened,
  most: number,
  now = SAMPLE_MOMENT,
): Promise<ReadonlyArray<ReadonlyArray<Email>>> => {
  const portions: Array<ReadonlyArray<Email>> = []
  for (let portion = await claim(store, most, now); portion; portion = await claim(store, most, now)) {
    portions.push(portion.recipients.map(({ email }) => email))
    await record(store, portion, { now })
  }
  return portions
}

/** How many were delivered to; undefined as long as the notification is not finished. */
export const finishedWith = async (
  { notifications }: Opened,
  id: NotificationId,
): Promise<number | undefined> => {
  const found = await done(notifications.find(id))
  const progress = O.isSome(found) ? O.toUndefined(found.value.progress) : undefined
  return progress && O.isSome(progress.finishedAt) ? progress.tally.delivered : undefined
}
