import { done, SAMPLE_MOMENT, sampleEmail, sampleMoment, sampleNotification } from '@almoner/domain/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import {
  begin,
  claimed,
  emails,
  fill,
  finishedWith,
  record,
  serve,
} from '../../adapters-sqlite/test/sending/served.ts'
import { freshStore, type Opened, storeOn } from './store-of.ts'

// G5: nodes on one database share the sending between them.

/** A store, and a second node on the same database. */
const onTwoNodes = (name: string, body: (t: Test, mine: Opened, theirs: Opened) => Promise<void>) =>
  t.test(name, async (t) => {
    const mine = await freshStore()
    const theirs = await storeOn(mine.url)
    await body(t, mine, theirs)
    await theirs.close()
    await mine.close()
  })

const LIFE = 86_400_000

/** Locks a notification's delivery, as whoever claims from it does, until the function that it gives is called. */
const holdDelivery = async ({ engine }: Opened, id: string) => {
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = engine.write(async (db) => {
    await db
      .selectFrom('delivery')
      .select('id')
      .where('notification_id', '=', id as never)
      .forUpdate()
      .execute()
    held.resolve()
    await release.promise
    return E.right(undefined)
  })
  await held.promise
  return async () => {
    release.resolve()
    await holding
  }
}

onTwoNodes(
  'each recipient is served once between nodes, each notification taken up by one',
  async (t, mine, theirs) => {
    await fill(mine, 0, 400)
    const ids = [sampleNotification(1), sampleNotification(2)]
    for (const notification of ids) await done(mine.notifications.add(notification))
    const nodes = [mine, theirs, mine, theirs]
    const taken = await Promise.all(
      nodes.map(({ deliveries }) => done(deliveries.takeUp(SAMPLE_MOMENT, LIFE))),
    )
    t.strictSame(
      taken.flat().sort(),
      ids.map(({ id }) => id),
    )
    const served = await Promise.all(nodes.map((node) => serve(node, 20)))
    t.strictSame(served.flat(2).sort(), [...emails(0, 400), ...emails(0, 400)].sort())
    for (const { id } of ids) t.equal(await finishedWith(theirs, id), 400)
  },
)

onTwoNodes(
  'who claims passes over a notification that somebody is at, and does not wait',
  async (t, mine, theirs) => {
    await fill(mine, 0, 2)
    const first = await begin(mine, 1)
    const second = await begin(mine, 2)
    const letGo = await holdDelivery(mine, first)
    const portion = await claimed(theirs, 2)
    t.equal(portion.claim.notificationId, second, 'although the other has the first turn')
    await letGo()
  },
)

onTwoNodes('what somebody is at is waited for when there is nothing else', async (t, mine, theirs) => {
  await fill(mine, 0, 2)
  const only = await begin(mine, 1)
  const letGo = await holdDelivery(mine, only)
  const claiming = claimed(theirs, 2)
  const waiting =
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  const isWaiting = () => mine.engine.read(async (db) => (await sql.raw(waiting).execute(db)).rows.length > 0)
  while (!(await isWaiting()));
  await letGo()
  t.equal((await claiming).claim.notificationId, only)
})

onTwoNodes(
  'G4: who attaches a device while a notification is taken up is wholly before it or after it',
  async (t, mine, theirs) => {
    await fill(mine, 0, 50)
    const ids = [1, 2, 3, 4].map((n) => sampleNotification(n))
    for (const notification of ids) await done(mine.notifications.add(notification))
    const attach = (n: number) =>
      theirs.devices.attach({
        token: `fcm:late-${n}` as never,
        email: sampleEmail(n),
        kind: 'fcm',
        attachedAt: SAMPLE_MOMENT,
      })()
    await Promise.all([
      done(mine.deliveries.takeUp(SAMPLE_MOMENT, LIFE)),
      ...Array.from({ length: 40 }, (_, n) => attach(1000 + n)),
    ])
    const served = await serve(mine, 500)
    const perNotification = await Promise.all(ids.map(({ id }) => finishedWith(mine, id)))
    t.ok(
      perNotification.every((count) => count !== undefined && count >= 50),
      'all are finished',
    )
    t.equal(
      served.flat().length,
      perNotification.reduce((sum: number, count) => sum + (count ?? 0), 0),
    )
  },
)

onTwoNodes('what one node has taken over the other cannot write any more', async (t, mine, theirs) => {
  await fill(mine, 0, 4)
  const id = await begin(mine)
  const before = await claimed(mine, 4)
  const after = await claimed(theirs, 4, sampleMoment(30))
  t.ok(after.claim.fence > before.claim.fence)
  const late = await mine.deliveries.record(before.claim, [], { now: SAMPLE_MOMENT, last: true })()
  t.match(late, { left: { _tag: 'ClaimLost' } })
  await record(theirs, after)
  t.equal(await finishedWith(mine, id), 4)
})
