import type { InboxQuery } from '@almoner/domain/delivery'
import type { PreferenceChange } from '@almoner/domain/people'
import type { Ports } from '@almoner/domain/ports'
import {
  addMillis,
  collect,
  type Instant,
  type Language,
  type NotificationId,
  WHOLE_COLLECTION,
} from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { sampleClient } from '../access/access.ts'
import { sampleLabel } from '../people/topics.ts'
import type { Check } from '../runner.ts'
import { done, failure, SAMPLE_MOMENT, sampleEmail, sampleMoment, sampleNotificationId } from '../samples.ts'
import { type DeliveriesFixture, type DeliveriesUnderTest, ended } from './fixture.ts'

type InboxNeeds = 'inbox' | 'retention' | 'personalData' | 'clients'

/** A store of one test, alone with its data. */
export type InboxUnderTest = DeliveriesUnderTest & Pick<Ports, InboxNeeds>

/** The stores of a test, with the steps of deliveries. */
export type InboxFixture = DeliveriesFixture & Pick<Ports, InboxNeeds>

/** Before all samples. */
export const EVER = sampleMoment(-86_400)

/** When the sample notifications are seen. */
const SEEN = sampleMoment(1000)

/** Labels that people of these tests follow. */
export const [WATER, HEALTH] = [sampleLabel('water'), sampleLabel('"health\\')] as const
/** Their identifiers. */
export const TOPICS = [WATER.labelId, HEALTH.labelId]

/** The inbox of the n-th person. */
export const queryOf = (n: number, startedAfter = EVER): InboxQuery => ({
  email: sampleEmail(n),
  startedAfter,
})

/** Reads the inbox of the n-th person. */
export const entriesOf = async ({ inbox }: InboxFixture, n: number, startedAfter?: Instant) =>
  collect(await done(inbox.list(queryOf(n, startedAfter), WHOLE_COLLECTION)))

/** Returns the notifications in the inbox of the n-th person. */
export const idsOf = async (setup: InboxFixture, n: number, startedAfter?: Instant) =>
  (await entriesOf(setup, n, startedAfter)).map(({ notification }) => notification.id)

/** Changes the preference of the n-th person. */
export const prefer = ({ users }: InboxFixture, n: number, change: PreferenceChange) =>
  done(users.prefer(sampleEmail(n), change))

const mark = ({ inbox }: InboxFixture, n: number, notificationId: NotificationId, seenAt = SEEN) =>
  inbox.markSeen(queryOf(n), { notificationId, seenAt })

/** Adds a notification and starts it. */
export const startOne = async (
  setup: InboxFixture,
  n: number,
  { at = SAMPLE_MOMENT, lang = 'en', topic }: Partial<Started> = {},
): Promise<NotificationId> => {
  const id = await setup.notification(n, { lang, labelId: O.fromNullable(topic) })
  await setup.start(at)
  return id
}

interface Started {
  readonly at: Instant
  readonly lang: Language
  readonly topic: (typeof TOPICS)[number]
}

/** Registers a test that has its own store. */
export type Given = (name: string, body: (check: Check, setup: InboxFixture) => Promise<void>) => void

