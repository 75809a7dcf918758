import type { Receipt } from '@almoner/domain/access'
import type { Label } from '@almoner/domain/content'
import {
  type Announcement,
  type AnnouncementEdit,
  changeAnnouncement,
  type MessageText,
  type Notification,
  tieFaults,
} from '@almoner/domain/notifications'
import { type ItemId, type NotificationId, validationFailed } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { type DeliveryStore, makeDeliveryFixture } from './delivery/fixture.ts'
import { sampleLabel } from './people/topics.ts'
import { type ContractRunner, onEach, type UnderTest } from './runner.ts'
import { done, failure, SAMPLE_MOMENT, sampleId, sampleMoment, sampleNotification } from './samples.ts'

/** A store for one test, with its own data. */
export type ChangesUnderTest = UnderTest<keyof DeliveryStore | 'history' | 'retention'>

/** The change that an edit asks for, with the errors of its tie (G13, G14). */
export const changeOf = (
  edit: Partial<AnnouncementEdit>,
  expected: O.Option<ReadonlySet<number>> = O.none,
) => ({
  counterpartId: edit.counterpartId ?? O.none,
  labelId: edit.labelId ?? O.none,
  decide: (found: Announcement) =>
    pipe(
      changeAnnouncement({ both: false, ...edit }, expected)(found),
      E.flatMap(({ counterpart, ...changed }) => {
        const [first, ...rest] = O.isSome(counterpart)
          ? tieFaults(changed.own, counterpart.value.notification)
          : []
        return first === undefined ? E.right(changed) : E.left(validationFailed([first, ...rest]))
      }),
    ),
})

/** Text of a notification. */
export const messageText = (text: string): MessageText => text as MessageText

/** A store with two notifications, one in each language, and the steps of tests about them. */
const makeFixture = (store: ChangesUnderTest) => {
  const setup = makeDeliveryFixture(store)
  const [en, fr, other] = [
    sampleNotification(1),
    sampleNotification(2, { lang: 'fr' }),
    sampleNotification(3, { lang: 'fr' }),
  ]
  return {
    ...store,
    ...setup,
    en,
    fr,
    other,
    /** The ties of both, from each side. */
    pair: [
      [en.id, fr.id],
      [fr.id, en.id],
    ],
    addPair: async (): Promise<void> => {
      await done(store.notifications.add(en))
      await done(store.notifications.add(fr, undefined, undefined, en.id))
    },
    found: async (id: NotificationId): Promise<Notification | undefined> =>
      O.toUndefined(await done(store.notifications.find(id)))?.notification,
    /** The counterparts of some notifications, in order. */
    ties: async (ids: ReadonlyArray<NotificationId> = [en.id, fr.id, other.id]) =>
      [...(await done(store.notifications.counterparts(ids)))]
        .map(([id, { notification }]) => [id, notification.id])
        .sort(),
  }
}

/** What a test of changes works on. */
export type Changes = ReturnType<typeof makeFixture>

/** Registers tests of changes, each with its own store. */
export const givenChanges = (runner: ContractRunner, make: () => Promise<ChangesUnderTest>) =>
  onEach(runner, make, makeFixture)

