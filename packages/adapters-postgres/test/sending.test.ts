import type { Instant } from '@almoner/domain'
import { type Recipient, wholeOf } from '@almoner/domain/delivery'
import type { DeviceToken } from '@almoner/domain/people'
import { collect } from '@almoner/domain/values'
import {
  done,
  SAMPLE_MOMENT,
  sampleEmail,
  sampleMoment,
  sampleNotification,
} from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t, { type Test } from 'tap'
import { CALLED_DEAD, callDeadAgain } from '../../adapters-sqlite/test/sending/dead-and-attached.ts'
import {
  DELETED,
  deleteBySql,
  PURGED,
  PURGED_ALL,
  purgeOneOfTwo,
  purgeWithLostStep,
} from '../../adapters-sqlite/test/sending/retained.ts'
import {
  begin,
  claimed,
  emails,
  fill,
  finishedWith,
  record,
  serve,
} from '../../adapters-sqlite/test/sending/served.ts'
import { areWaiting, holding } from './held-locks.ts'
import { freshStore, type Opened, storeOn } from './store-of.ts'

// G5: nodes on one database share the sending between them.

/** A store, and a second node on the same database. */
const onTwoNodes = (name: string, body: (t: Test, mine: Opened, theirs: Opened) => Promise<void>) =>
  t.test(name, async (t) => {
    const mine = await freshStore()
    const theirs = await storeOn(mine.url)
    try {
      await body(t, mine, theirs)
    } finally {
      await theirs.close()
      await mine.close()
    }
  })

const LIFE = 86_400_000

/** Locks a notification's delivery, as a claim does. */
const lockOf = (id: string) => `select id from delivery where notification_id = '${id}' for update`

const device = (n: number, at: Instant) =>
  ({ token: `fcm:token-${n}` as DeviceToken, email: sampleEmail(n), kind: 'fcm', attachedAt: at }) as const

const deadOnes = async ({ deadDevices }: Opened) =>
  (await collect(deadDevices.list({ provider: O.none, since: O.none }))).map(({ device }) => device.token)