/** Marking notifications as seen (F7). */
export const seeing = (given: Given): void => {
  given('F7: the first moment of a mark stays', async (check, setup) => {
    await prefer(setup, 1, {})
    await prefer(setup, 2, {})
    const id = await startOne(setup, 1)
    check.same(await done(mark(setup, 1, id)), SEEN)
    check.same(await done(mark(setup, 1, id, addMillis(SEEN, 5))), SEEN)
    check.same(await done(mark(setup, 1, id, addMillis(SEEN, -5))), SEEN)
    const [entry] = await entriesOf(setup, 1)
    check.same(entry?.seenAt, O.some(SEEN))
    check.same((await entriesOf(setup, 2))[0]?.seenAt, O.none, 'of another person')
    check.same(await done(setup.inbox.countSeen(id)), 1)
    await done(mark(setup, 2, id))
    check.same(await done(setup.inbox.countSeen(id)), 2)
    check.same(await done(setup.inbox.countSeen(sampleNotificationId(9))), 0)
  })

  given('F7: of concurrent marks one is the first, and all give its moment', async (check, setup) => {
    await prefer(setup, 1, {})
    const id = await startOne(setup, 1)
    const moments = await Promise.all(
      Array.from({ length: 8 }, (_, n) => done(mark(setup, 1, id, addMillis(SEEN, n)))),
    )
    check.same(new Set(moments).size, 1)
    check.same((await entriesOf(setup, 1))[0]?.seenAt, O.some(moments[0]))
    check.same(await done(setup.inbox.countSeen(id)), 1)
  })

  given('F7: what was not meant for the person is not found', async (check, setup) => {
    await prefer(setup, 1, {})
    const french = await startOne(setup, 1, { lang: 'fr' })
    const later = await setup.notification(2, { date: O.some(sampleMoment(9000)) })
    const deleted = await startOne(setup, 3)
    const old = await startOne(setup, 4)
    await done(setup.notifications.remove(deleted))
    for (const id of [french, later, deleted, sampleNotificationId(9)])
      check.same(await failure(mark(setup, 1, id)), 'NotificationNotFound')
    check.same(await failure(mark(setup, 2, old)), 'NotificationNotFound', 'an unknown person')
    check.same(O.isNone(await done(setup.users.find(sampleEmail(2)))), true, 'who stays unknown')
    const tooLate = setup.inbox.markSeen(queryOf(1, SAMPLE_MOMENT), { notificationId: old, seenAt: SEEN })
    check.same(await failure(tooLate), 'NotificationNotFound')
    for (const id of [french, later, deleted, old]) check.same(await done(setup.inbox.countSeen(id)), 0)
    await prefer(setup, 1, { lang: 'fr' })
    check.same(await failure(mark(setup, 1, french)), 'NotificationNotFound')
    check.same(await done(mark(setup, 1, old)), SEEN, 'as of the start')
  })

  given('L1: only a caller who is still bound to the person marks', async (check, setup) => {
    await prefer(setup, 1, {})
    const id = await startOne(setup, 1)
    const reader = { actor: { kind: 'client', id: 'app' }, boundTo: sampleEmail(1) } as const
    const seen = { notificationId: id, seenAt: SEEN }
    check.same(await failure(setup.inbox.markSeen(queryOf(1), seen, reader)), 'NoActingUser')
    await done(setup.clients.add({ ...sampleClient('app'), email: O.some(sampleEmail(1)) }, 'hash'))
    check.same(await done(setup.inbox.markSeen(queryOf(1), seen, reader)), SEEN)
    await done(setup.personalData.erase(sampleEmail(1), SEEN))
    check.same(await failure(setup.inbox.markSeen(queryOf(1), seen, reader)), 'NoActingUser')
  })

  given(
    'L1, L2: former preferences and marks are found, and erased with the person',
    async (check, setup) => {
      for (const n of [1, 2]) await prefer(setup, n, {})
      const [first, second] = [await startOne(setup, 1), await startOne(setup, 2)]
      await prefer(setup, 1, { lang: 'fr' })
      await startOne(setup, 3)
      await prefer(setup, 1, { lang: 'en' })
      await done(mark(setup, 1, second, SEEN))
      await done(mark(setup, 1, first, addMillis(SEEN, 1)))
      await done(mark(setup, 2, first))
      const { formerPreferences, seen } = await done(setup.personalData.find(sampleEmail(1)))
      check.same(formerPreferences, [
        { lang: 'en', topics: [] },
        { lang: 'fr', topics: [] },
      ])
      check.same(seen, [
        { notificationId: O.some(second), seenAt: SEEN },
        { notificationId: O.some(first), seenAt: addMillis(SEEN, 1) },
      ])
      await done(setup.personalData.erase(sampleEmail(1), SEEN))
      const erased = await done(setup.personalData.find(sampleEmail(1)))
      check.same([erased.formerPreferences, erased.seen], [[], []])
      check.same(await idsOf(setup, 1), [])
      check.same(
        [await done(setup.inbox.countSeen(first)), await done(setup.inbox.countSeen(second))],
        [1, 0],
      )
      await prefer(setup, 1, {})
      check.same(await idsOf(setup, 1), [], 'made anew')
      const next = await startOne(setup, 4)
      check.same(await idsOf(setup, 1), [next])
    },
  )
}

/** Keeping marks and former preferences, and deleting them (F7, G8). */
export const keeping = (given: Given): void => {
  given('F7, G8: marks stay with the report, and go with the notification', async (check, setup) => {
    await setup.readers(1, 3)
    const id = await startOne(setup, 1)
    const other = await startOne(setup, 2)
    for (const _ of [id, other]) await setup.recordAll(await setup.claimed(), ended('delivered'))
    for (const n of [1, 2]) await done(mark(setup, n, id))
    await done(mark(setup, 1, other))
    while ((await done(setup.retention.purgeDeliveries(sampleMoment(10)))) > 0);
    check.same(await done(setup.inbox.countSeen(id)), 2)
    check.same((await entriesOf(setup, 1)).length, 2)
    await done(setup.notifications.remove(id))
    check.same(await done(setup.inbox.countSeen(id)), 0)
    while ((await done(setup.notifications.purge())) > 0);
    const seenBy = async (n: number) =>
      (await done(setup.personalData.find(sampleEmail(n)))).seen.map(({ notificationId }) => notificationId)
    check.same([await seenBy(1), await seenBy(2)], [[O.some(other)], []])
    while ((await done(setup.retention.purgeNotifications(sampleMoment(10)))) > 0);
    while ((await done(setup.notifications.purge())) > 0);
    check.same([await seenBy(1), await entriesOf(setup, 1)], [[], []])
  })

  given('F7: former preferences stay as long as a notification needs them', async (check, setup) => {
    for (const n of [1, 2]) await prefer(setup, n, {})
    const first = await startOne(setup, 1, { at: sampleMoment(10) })
    await prefer(setup, 1, { lang: 'fr' })
    const second = await startOne(setup, 2, { lang: 'fr', at: sampleMoment(20) })
    await prefer(setup, 1, { lang: 'en' })
    await startOne(setup, 3, { lang: 'fr', at: sampleMoment(30) })
    await prefer(setup, 2, { lang: 'fr' })
    const { inbox } = setup
    const former = async (n: number) =>
      (await done(setup.personalData.find(sampleEmail(n)))).formerPreferences.map(({ lang }) => lang)
    check.same(await done(inbox.purgePreferences(sampleMoment(9))), 0)
    check.same(await done(inbox.purgePreferences(sampleMoment(10))), 1, 'the first is too old')
    check.same([await former(1), await former(2)], [['fr'], ['en']])
    check.same(await idsOf(setup, 1, sampleMoment(10)), [second])
    check.same(await idsOf(setup, 2, sampleMoment(9)), [first])
    check.same(await done(inbox.purgePreferences(sampleMoment(20))), 1)
    check.same([await former(1), await former(2)], [[], ['en']])
    check.same(await done(inbox.purgePreferences(sampleMoment(30))), 1)
    check.same([await former(1), await former(2)], [[], []])
    check.same(await done(inbox.purgePreferences(sampleMoment(30))), 0)
  })
}