/** Contract tests of changing notifications (G13). */
export const notificationChangesContract = (
  runner: ContractRunner,
  make: () => Promise<ChangesUnderTest>,
): void => {
  const given = givenChanges(runner, make)

  given('G13: a change writes every value and the next revision', async (check, store) => {
    await done(store.notifications.add(store.en))
    const edit = {
      lang: 'fr',
      title: messageText('Autre'),
      subtitle: O.some(messageText('Sous-titre')),
      description: O.none,
      date: O.some(sampleMoment(7)),
      resourceId: O.some(sampleId(7) as ItemId),
    } as const
    const after: Notification = { ...store.en, ...edit, revision: 2 }
    check.same(await done(store.notifications.change(store.en.id, changeOf(edit))), after)
    check.same(await store.found(store.en.id), after)
    check.same(
      await done(store.notifications.change(store.en.id, changeOf(edit))),
      after,
      'the same values are no change',
    )
    const cleared = { ...after, subtitle: O.none, date: O.none, resourceId: O.none, revision: 3 }
    const empty = { subtitle: O.none, date: O.none, resourceId: O.none }
    check.same(await done(store.notifications.change(store.en.id, changeOf(empty))), cleared)
    check.same(await store.start(sampleMoment(100)), [], 'it is unscheduled')
    check.same(
      await failure(store.notifications.change(store.fr.id, changeOf(edit))),
      'NotificationNotFound',
      'unknown',
    )
  })

  const [water, health] = [sampleLabel('water'), sampleLabel('health')]
  const topic = (label: Label) => ({ labelId: O.some(label.labelId) })

  given(
    'G12: a notification is given a label, another one, and none; an unknown one fails',
    async (check, store) => {
      const { notifications, labels } = store
      const about = { ...store.en, ...topic(water) }
      check.same(await failure(notifications.add(about)), 'LabelNotFound')
      check.same(await store.found(about.id), undefined)
      await done(labels.replaceAll([water, health]))
      await done(notifications.add(about))
      check.same(await store.found(about.id), about)
      const change = (edit: Parameters<typeof changeOf>[0]) => notifications.change(about.id, changeOf(edit))
      check.same((await done(change(topic(health)))).labelId, O.some(health.labelId))
      check.same(await failure(change(topic(sampleLabel('arts')))), 'LabelNotFound')
      check.same((await done(change({ labelId: O.none }))).labelId, O.none)
      check.same((await store.found(about.id))?.revision, 3, 'the refused change made no revision')
    },
  )

  given(
    'G12: a load may not remove the label of a notification until a review starts it',
    async (check, store) => {
      const { notifications, labels } = store
      await done(labels.replaceAll([water, health]))
      const [scheduled, unscheduled] = [
        { ...store.en, ...topic(water) },
        { ...store.fr, ...topic(health), date: O.none },
      ]
      for (const one of [scheduled, unscheduled]) await done(notifications.add(one))
      const inUse = (...some: ReadonlyArray<Label>) =>
        E.left({ _tag: 'LabelsInUse', labelIds: some.map(({ labelId }) => labelId) })
      check.same(await labels.replaceAll([])(), inUse(water, health))
      check.same(await done(labels.all()), [water, health])
      await done(notifications.remove(unscheduled.id))
      check.same(await labels.replaceAll([])(), inUse(water))
      await store.start()
      await done(labels.replaceAll([]))
      check.same(await store.found(scheduled.id), scheduled, 'it keeps its label')
    },
  )

  given('G12: of a load and a notification with a label that it removes one wins', async (check, store) => {
    const { notifications, labels } = store
    for (let round = 0; round < 5; round += 1) {
      await done(labels.replaceAll([water]))
      const about = { ...sampleNotification(10 + round), ...topic(water) }
      const [added, loaded] = await Promise.all([notifications.add(about)(), labels.replaceAll([])()])
      check.same(E.isRight(added), E.isLeft(loaded))
      if (E.isRight(added)) await done(notifications.remove(about.id))
    }
  })

  given('C10, G13: a change or a deletion for another revision changes nothing', async (check, store) => {
    const { notifications } = store
    await done(notifications.add(store.en))
    const edit = { title: messageText('New') }
    const [wrong, right] = [O.some(new Set([2])), O.some(new Set([7, 1]))]
    check.same(await failure(notifications.change(store.en.id, changeOf(edit, wrong))), 'PreconditionFailed')
    const removal = { both: false, expected: wrong }
    check.same(await failure(notifications.remove(store.en.id, undefined, removal)), 'PreconditionFailed')
    check.same(await store.found(store.en.id), store.en)
    await done(notifications.change(store.en.id, changeOf(edit, right)))
    check.same(
      await failure(notifications.remove(store.en.id, undefined, { ...removal, expected: right })),
      'PreconditionFailed',
    )
    await done(notifications.remove(store.en.id, undefined, { ...removal, expected: wrong }))
  })

  given('G13: a notification that a review has taken up does not change', async (check, store) => {
    await store.addPair()
    await done(store.notifications.change(store.fr.id, changeOf({ date: O.none })))
    check.same(await store.start(), [store.en.id])
    for (const edit of [{ title: messageText('New') }, {}, { counterpartId: O.none }])
      check.same(
        await failure(store.notifications.change(store.en.id, changeOf(edit, O.some(new Set())))),
        'NotificationStarted',
      )
    check.same(await store.found(store.en.id), store.en)
    check.same(await store.ties(), store.pair)
  })

  given(
    'G13: of a change and a review, one is first: the notification moves or is taken up',
    async (check, store) => {
      for (let n = 10; n < 20; n += 1) {
        const { id } = sampleNotification(n)
        await done(store.notifications.add(sampleNotification(n)))
        const [changed, started] = await Promise.all([
          failure(store.notifications.change(id, changeOf({ date: O.some(sampleMoment(1000)) }))),
          store.start(),
        ])
        check.same(started, changed === 'none' ? [] : [id])
        check.ok(['none', 'NotificationStarted'].includes(changed), changed)
      }
    },
  )

  given('G13: of concurrent changes at one revision, one succeeds', async (check, store) => {
    await done(store.notifications.add(store.en))
    const changes = Array.from({ length: 5 }, (_, n) =>
      failure(
        store.notifications.change(
          store.en.id,
          changeOf({ title: messageText(`${n}`) }, O.some(new Set([1]))),
        ),
      ),
    )
    check.same((await Promise.all(changes)).filter((tag) => tag === 'none').length, 1)
    check.same((await store.found(store.en.id))?.revision, 2)
  })

  given('I4: a change stores its key and its response, or neither', async (check, store) => {
    const { notifications } = store
    await done(notifications.add(store.en))
    const receipt: Receipt<Notification> = {
      ...{
        clientId: 'app' as never,
        key: 'key' as never,
        digest: 'digest',
        at: SAMPLE_MOMENT,
        about: O.none,
      },
      responseTo: (after) => ({ status: 200, contentType: O.none, etag: O.none, body: after.title }),
    }
    await done(notifications.change(store.en.id, changeOf({ title: messageText('Once') }), receipt))
    check.same(
      await failure(notifications.change(store.en.id, changeOf({ title: messageText('Twice') }), receipt)),
      'Unavailable',
    )
    check.same(O.toUndefined(await done(notifications.find(store.en.id)))?.notification.title, 'Once')
  })
}
