import {
  type Look,
  type MessageText,
  messageOf,
  NO_LINKS,
  type Push,
  type PushMessage,
} from '@almoner/domain/notifications'
import { type Destination, type DeviceId, recognise } from '@almoner/domain/people'
import type { Ports, PushGateway } from '@almoner/domain/ports'
import { addMillis, type Colour, type Instant } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type Check, type ContractRunner, onEach } from '../runner.ts'
import { done, failure, SAMPLE_MOMENT, sampleMoment, sampleNotification, sampleToken } from '../samples.ts'
import { claiming, queueing } from './claiming.ts'
import { type DeliveriesFixture, type DeliveriesUnderTest, ended, givenDeliveries } from './fixture.ts'
import { deleting, leasing } from './leasing.ts'
import { addedProvider } from './origins.ts'
import { randomOperations } from './random-operations.ts'
import { recording } from './recording.ts'
import { takingUp } from './taking-up.ts'

export type { DeliveriesUnderTest } from './fixture.ts'

/** Contract tests of `Deliveries`, together with users, devices and notifications of the same store. */
export const deliveriesContract = (
  runner: ContractRunner,
  make: () => Promise<DeliveriesUnderTest>,
): void => {
  const given = givenDeliveries(runner, make)
  for (const part of [
    takingUp,
    claiming,
    leasing,
    recording,
    queueing,
    deleting,
    addedProvider,
    randomOperations,
  ])
    part(given)
}

const LOOK: Look = { iconUrl: O.none, color: '#1F4E79' as Colour }

const messageWith = (title: string): PushMessage =>
  messageOf(sampleNotification(1, { title: title as MessageText }), NO_LINKS, LOOK)

/** The n-th sample device. */
const sampleDestination = (n: number): Destination => {
  const token = sampleToken(n)
  return recognise(token) ?? { provider: 'fcm', form: 'token', token }
}

/** A push of a sample to the n-th sample device. */
export const samplePush = (n: number, over: Partial<Push> = {}): Push => {
  const notification = sampleNotification(1)
  return {
    notificationId: notification.id,
    deviceId: n as DeviceId,
    destination: sampleDestination(n),
    message: messageOf(notification, NO_LINKS, LOOK),
    attachedAt: SAMPLE_MOMENT,
    endsAt: addMillis(SAMPLE_MOMENT, 86_400_000),
    ...over,
  }
}

const TAGS = ['Delivered', 'Unregistered', 'Retry', 'Refused']

/**
 * What every `PushGateway` must do.
 * @param make a gateway whose provider can be reached, and one whose provider cannot
 * @param destinationOf the n-th device of a kind that the gateway sends to; by default one of FCM
 */
export const pushGatewayContract = (
  runner: ContractRunner,
  make: (provider: 'there' | 'gone') => Promise<{
    readonly pushGateway: PushGateway
    readonly close: () => Promise<void>
  }>,
  destinationOf: (n: number) => Destination = sampleDestination,
): void => {
  const push = (n: number) => samplePush(n, { destination: destinationOf(n) })
  const given = (
    name: string,
    provider: 'there' | 'gone',
    body: (check: Check, gateway: PushGateway) => Promise<void>,
  ) =>
    onEach(
      runner,
      () => make(provider),
      ({ pushGateway }) => pushGateway,
    )(name, body)

  given(
    'G6: the size of a message grows with its text, by the bytes of its UTF-8',
    'there',
    async (check, gateway) => {
      const sizes = ['a', 'aa', 'aaa'].map((title) => gateway.bytesOf(messageWith(title)))
      check.same([(sizes[1] ?? 0) - (sizes[0] ?? 0), (sizes[2] ?? 0) - (sizes[1] ?? 0)], [1, 1])
      for (const [text, bytes] of [
        ['é', 2],
        ['日', 3],
        ['😀', 4],
      ] as const) {
        const grown = gateway.bytesOf(messageWith(`a${text}`)) - gateway.bytesOf(messageWith('a'))
        check.ok(grown >= bytes, `${text} takes at least ${bytes}`)
      }
      check.ok(gateway.bytesOf(messageWith('x'.repeat(4096))) > 4096)
    },
  )

  given(
    'G6: a size is computed without the provider, and is always the same',
    'gone',
    async (check, gateway) => {
      check.same(gateway.bytesOf(messageWith('Wells')), gateway.bytesOf(messageWith('Wells')))
    },
  )

  given('G5: each push gets a result, also when many are sent at once', 'there', async (check, gateway) => {
    const pushes = Array.from({ length: 50 }, (_, n) => push(n))
    const results = await Promise.all(pushes.map((each) => gateway.send(each)()))
    check.same(results.length, 50)
    check.ok(results.every(({ _tag }) => TAGS.includes(_tag)))
  })

  given('G5: an unreachable provider gives a result, not an error', 'gone', async (check, gateway) => {
    const results = await Promise.all([1, 2, 3].map((n) => gateway.send(push(n))()))
    check.ok(results.every(({ _tag }) => TAGS.includes(_tag)))
  })
}