onTwoNodes(
  'nodes send to each recipient once, and one node starts each notification',
  async (t, mine, theirs) => {
    await fill(mine, 0, 400)
    const ids = [sampleNotification(1), sampleNotification(2)]
    for (const notification of ids) await done(mine.notifications.add(notification))
    const nodes = [mine, theirs, mine, theirs]
    const taken = await Promise.all(
      nodes.map(({ deliveries }) => done(deliveries.start(SAMPLE_MOMENT, LIFE))),
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
  'a claim skips notifications that another node is claiming, and does not wait',
  async (t, mine, theirs) => {
    await fill(mine, 0, 2)
    const first = await begin(mine, 1)
    const second = await begin(mine, 2)
    const letGo = await holding(mine, lockOf(first))
    const batch = await claimed(theirs, 2)
    t.equal(batch.claim.notificationId, second, 'although the other is next')
    await letGo()
  },
)

onTwoNodes('a claim waits for locked recipients if there is nothing else', async (t, mine, theirs) => {
  await fill(mine, 0, 2)
  const only = await begin(mine, 1)
  const letGo = await holding(mine, lockOf(only))
  const claiming = claimed(theirs, 2)
  await areWaiting(mine, 1)
  await letGo()
  t.equal((await claiming).claim.notificationId, only)
})

onTwoNodes(
  'G4: attaching a device during a start happens completely before or after it',
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
      done(mine.deliveries.start(SAMPLE_MOMENT, LIFE)),
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

onTwoNodes(
  'a node cannot record results of a batch that another node has taken over',
  async (t, mine, theirs) => {
    await fill(mine, 0, 4)
    const id = await begin(mine)
    const before = await claimed(mine, 4)
    const after = await claimed(theirs, 4, sampleMoment(30))
    t.ok(after.claim.fence > before.claim.fence)
    const late = await mine.deliveries.record(before.claim, [], {
      now: SAMPLE_MOMENT,
      last: true,
      credentials: {},
    })()
    t.match(late, { left: { _tag: 'ClaimLost' } })
    await record(theirs, after)
    t.equal(await finishedWith(mine, id), 4)
  },
)

onTwoNodes('G5: a token that is called dead again while it is attached is reported', async (t, mine) => {
  t.strictSame(await callDeadAgain(mine), CALLED_DEAD)
})

onTwoNodes(
  'F4: a token that is attached again while it is detached as dead ends attached and not dead',
  async (t, mine, theirs) => {
    await done(mine.devices.attach(device(0, SAMPLE_MOMENT)))
    await begin(mine)
    const { claim, recipients } = await claimed(mine, 1)
    const results = recipients.map(({ deviceId }) => {
      return { deviceId, kind: 'unregistered', origin: wholeOf('fcm'), attachedAt: SAMPLE_MOMENT } as const
    })
    // Recording writes the batch last: it has detached the device, and has not committed.
    const letGo = await holding(theirs, 'select number from batch for update')
    const recording = done(
      mine.deliveries.record(claim, results, { now: SAMPLE_MOMENT, last: true, credentials: {} }),
    )
    await areWaiting(theirs, 1)
    const attaching = done(theirs.devices.attach(device(0, sampleMoment(1))))
    await areWaiting(theirs, 2)
    await letGo()
    await Promise.all([recording, attaching])
    t.strictSame(await collect(mine.devices.ofUser(sampleEmail(0))), [device(0, sampleMoment(1))])
    t.strictSame(await deadOnes(mine), [])
  },
)

/** Handles all, four at a time, so that none waits long for a connection. */
const inLanes = <A>(
  all: ReadonlyArray<A>,
  work: (one: A) => Promise<unknown>,
): ReadonlyArray<Promise<void>> =>
  [0, 1, 2, 3].map(async (lane) => {
    for (const [n, one] of all.entries()) if (n % 4 === lane) await work(one)
  })

onTwoNodes('F4: in any interleaving, no token ends both attached and dead', async (t, mine, theirs) => {
  const count = 24
  for (let n = 0; n < count; n += 1) await done(mine.devices.attach(device(n, SAMPLE_MOMENT)))
  for (let round = 0; round < 15; round += 1) {
    await begin(mine, round)
    const { claim, recipients } = await claimed(mine, count)
    const found = await done(mine.deliveries.checkEligibility(claim, recipients, SAMPLE_MOMENT))
    const record = async ({ deviceId }: Recipient) => {
      const attachedAt = found.devices.get(deviceId)?.attachedAt ?? SAMPLE_MOMENT
      const result = { deviceId, kind: 'unregistered', origin: wholeOf('apns'), attachedAt } as const
      await done(
        mine.deliveries.record(claim, [result], { now: SAMPLE_MOMENT, last: false, credentials: {} }),
      )
    }
    const attach = (n: number) => done(theirs.devices.attach(device(n, sampleMoment(round + 1))))
    const numbers = Array.from({ length: count }, (_, n) => n)
    await Promise.all([...inLanes(recipients, record), ...inLanes(numbers, attach)])
    const both = await done(
      mine.database.read((db) =>
        db
          .selectFrom('device')
          .innerJoin('dead_device', 'dead_device.token_digest', 'device.token_digest')
          .select('device.id')
          .execute(),
      ),
    )
    t.strictSame(both, [], `round ${round}`)
    // Devices that were detached after a new attachment are attached for the next round.
    for (const token of await deadOnes(mine))
      await done(mine.devices.attach(device(Number(token.slice(10)), sampleMoment(round + 1))))
    t.strictSame(await deadOnes(mine), [])
  }
})

onTwoNodes(
  'G4: a start waits for running attachments, and later ones queue behind it',
  async (t, mine, theirs) => {
    await fill(mine, 0, 3)
    await done(mine.notifications.add(sampleNotification(1)))
    const letGo = await holding(theirs, 'select value from epoch for share')
    const starting = done(mine.deliveries.start(SAMPLE_MOMENT, LIFE))
    await areWaiting(theirs, 1)
    const attaching = done(theirs.devices.attach(device(7, SAMPLE_MOMENT)))
    const how = await Promise.race([
      attaching.then(() => 'passed'),
      areWaiting(theirs, 2).then(() => 'queued'),
    ])
    t.equal(how, 'queued')
    await letGo()
    t.same((await starting).length, 1)
    await attaching
    t.equal(
      (await claimed(mine, 10)).recipients.length,
      3,
      'a user whose attachment queued is not a recipient',
    )
  },
)

onTwoNodes('G4: a start succeeds while many connections attach devices', async (t, mine, theirs) => {
  await fill(mine, 0, 3)
  await done(mine.notifications.add(sampleNotification(1)))
  const others = await Promise.all([storeOn(mine.url), storeOn(mine.url)])
  const most = 3000
  let attached = 0
  let isOver = false
  const attachAll = async ({ devices }: Opened, lane: number) => {
    for (let n = 0; n < most && !isOver; n += 1) {
      await done(devices.attach(device(10_000 * (lane + 1) + n, SAMPLE_MOMENT)))
      attached += 1
    }
  }
  const lanes = [theirs, ...others].flatMap((store, n) =>
    Array.from({ length: 8 }, (_, m) => attachAll(store, 8 * n + m)),
  )
  while (attached < lanes.length)
    await done(mine.database.read((db) => db.selectFrom('epoch').select('value').execute()))
  const before = attached
  const started = await done(mine.deliveries.start(SAMPLE_MOMENT, LIFE))
  isOver = true
  await Promise.all(lanes)
  t.equal(started.length, 1)
  t.comment(`${attached - before} devices were attached meanwhile`)
  await Promise.all(others.map(({ close }) => close()))
})

onTwoNodes('G4: a start does not wait for the end of a large import', async (t, mine, theirs) => {
  await fill(mine, 0, 2000)
  await done(mine.notifications.add(sampleNotification(1)))
  const letGo = await holding(
    mine,
    `select email from person where email = '${sampleEmail(1500)}' for update`,
  )
  const users = emails(0, 2000).map((email) => ({ email, lang: 'fr' as const, subscribed: true }))
  const importing = done(theirs.users.putAll(users))
  await areWaiting(mine, 1)
  t.equal((await done(mine.deliveries.start(SAMPLE_MOMENT, LIFE))).length, 1)
  await letGo()
  await importing
})

onTwoNodes('G8: per-device rows are deleted in small steps, with recipient snapshots', async (t, mine) => {
  t.strictSame(await purgeOneOfTwo(mine), PURGED)
})

onTwoNodes('G8: rows of a step that was rolled back are deleted too', async (t, mine) => {
  t.strictSame(await purgeWithLostStep(mine), PURGED_ALL)
})

onTwoNodes('G8: claims end even if a notification is deleted by SQL', async (t, mine) => {
  t.strictSame(await deleteBySql(mine), DELETED)
})
