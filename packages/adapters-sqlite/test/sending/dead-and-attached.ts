import { wholeOf } from '@almoner/domain/delivery'
import { collect } from '@almoner/domain/values'
import { done, type SAMPLE_MOMENT, sampleEmail, sampleMoment } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import { begin, claimed, fill, finishedWith, type Opened } from './served.ts'

/** Makes a token both attached and dead, as an earlier version could, and has a provider report it dead. Returns the resulting state. */
export const callDeadAgain = async (store: Opened) => {
  await fill(store, 0, 2)
  await done(
    store.database.write(async (db) =>
      E.right(
        await sql`insert into dead_device (token_digest, token, email, kind, attached_at, detached_at)
        select token_digest, token, 'other@example.org', 'apns', 5, 6 from device`.execute(db),
      ),
    ),
  )
  const id = await begin(store)
  const { claim, recipients } = await claimed(store, 2)
  const results = recipients.map(({ deviceId }) => {
    return {
      deviceId,
      kind: 'unregistered',
      origin: wholeOf('fcm'),
      attachedAt: 0 as typeof SAMPLE_MOMENT,
    } as const
  })
  await done(store.deliveries.record(claim, results, { now: sampleMoment(9), last: true, credentials: {} }))
  const found = await collect(store.deadDevices.list({ provider: O.none, since: O.none }))
  return {
    finished: await finishedWith(store, id),
    dead: found.map(({ device: { email, kind }, detachedAt }) => [email, kind, detachedAt]),
    attached: (await collect(store.devices.ofUser(sampleEmail(0)))).length,
  }
}

/** What {@link callDeadAgain} must give. */
export const CALLED_DEAD = {
  finished: 0,
  dead: [0, 1].map((n) => [sampleEmail(n), 'fcm', sampleMoment(9)]),
  attached: 0,
}