/** A store for one test, with its own data. */
export type RetentionUnderTest = DeliveriesUnderTest & Pick<Ports, 'retention'>

type Retention = Ports['retention']
type Purge = Exclude<keyof Retention, 'oldestEnded'>

/** Purges everything, step by step. Returns the number of deleted rows. */
const purgeAll = async (retention: Retention, which: Purge, endedBy: Instant): Promise<number> => {
  let total = 0
  for (;;) {
    const count = await done(retention[which](endedBy))
    if (count === 0) return total
    total += count
  }
}

/** A notification that ended at this second, and the claim on all its recipients. */
const sent = async (setup: DeliveriesFixture, n: number, second: number) => {
  const id = await setup.notification(n)
  await setup.start()
  const batch = await setup.claimed()
  await setup.recordAll(batch, ended('delivered'), sampleMoment(second))
  return { id, claim: batch.claim }
}

/** Contract tests of `Retention`, together with the other ports of the same store. */
export const retentionContract = (runner: ContractRunner, make: () => Promise<RetentionUnderTest>): void => {
  const given = (
    name: string,
    body: (check: Check, setup: DeliveriesFixture, retention: Retention) => Promise<void>,
  ) => {
    let opened: RetentionUnderTest
    const open = async () => {
      opened = await make()
      return opened
    }
    givenDeliveries(runner, open)(name, (check, setup) => body(check, setup, opened.retention))
  }

  given(
    'G8: per-device rows of notifications that ended long ago are deleted, and the report’s totals stay',
    async (check, setup, retention) => {
      await setup.readers(0, 5)
      const old = await sent(setup, 1, 10)
      const young = await sent(setup, 2, 20)
      await setup.notification(3)
      await setup.start()
      const open = await setup.claimed()
      const before = [await setup.progress(old.id), await setup.progress(young.id)]
      check.same(await done(retention.oldestEnded()), {
        deliveryRows: O.some(sampleMoment(10)),
        notification: O.some(sampleMoment(10)),
      })
      check.same(await purgeAll(retention, 'purgeDeliveries', sampleMoment(9)), 0)
      check.ok((await purgeAll(retention, 'purgeDeliveries', sampleMoment(10))) >= 5)
      check.same(await purgeAll(retention, 'purgeDeliveries', sampleMoment(10)), 0, 'nothing is left')
      check.same(await done(retention.oldestEnded()), {
        deliveryRows: O.some(sampleMoment(20)),
        notification: O.some(sampleMoment(10)),
      })
      check.same([await setup.progress(old.id), await setup.progress(young.id)], before)
      check.same(await failure(setup.record(old.claim, [])), 'ClaimLost')
      check.same(await failure(setup.record(young.claim, [])), 'none')
      await setup.recordAll(open, ended('delivered'))
      check.same(await setup.claim({ now: sampleMoment(3600) }), O.none, 'nothing is sent again')
    },
  )

  given(
    'G8: a notification that is being sent keeps its rows, however long ago it started',
    async (check, setup, retention) => {
      await setup.readers(0, 4)
      const id = await setup.notification(1)
      await setup.start()
      const batch = await setup.claimed({ most: 2 })
      await setup.recordAll(batch, ended('delivered'))
      check.same(await purgeAll(retention, 'purgeDeliveries', sampleMoment(86_400 * 1000)), 0)
      check.same(await done(retention.oldestEnded()), { deliveryRows: O.none, notification: O.none })
      const rest = await setup.claimed()
      check.same(rest.recipients.length, 2)
      await setup.recordAll(rest, ended('delivered'))
      check.same((await setup.progress(id)).tally.delivered, 4)
    },
  )

  given('G8: only notifications that ended long ago are deleted', async (check, setup, retention) => {
    await setup.readers(0, 3)
    const old = await sent(setup, 1, 10)
    const withoutRecipients = await setup.notification(2, { lang: 'fr' })
    await setup.start(sampleMoment(11))
    const young = await sent(setup, 3, 20)
    const sending = await setup.notification(4)
    await setup.start()
    const scheduled = await setup.notification(5, { date: O.some(sampleMoment(7200)) })
    const undated = await setup.notification(6, { date: O.none })
    check.same(await purgeAll(retention, 'purgeNotifications', sampleMoment(9)), 0)
    check.same(await purgeAll(retention, 'purgeNotifications', sampleMoment(11)), 2)
    for (const id of [old.id, withoutRecipients]) check.same(await done(setup.notifications.find(id)), O.none)
    for (const id of [young.id, sending, scheduled, undated])
      check.ok(O.isSome(await done(setup.notifications.find(id))))
    let rounds = 0
    while ((await done(setup.notifications.purge())) > 0) rounds += 1
    check.ok(rounds > 0, 'their rows are purged as after any deletion')
    check.same(await done(retention.oldestEnded()), {
      deliveryRows: O.some(sampleMoment(20)),
      notification: O.some(sampleMoment(20)),
    })
    check.same((await setup.claimed()).recipients.length, 3)
  })
}
