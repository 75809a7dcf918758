import {
  type AnnouncementEdit,
  DELIVERY_STATES,
  type Notification,
  type NotificationQuery,
} from '@almoner/domain/notifications'
import {
  collect,
  type ItemId,
  LANGUAGES,
  type NotificationId,
  WHOLE_COLLECTION,
} from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { ended } from './delivery/fixture.ts'
import { actOf, EVERYTHING } from './history/fixture.ts'
import {
  type Changes,
  type ChangesUnderTest,
  changeOf,
  givenChanges,
  messageText,
} from './notification-changes.ts'
import { type Check, type ContractRunner, seeded } from './runner.ts'
import {
  done,
  failure,
  SAMPLE_MOMENT,
  sampleId,
  sampleMoment,
  sampleNotification,
  sampleNotificationId,
} from './samples.ts'

/** Notifications in a store, changed at random, and their expected dates and ties, computed without it. */
const makeModel = async (check: Check, { notifications, ties, found }: Changes, seed: number) => {
  const random = seeded(seed)
  const ids = [0, 1, 2, 3, 4, 5].map((n) => sampleNotificationId(100 * seed + n))
  const model = new Map<NotificationId, Notification>()
  const tied = new Map<NotificationId, NotificationId>()
  const untie = (id: NotificationId) => {
    for (const [a, b] of [...tied]) if (a === id || b === id) tied.delete(a)
  }
  const tie = (id: NotificationId, counterpart: NotificationId) => {
    for (const one of [id, counterpart]) untie(one)
    tied.set(id, counterpart).set(counterpart, id)
  }
  const someId = () => sampleNotificationId(100 * seed + random(6))
  const fits = (own: Notification | undefined, counterpart: NotificationId) =>
    own !== undefined && model.has(counterpart) && own.lang !== model.get(counterpart)?.lang
  /** The notification and its counterpart, if they exist. */
  const both = (id: NotificationId) =>
    [id, tied.get(id)].flatMap((one) => model.get(model.has(id) && one !== undefined ? one : id) ?? [])

  const steps = [
    async () => {
      const one = sampleNotification(100 * seed + random(6), { lang: LANGUAGES[random(2)] ?? 'en' })
      const counterpart = someId()
      if (model.has(one.id)) return
      const added = await failure(notifications.add(one, undefined, undefined, counterpart))
      check.same(added === 'none', fits(one, counterpart))
      if (added !== 'none') return
      model.set(one.id, one)
      tie(one.id, counterpart)
    },
    async () => {
      const [id, counterpart] = [someId(), someId()]
      const change = changeOf({ counterpartId: O.some(counterpart) })
      const changed = await failure(notifications.change(id, change))
      check.same(changed === 'none', fits(model.get(id), counterpart))
      if (changed === 'none') tie(id, counterpart)
    },
    async () => {
      const [id, date] = [someId(), O.some(sampleMoment(random(1000)))]
      const changed = await failure(notifications.change(id, changeOf({ date, both: true })))
      check.same(changed === 'none', model.has(id))
      for (const one of both(id)) model.set(one.id, { ...one, date })
    },
    async () => {
      const [id, isBoth] = [someId(), random(2) === 0]
      const gone = both(id).filter((one) => isBoth || one.id === id)
      await failure(notifications.remove(id, undefined, { both: isBoth, expected: O.none }))
      for (const one of gone) {
        untie(one.id)
        model.delete(one.id)
      }
    },
  ]
  for (const n of [0, 1, 2, 3]) {
    const one = sampleNotification(100 * seed + n, { lang: n % 2 === 0 ? 'en' : 'fr' })
    await done(notifications.add(one))
    model.set(one.id, one)
  }
  return {
    /** Takes a random step and compares the store with the model. */
    step: async (): Promise<void> => {
      await steps[random(steps.length)]?.()
      check.same(await ties(ids), [...tied].sort())
      for (const id of ids) check.same((await found(id))?.date, model.get(id)?.date)
    },
  }
}

