import { join } from 'node:path'
import type { DeviceId, Email, NotificationId, Portion, Turn } from '@almoner/domain'
import {
  done,
  failure,
  SAMPLE_MOMENT,
  sampleEmail,
  sampleMoment,
  sampleNotification,
} from '@almoner/domain/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t from 'tap'
import { storeOf } from './store-of.ts'

type Store = Awaited<ReturnType<typeof storeOf>>

const LIFE = 86_400_000

/** Readers of a language with a device each, from one number to another, the last not included. */
const fill = (
  { engine }: Store,
  { from, to, lang = 'en' }: { readonly from: number; readonly to: number; readonly lang?: 'en' | 'fr' },
) =>
  engine.write(async (db) => {
    const numbers = sql`with recursive numbers (n) as (select ${from} union all select n + 1 from numbers limit ${to - from})`
    const email = sql`printf('reader-%05d@example.org', n)`
    await sql`insert into person ${numbers} select ${email}, ${lang}, 1 from numbers`.execute(db)
    await sql`insert into device (token_digest, token, email, kind, attached_at, epoch, lang, subscribed)
      ${numbers} select 'digest ' || n, 'fcm:token-' || n, ${email}, 'fcm', 0, 1, ${lang}, 1 from numbers`.execute(db)
    return E.right(undefined)
  })

const sent = async ({ notifications, deliveries }: Store): Promise<NotificationId> => {
  const notification = sampleNotification(1)
  await done(notifications.add(notification))
  await done(deliveries.takeUp(SAMPLE_MOMENT, LIFE))
  return notification.id
}

const claimed = async ({ deliveries }: Store, most: number, now = SAMPLE_MOMENT): Promise<Portion | undefined> =>
  O.toUndefined(await done(deliveries.claim({ now, most, except: [] })))

const delivered = ({ deviceId }: { readonly deviceId: DeviceId }): Turn => ({
  deviceId,
  kind: 'ended',
  outcome: 'delivered',
})

const recordAll = ({ deliveries }: Store, { claim, recipients }: Portion, now = SAMPLE_MOMENT) =>
  done(deliveries.record(claim, recipients.map(delivered), { now, last: true }))

/** Claims and serves until there is nothing left; gives whom each portion was for. */
const serveAll = async (store: Store, most: number): Promise<ReadonlyArray<ReadonlyArray<Email>>> => {
  const portions: Array<ReadonlyArray<Email>> = []
  for (let portion = await claimed(store, most); portion; portion = await claimed(store, most)) {
    portions.push(portion.recipients.map(({ email }) => email))
    await recordAll(store, portion)
  }
  return portions
}

const emails = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => sampleEmail(from + n))

const stateOf = async ({ notifications }: Store, id: NotificationId) => {
  const found = await done(notifications.find(id))
  return O.isSome(found) ? O.toUndefined(found.value.progress) : undefined
}

const withStore = (name: string, body: (t: Tap.Test, store: Store) => Promise<void>) => undefined
