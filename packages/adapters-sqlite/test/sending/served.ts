import type { Database, Store } from '@almoner/adapters-kysely'
import type { Email, Instant } from '@almoner/domain'
import { type Batch, type DeliveryResult, type Recipient, wholeOf } from '@almoner/domain/delivery'
import type { Language, NotificationId } from '@almoner/domain/values'
import { done, SAMPLE_MOMENT, sampleEmail, sampleNotification } from '@almoner/testkit/contracts'
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
  done(
    database.write(async (db) => {
      const numbers = sql`with recursive numbers (n) as (select cast(${from} as integer) union all select n + 1 from numbers where n + 1 < ${to})`
      const email = sql`'reader-' || substr(cast(100000 + n as text), 2) || '@example.org'`
      await sql`insert into person (email, lang, subscribed) ${numbers} select ${email}, ${lang}, 1 from numbers`.execute(
        db,
      )
      await sql`
      insert into device (token_digest, token, email, kind, attached_at, epoch, lang, subscribed)
      ${numbers} select 'digest ' || n, 'fcm:token-' || n, ${email}, 'fcm', 0, 1, ${lang}, 1 from numbers`.execute(
        db,
      )
      return E.right(undefined)
    }),
  )

/** Makes a notification in English, and takes it up. */
export const begin = async ({ notifications, deliveries }: Opened, n = 1): Promise<NotificationId> => {
  const notification = sampleNotification(n)
  await done(notifications.add(notification))
  await done(deliveries.start(SAMPLE_MOMENT, LIFE))
  return notification.id
}

/** A batch, if there is one to claim. */
export const claim = async (
  { deliveries }: Opened,
  most: number,
  now = SAMPLE_MOMENT,
): Promise<Batch | undefined> =>
  O.toUndefined(
    await done(deliveries.claim({ now, most, first: 'retries', except: [], isAbandoned: () => true })),
  )

/** A batch that must be there. */
export const claimed = async (store: Opened, most: number, now = SAMPLE_MOMENT): Promise<Batch> => {
  const batch = await claim(store, most, now)
  if (batch === undefined) throw new Error('there is nothing to claim')
  return batch
}

const delivered = ({ deviceId }: Recipient): DeliveryResult => ({
  deviceId,
  kind: 'responded',
  origin: wholeOf('fcm'),
  outcome: 'delivered',
})

/** The result of a push that is retried. */
export const again =
  (at: Instant) =>
  ({ deviceId }: Recipient): DeliveryResult => ({
    deviceId,
    kind: 'retry',
    origin: wholeOf('fcm'),
    cause: 'device',
    reason: '',
    at: O.some(at),
  })

/** Ends a batch. */
export const record = (
  { deliveries }: Opened,
  { claim, recipients }: Batch,
  {
    now = SAMPLE_MOMENT,
    result = delivered,
  }: { readonly now?: Instant; readonly result?: (one: Recipient) => DeliveryResult } = {},
) => done(deliveries.record(claim, recipients.map(result), { now, last: true, credentials: {} }))

/** Claims and ends batches until there are none. Gives whom each was for. */
export const serve = async (
  store: Opened,
  most: number,
  now = SAMPLE_MOMENT,
): Promise<ReadonlyArray<ReadonlyArray<Email>>> => {
  const batches: Array<ReadonlyArray<Email>> = []
  for (let batch = await claim(store, most, now); batch; batch = await claim(store, most, now)) {
    batches.push(batch.recipients.map(({ email }) => email))
    await record(store, batch, { now })
  }
  return batches
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
