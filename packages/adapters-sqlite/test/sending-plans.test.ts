import { makeStore } from '@almoner/adapters-kysely'
import { type Batch, type Claim, type DeliveryResult, wholeOf } from '@almoner/domain/delivery'
import { type DeviceId, PROVIDERS } from '@almoner/domain/people'
import { collect, type LabelId, type LabelName } from '@almoner/domain/values'
import {
  done,
  SAMPLE_MOMENT,
  sampleDevice,
  sampleEmail,
  sampleNotification,
} from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { fill } from './sending/served.ts'
import { type Plan, spiedDatabase } from './spied-database.ts'
import { storeOf } from './store-of.ts'

/** Tables that may be scanned: the rows of the statement itself, limited subqueries, the three providers, and running deliveries. */
const SMALL =
  /^SCAN (?:\d+-ROW VALUES CLAUSE|some|provider|delivery USING (?:COVERING )?INDEX delivery_sending)$/

/** Reading a table from its beginning, sorting, and indexes made for one statement. */
const isCostly = (step: string): boolean => /^SCAN |TEMP B-TREE|AUTOMATIC/.test(step) && !SMALL.test(step)

const costly = (plans: ReadonlyArray<Plan>): ReadonlyArray<Plan> =>
  plans.filter(({ steps }) => steps.some(isCostly))

t.test('no statement of deliveries or people scans a whole table or sorts', async (t) => {
  const opened = await storeOf(`${t.testdir()}/almoner.db`)
  await fill(opened, 0, 300)
  const spy = spiedDatabase(opened.database)
  const { users, devices, notifications, deliveries, providers, deadDevices, retention } = makeStore(
    spy.database,
  )
  const now = SAMPLE_MOMENT
  const claimed = async (most: number): Promise<Batch> => {
    const batch = await done(
      deliveries.claim({ now, most, first: 'retries', except: [], isAbandoned: () => true }),
    )
    if (O.isSome(batch)) return batch.value
    throw new Error('there is nothing to claim')
  }
  const record = (claim: Claim, results: ReadonlyArray<DeliveryResult>, last = false) =>
    done(deliveries.record(claim, results, { now, last, credentials: {} }))
  const origin = wholeOf('fcm')
  const again = (deviceId: DeviceId): DeliveryResult => ({
    deviceId,
    kind: 'retry',
    origin,
    cause: 'sender',
    reason: 'no',
    at: O.some(now),
  })
  const result = (deviceId: DeviceId, n: number): DeliveryResult => {
    if (n % 30 === 3) return { deviceId, kind: 'deferred', origin }
    if (n % 3 === 0) return again(deviceId)
    return n % 3 === 1
      ? { deviceId, kind: 'unregistered', origin, attachedAt: SAMPLE_MOMENT }
      : { deviceId, kind: 'notSent', outcome: 'failed' }
  }
  const [one, two] = [sampleNotification(1), sampleNotification(2)]

  for (const notification of [one, two]) await done(notifications.add(notification))
  await done(deliveries.start(now, 1))
  for (const n of [1, 1, 301]) await done(devices.attach(sampleDevice(n)))
  await done(devices.attach(sampleDevice(1, { email: sampleEmail(2) })))
  await done(devices.detach(sampleEmail(301), sampleDevice(301)))
  await done(users.prefer(sampleEmail(3), { lang: 'fr' }))
  await done(users.putAll([4, 400].map((n) => ({ email: sampleEmail(n), lang: 'fr', subscribed: false }))))
  const { claim, recipients } = await claimed(250)
  await done(deliveries.checkEligibility(claim, recipients, now))
  await record(
    claim,
    recipients.slice(0, 200).map(({ deviceId }, n) => result(deviceId, n)),
  )
  await done(deliveries.releaseClaim(claim))
  await record((await claimed(20)).claim, [])
  const retries = await claimed(20)
  await record(
    retries.claim,
    retries.recipients.map(({ deviceId }) => result(deviceId, 2)),
    true,
  )
  await done(deliveries.backlog())
  await done(deliveries.queue(now))
  await done(providers.states(now))
  await done(providers.resume('fcm', { now, overrideUntil: O.none }))
  await done(deliveries.releaseDeferred({ now, by: PROVIDERS, room: () => 100, fraction: 0.5 }))
  const dead = { provider: O.some('fcm' as const), since: O.some(now) }
  await collect(deadDevices.list(dead))
  await done(deadDevices.restore(dead))
  await done(deadDevices.purge(now))
  await done(devices.audience({ lang: 'en', labelId: O.none }))
  await collect(devices.ofUser(sampleEmail(5)))
  await done(users.find(sampleEmail(5)))
  await done(notifications.find(one.id))
  await done(
    opened.database.write(async (db) => {
      await db.updateTable('delivery').set({ finished_at: now, sending: 0 }).execute()
      return E.right(undefined)
    }),
  )
  await done(retention.oldestEnded())
  while ((await done(retention.purgeDeliveries(now))) > 0);
  await done(retention.purgeNotifications(now))
  await done(notifications.add(one))
  await done(notifications.remove(one.id))
  await done(notifications.purge())

  const plans = await spy.plans()
  t.ok(plans.length > 100)
  t.strictSame(costly(plans), [])
  await opened.close()
})

