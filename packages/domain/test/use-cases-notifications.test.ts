import { collect } from '@almoner/domain/values'
import { done, failure, SAMPLE_MOMENT, sampleDevice, sampleEmail } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { fieldsOf, read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import {
  amina,
  donor,
  type Fixture,
  libraryDraft,
  libraryLive,
  libraryUpdate,
  manager,
  newFixture,
  user,
  userManager,
} from './fixtures/fixture.ts'

const GOOD = { lang: 'en', title: 'Wells', resource_type: 'Library' }

const create = ({ act }: Fixture, raw: domain.RawParameters = {}, caller = manager) =>
  act.createNotification(caller, read(domain.CreateNotification, { ...GOOD, ...raw }))

const listed = async ({ act }: Fixture, raw: domain.RawParameters = {}) => {
  const { batches, next } = await done(act.listNotifications(manager, read(domain.ListNotifications, raw)))
  return { views: await collect({ batches, next }), next }
}

const titles = async (fixture: Fixture, raw: domain.RawParameters = {}) =>
  (await listed(fixture, raw)).views.map(({ notification: { title } }) => String(title))

t.test(
  'every operation on notifications requires content-manager, and changes nothing without it',
  async (t) => {
    const fixture = newFixture()
    const { notification } = await done(create(fixture))
    for (const caller of [user, donor, amina, userManager]) {
      const one = { id: notification.id }
      t.equal(await failure(create(fixture, {}, caller)), 'InsufficientScope')
      t.equal(await failure(fixture.act.listNotifications(caller, {})), 'InsufficientScope')
      t.equal(await failure(fixture.act.removeNotification(caller, one)), 'InsufficientScope')
      t.equal(await failure(fixture.act.reportDelivery(caller, one)), 'InsufficientScope')
    }
    t.equal((await listed(fixture)).views.length, 1)
  },
)

t.test('a created notification is listed as it was sent', async (t) => {
  const fixture = newFixture()
  const bare = await done(create(fixture))
  t.match(bare.notification, {
    lang: 'en',
    title: 'Wells',
    subtitle: O.none,
    description: O.none,
    date: O.none,
    resourceId: O.none,
  })
  t.same(bare.links, domain.NO_LINKS)
  const full = await done(
    create(fixture, { lang: 'FR', subtitle: 'Sous', description: 'Texte', date: '0001893456000' }),
  )
  t.match(full.notification, {
    lang: 'fr',
    subtitle: O.some('Sous'),
    description: O.some('Texte'),
    date: O.some(1_893_456_000_000),
  })
  t.same((await listed(fixture)).views, [full, bare])
})

t.test(
  'G1: links are those of the related item as it is when read, and none unless it is Live',
  async (t) => {
    const fixture = newFixture()
    const item = await libraryLive(fixture)
    const made = await done(create(fixture, { resource_id: item.id }))
    const links = { visualUrl: O.some('https://example.org/notification.png'), actionUrl: O.some(item.link) }
    t.same(made.links, links)
    t.same((await listed(fixture)).views, [made])
    await done(fixture.act.updateLibraryItem(manager, libraryUpdate(item.id), O.none))
    t.same((await listed(fixture)).views, [{ notification: made.notification, links: domain.NO_LINKS }])
    const live = libraryUpdate(item.id, { status: 'Live', link: 'https://example.org/new' })
    await done(fixture.act.updateLibraryItem(manager, live, O.none))
    for (const raw of [{}, { id: made.notification.id }])
      t.same((await listed(fixture, raw)).views[0]?.links.actionUrl, O.some('https://example.org/new'))
    const draft = await libraryDraft(fixture)
    t.same((await done(create(fixture, { resource_id: draft.id }))).links, domain.NO_LINKS)
  },
)

t.test('G1: the links of a whole list are read with one query', async (t) => {
  const asked: Array<ReadonlyArray<domain.ItemId>> = []
  const fixture = newFixture({}, ({ libraryItems }) => ({
    libraryItems: {
      ...libraryItems,
      findAll: (ids) => {
        asked.push(ids)
        return libraryItems.findAll(ids)
      },
    },
  }))
  await done(create(fixture))
  t.same((await listed(fixture)).views.length, 1)
  t.same(asked, [], 'none where no notification is related to an item')
  const items = [await libraryLive(fixture), await libraryLive(fixture)]
  for (const { id } of [...items, ...items]) await done(create(fixture, { resource_id: id }))
  await done(create(fixture))
  t.equal((await listed(fixture)).views.filter(({ links }) => O.isSome(links.actionUrl)).length, 4)
  t.same(
    asked.map((ids) => ids.toSorted()),
    [items.map(({ id }) => id).toSorted()],
  )
})

t.test('G2: a resource_id of no library item is not found, and nothing is stored', async (t) => {
  const fixture = newFixture()
  t.equal(await failure(create(fixture, { resource_id: 'unknown' })), 'ResourceNotFound')
  t.same((await listed(fixture)).views, [])
})

t.test(
  'G6: a payload of 4,096 bytes is accepted, one byte more is an error of each text in it',
  async (t) => {
    const fixture = newFixture()
    const item = await libraryLive(fixture)
    const related = { resource_id: item.id }
    const measured = async (raw: domain.RawParameters) => {
      const { notification, links } = await done(create(fixture, raw))
      return fixture.ports.pushGateway.bytesOf(
        domain.messageOf(notification, links, domain.DEFAULT_POLICY.look),
      )
    }
    const room = domain.PAYLOAD_LIMIT - (await measured({ ...related, title: 'x' }))
    t.equal(await measured({ ...related, title: `x${'y'.repeat(room)}` }), 4096)
    const before = (await listed(fixture)).views.length
    const fields = async (raw: domain.RawParameters) => {
      const refused = await create(fixture, { ...related, ...raw })()
      return E.isLeft(refused) && refused.left._tag === 'ValidationFailed'
        ? fieldsOf(refused.left.errors)
        : []
    }
    t.same(await fields({ title: `x${'y'.repeat(room + 1)}` }), ['title'])
    t.same(await fields({ title: 'x', description: 'é'.repeat(room) }), ['title', 'description'])
    t.same(await fields({ title: 'x', subtitle: 'y', description: '😀'.repeat(room) }), [
      'title',
      'subtitle',
      'description',
    ])
    t.equal((await listed(fixture)).views.length, before, 'nothing is stored')
  },
)

t.test(
  'I1, G6: a payload that is too large is reported together with the other errors of the request',
  async (t) => {
    const { act } = newFixture()
    const fields = async (raw: domain.RawParameters) =>
      (await done(act.furtherPayloadErrors(manager, raw))).map(({ field }) => field)
    const long = 'x'.repeat(4096)
    t.same(await fields({ ...GOOD, lang: 'de' }), [])
    t.same(await fields({ ...GOOD, lang: 'de', description: long }), ['title', 'description'])
    t.same(
      await fields({ title: '\0', subtitle: long, description: ' ' }),
      ['subtitle'],
      'its codec reports the title',
    )
    t.same(await fields({ title: [long, long] }), [])
    const { notification } = await done(create(newFixture()))
    const { look } = domain.DEFAULT_POLICY
    const bare = domain.messageOf({ ...notification, title: '' as domain.MessageText }, domain.NO_LINKS, look)
    const room = domain.PAYLOAD_LIMIT - newFixture().ports.pushGateway.bytesOf(bare)
    t.same(await fields({ title: 'x'.repeat(room) }), [], 'the texts that a valid request may have')
    t.same(await fields({ title: 'x'.repeat(room + 1) }), ['title'])
    t.equal(await failure(act.furtherPayloadErrors(donor, { title: long })), 'InsufficientScope')
  },
)

t.test(
  'G3: the list is ordered by date, latest first, undated last; lang, lim and offset work as everywhere',
  async (t) => {
    const fixture = newFixture()
    for (const [title, date, lang] of [
      ['a', 300, 'en'],
      ['b', undefined, 'en'],
      ['c', 100, 'fr'],
      ['d', 300, 'fr'],
      ['e', undefined, 'fr'],
      ['f', 0, 'en'],
    ] as const)
      await done(create(fixture, { title, date, lang }))
    const order = ['d', 'a', 'c', 'f', 'e', 'b']
    t.same(await titles(fixture), order)
    t.same(await titles(fixture, { lang: 'FR' }), ['d', 'c', 'e'])
    t.same(await titles(fixture, { lim: '2', offset: '1' }), ['a', 'c'])
    t.same(await titles(fixture, { lim: '3', offset: '6' }), [])
    t.same(await titles(fixture, { offset: '3' }), order, 'B4: offset without lim is ignored')
    const seen: Array<string> = []
    let after: O.Option<domain.NotificationCursor> = O.none
    do {
      const page = await listed(fixture, {
        lim: '2',
        ...(O.isSome(after) ? { after: domain.encodeCursor(after.value) } : {}),
      })
      seen.push(...page.views.map(({ notification }) => String(notification.title)))
      after = page.next
    } while (O.isSome(after))
    t.same(seen, order, 'C11')
  },
)

t.test('G3: a request by id returns at most one notification, with any lim and offset', async (t) => {
  const fixture = newFixture()
  const { notification } = await done(create(fixture))
  await done(create(fixture))
  const { id } = notification
  t.same(
    (await listed(fixture, { id })).views.map(({ notification }) => notification),
    [notification],
  )
  for (const raw of [
    { id, lim: '1' },
    { id, offset: '5' },
    { id, lang: 'en' },
  ])
    t.equal((await listed(fixture, raw)).views.length, 1, JSON.stringify(raw))
  for (const raw of [{ id: 'unknown' }, { id, lim: '1', offset: '1' }, { id, lang: 'fr' }])
    t.same((await listed(fixture, raw)).views, [], JSON.stringify(raw))
})

t.test('G3: deleting a notification removes it; deleting an unknown one is not found', async (t) => {
  const fixture = newFixture()
  const {
    notification: { id },
  } = await done(create(fixture))
  await done(fixture.act.removeNotification(manager, { id }))
  t.same((await listed(fixture)).views, [])
  t.equal(await failure(fixture.act.removeNotification(manager, { id })), 'NotificationNotFound')
  t.equal(
    await failure(fixture.act.removeNotification(manager, { id: 'x' as domain.NotificationId })),
    'NotificationNotFound',
  )
})

t.test(
  'G7: the report follows a notification until it ends; an unknown or deleted one is not found',
  async (t) => {
    const fixture = newFixture()
    const { ports, act } = fixture
    const stateOf = async ({ notification: { id } }: domain.NotificationView) =>
      (await done(act.reportDelivery(manager, { id }))).state
    const undated = await done(create(fixture))
    const dated = await done(create(fixture, { date: String(fixture.clock.now() / 1000) }))
    t.same([await stateOf(undated), await stateOf(dated)], ['unscheduled', 'scheduled'])
    await done(ports.devices.attach(sampleDevice(1)))
    await done(ports.deliveries.start(fixture.clock.now(), 1000))
    t.same(await done(act.reportDelivery(manager, { id: dated.notification.id })), {
      notificationId: dated.notification.id,
      state: 'sending',
      recipients: 1,
      pending: 1,
      tally: domain.NO_OUTCOMES,
      startedAt: O.some(fixture.clock.now()),
      finishedAt: O.none,
    })
    await done(domain.makeReview(ports, domain.DEFAULT_POLICY)({ window: 10 }))
    t.equal(await stateOf(dated), 'sent')
    const { id } = dated.notification
    await done(act.removeNotification(manager, { id }))
    t.equal(await failure(act.reportDelivery(manager, { id })), 'NotificationNotFound')
  },
)

t.test('a preview shows recipients by kind and the message, and sends nothing', async (t) => {
  const fixture = newFixture()
  const item = await libraryLive(fixture)
  for (const [n, kind] of (['fcm', 'fcm', 'apns', 'unroutable'] as const).entries())
    await done(fixture.ports.devices.attach(sampleDevice(n, { kind, attachedAt: SAMPLE_MOMENT })))
  await done(fixture.ports.users.prefer(sampleEmail(0), { subscribed: false }))
  const { notification, links } = await done(create(fixture, { date: '0', resource_id: item.id }))
  const message = domain.messageOf(notification, links, domain.DEFAULT_POLICY.look)
  t.same(await done(fixture.act.previewNotification(notification.id)), {
    notification,
    message,
    topic: O.none,
    bytes: fixture.ports.pushGateway.bytesOf(message),
    smallerLimits: [],
    recipients: { fcm: 1, apns: 1, webpush: 0, unroutable: 1 },
  })
  t.equal((await done(fixture.act.reportDelivery(manager, { id: notification.id }))).state, 'scheduled')
  t.equal(
    await failure(fixture.act.previewNotification('x' as domain.NotificationId)),
    'NotificationNotFound',
  )
})

t.test('an unavailable store is reported as such', async (t) => {
  const down = () => async () => E.left(domain.unavailable('down'))
  const broken = newFixture({}, ({ notifications, libraryItems }) => ({
    notifications: { ...notifications, add: down },
    libraryItems: { ...libraryItems, findAll: down },
  }))
  t.equal(await failure(create(broken)), 'Unavailable')
  const item = await libraryLive(broken)
  const half = newFixture({}, () => ({ ...broken.ports, notifications: newFixture().ports.notifications }))
  await done(create(half, { resource_id: item.id }))
  const { batches } = await done(half.act.listNotifications(manager, {}))
  const thrown = await collect({ batches, next: O.none }).catch((error: unknown) => error)
  t.match(thrown, { _tag: 'Unavailable' }, 'not as an empty list')
})