/** Contract tests of notifications that are one announcement, and of finding them (G14). */
export const announcementsContract = (
  runner: ContractRunner,
  make: () => Promise<ChangesUnderTest>,
): void => {
  const given = givenChanges(runner, make)

  given(
    'G14: two notifications are tied from both sides, and a new tie replaces earlier ones',
    async (check, store) => {
      const { notifications } = store
      await store.addPair()
      check.same(await store.ties(), store.pair)
      check.same(
        await done(notifications.counterparts([store.en.id])),
        new Map([[store.en.id, { notification: store.fr, progress: O.none }]]),
      )
      await done(notifications.add(store.other))
      check.same(
        await done(notifications.change(store.other.id, changeOf({ counterpartId: O.some(store.en.id) }))),
        store.other,
      )
      check.same(await store.ties(), [
        [store.en.id, store.other.id],
        [store.other.id, store.en.id],
      ])
      await done(notifications.change(store.en.id, changeOf({ counterpartId: O.none })))
      check.same(await store.ties(), [])
      await done(notifications.change(store.en.id, changeOf({ counterpartId: O.some(store.fr.id) })))
      await done(notifications.withdraw(store.fr.id))
      check.same(await store.ties(), [], 'a tie goes with its notification')
      check.same(await done(notifications.counterparts([])), new Map())
    },
  )

  given('G14: a tie needs another language, and a counterpart that exists', async (check, store) => {
    const { notifications } = store
    await store.addPair()
    const add = (one: Notification, id: NotificationId) =>
      failure(notifications.add(one, undefined, undefined, id))
    check.same(await add(store.other, store.fr.id), 'ValidationFailed')
    check.same(await add(store.other, sampleNotificationId(9)), 'CounterpartNotFound')
    check.same(await store.found(store.other.id), undefined, 'nothing is stored')
    await done(notifications.add(store.other))
    const change = (edit: Partial<AnnouncementEdit>, id = store.other.id) =>
      failure(notifications.change(id, changeOf(edit)))
    check.same(await change({ counterpartId: O.some(store.fr.id) }), 'ValidationFailed')
    check.same(await change({ counterpartId: O.some(store.other.id) }), 'ValidationFailed')
    check.same(await change({ counterpartId: O.some(sampleNotificationId(9)) }), 'CounterpartNotFound')
    check.same(await change({ lang: 'fr' }, store.en.id), 'HasCounterpart')
    check.same(await store.ties(), store.pair)
    check.same(
      await change({ lang: 'en', counterpartId: O.some(store.fr.id) }),
      'none',
      'the language after the change',
    )
    check.same(await change({ lang: 'fr', counterpartId: O.none }, store.fr.id), 'none')
  })

  given('G14: both move together, or neither does', async (check, store) => {
    const { notifications } = store
    await store.addPair()
    const date = O.some(sampleMoment(50))
    const moved = await done(notifications.change(store.en.id, changeOf({ date, both: true })))
    check.same(moved, { ...store.en, date, revision: 2 })
    check.same(await store.found(store.fr.id), { ...store.fr, date, revision: 2 })
    await done(notifications.change(store.en.id, changeOf({ title: messageText('New'), both: true })))
    check.same((await store.found(store.fr.id))?.revision, 2, 'only dates are common')
    await done(notifications.change(store.en.id, changeOf({ date: O.none })))
    check.same(await store.start(sampleMoment(50)), [store.fr.id])
    check.same(
      await failure(notifications.change(store.en.id, changeOf({ date, both: true }))),
      'NotificationStarted',
    )
    check.same((await store.found(store.en.id))?.date, O.none)
    check.same(
      await failure(notifications.change(store.en.id, changeOf({ date }))),
      'none',
      'one alone may move',
    )
  })

  given('G14: both are deleted together, and one alone leaves the other', async (check, store) => {
    const { notifications } = store
    await store.addPair()
    await store.start()
    await done(notifications.remove(store.en.id, undefined, { both: true, expected: O.some(new Set([1])) }))
    check.same([await store.found(store.en.id), await store.found(store.fr.id)], [undefined, undefined])
    await store.addPair()
    await done(notifications.remove(store.fr.id))
    check.same([(await store.found(store.en.id))?.id, await store.ties()], [store.en.id, []])
    check.same(
      await failure(notifications.remove(store.en.id, undefined, { both: true, expected: O.none })),
      'none',
    )
  })

  given('G14, G8: the tie of a notification that retention deletes goes with it', async (check, store) => {
    await store.addPair()
    await done(store.notifications.change(store.fr.id, changeOf({ date: O.none })))
    await store.start()
    check.same(await done(store.retention.purgeNotifications(SAMPLE_MOMENT)), 1)
    check.same([await store.ties(), (await store.found(store.fr.id))?.id], [[], store.fr.id])
  })

  given('K1: each notification that changes leaves a record, and no other', async (check, store) => {
    const { notifications } = store
    await store.addPair()
    const act = actOf('change-notification')
    const change = (edit: Partial<AnnouncementEdit>) =>
      notifications.change(store.en.id, changeOf(edit), undefined, act)
    await done(change({ title: messageText('New') }))
    await done(change({ title: messageText('New') }))
    await done(change({ counterpartId: O.some(store.fr.id) }))
    await done(change({ date: O.none, both: true }))
    await done(change({ counterpartId: O.none }))
    await failure(change({ lang: 'fr', counterpartId: O.some(store.fr.id) }))
    await done(change({ counterpartId: O.some(store.fr.id) }))
    await done(
      notifications.remove(store.en.id, actOf('delete-notification'), { both: true, expected: O.none }),
    )
    const records = await collect(await done(store.history.audit(EVERYTHING, WHOLE_COLLECTION)))
    const [c, d] = ['change-notification', 'delete-notification']
    const seen = records.map(({ action, subject }) => [action, subject.id]).toReversed()
    const same = (all: ReadonlyArray<ReadonlyArray<string>>) => all.map(String).sort()
    check.same(
      same(seen),
      same([
        [c, store.en.id],
        [c, store.en.id],
        [c, store.fr.id],
        [c, store.en.id],
        [c, store.en.id],
        [d, store.en.id],
        [d, store.fr.id],
      ]),
    )
  })

  given('G14: resourceId and state filter the list, in its order', async (check, store) => {
    const { notifications, readers, recordAll, claimed } = store
    await readers(1, 3)
    const resourceId = O.some(sampleId(1) as ItemId)
    const all = [0, 1, 2, 3, 4, 5, 6].map((n) =>
      sampleNotification(n, {
        date: n === 0 ? O.none : O.some(sampleMoment(n)),
        resourceId: n % 2 === 0 ? resourceId : O.none,
        lang: n === 5 ? 'fr' : 'en',
      }),
    )
    for (const one of all) await done(notifications.add(one))
    const idsOf = async (query: Partial<NotificationQuery>) =>
      (await collect(await done(notifications.list({ lang: O.none, ...query }, WHOLE_COLLECTION)))).map(
        ({ id }) => all.findIndex((one) => one.id === id),
      )
    check.same(await idsOf({ resourceId }), [6, 4, 2, 0])
    check.same(await idsOf({ resourceId, lang: O.some('fr') }), [])
    check.same(await idsOf({ resourceId: O.some(sampleId(2) as ItemId) }), [])
    const states = async () => {
      const found: Record<string, unknown> = {}
      for (const state of DELIVERY_STATES) found[state] = await idsOf({ state: O.some(state) })
      return found
    }
    const none = { sending: [], sent: [], partial: [], failed: [] }
    check.same(await states(), { ...none, unscheduled: [0], scheduled: [6, 5, 4, 3, 2, 1] })
    const started = [1, 2, 3, 4, 5].map((n) => all[n]?.id)
    check.same(await store.start(sampleMoment(5)), started)
    for (const outcomes of [['delivered'], ['failed', 'delivered'], ['failed']] as const) {
      const ways = [...outcomes]
      await recordAll(await claimed(), (id) => ended(ways.pop() ?? outcomes[0])(id))
    }
    await claimed()
    check.same(await states(), {
      ...{ unscheduled: [0], scheduled: [6], sending: [4], sent: [5, 1], partial: [2], failed: [3] },
    })
    check.same(await idsOf({ state: O.some('partial'), resourceId }), [2])
    check.same(await idsOf({ state: O.some('failed'), resourceId }), [])
  })

  given('G14: after any changes a tie is symmetric, unique, and of two languages', async (check, store) => {
    for (const seed of [1, 2, 3]) {
      const model = await makeModel(check, store, seed)
      for (let step = 0; step < 40; step += 1) await model.step()
    }
  })
}