t.test('G4: recipients are counted and claimed in the order of their index', async (t) => {
  const opened = await storeOf(`${t.testdir()}/almoner.db`)
  await fill(opened, 0, 300)
  const spy = spiedDatabase(opened.database)
  const { deliveries, notifications } = makeStore(spy.database)
  await done(notifications.add(sampleNotification(1)))
  await done(deliveries.start(SAMPLE_MOMENT, 1))
  await done(
    deliveries.claim({ now: SAMPLE_MOMENT, most: 20, first: 'retries', except: [], isAbandoned: () => true }),
  )
  const steps = (await spy.plans())
    .filter(({ text }) => text.startsWith('select') && /from "?device/.test(text))
    .map(({ steps }) => steps)
  const [hop, rest, members] = steps
  t.strictSame(hop, ['SEARCH device USING COVERING INDEX device_audience (lang=? AND id>?)'])
  t.strictSame(rest, hop)
  t.strictSame(members, ['SEARCH device USING INDEX device_audience (lang=? AND id>? AND id<?)'])
  await opened.close()
})

t.test('G12: recipients of a topic are counted and claimed in the order of two indexes', async (t) => {
  const opened = await storeOf(`${t.testdir()}/almoner.db`)
  await fill(opened, 0, 300)
  const spy = spiedDatabase(opened.database)
  const { deliveries, labels, notifications, users } = makeStore(spy.database)
  const label = { labelId: 'water' as LabelId, en: 'Water' as LabelName, fr: 'Eau' as LabelName }
  await done(labels.replaceAll([label]))
  await done(users.prefer(sampleEmail(3), { topics: [label.labelId] }))
  await done(notifications.add(sampleNotification(1, { labelId: O.some(label.labelId) })))
  await done(deliveries.start(SAMPLE_MOMENT, 1))
  await done(
    deliveries.claim({ now: SAMPLE_MOMENT, most: 20, first: 'retries', except: [], isAbandoned: () => true }),
  )
  await done(labels.replaceAll([]))
  // Labels are few, and a load reads all people with topics.
  const plans = (await spy.plans()).filter(({ text }) => !/"label"|topics <>/.test(text))
  t.strictSame(costly(plans), [])
  const steps = plans
    .filter(({ text }) => text.startsWith('select') && /from "?(?:device|follow)"? /.test(text))
    .map(({ steps }) => steps)
  const all = 'SEARCH device USING COVERING INDEX device_follows_all (lang=? AND id>?)'
  const followers = 'SEARCH follow USING PRIMARY KEY (label_id=? AND lang=? AND device_id>?)'
  t.strictSame(steps.slice(-6, -2), [[all], [all], [followers], [followers]])
  t.match(steps.at(-2), [/^SEARCH device USING INDEX device_follows_all \(lang=\? AND id>\? AND id<\?\)/])
  t.match(steps.at(-1), [/^SEARCH follow USING PRIMARY KEY/, /^SEARCH device USING INTEGER PRIMARY KEY/])
  await opened.close()
})
