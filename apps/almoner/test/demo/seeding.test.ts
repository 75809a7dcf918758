import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FeedItem, LibraryItem, Ports } from '@almoner/domain'
import { makeCheckCredentials } from '@almoner/domain/access'
import { deliveryOf, type Notification } from '@almoner/domain/notifications'
import type { User } from '@almoner/domain/people'
import { WHOLE_COLLECTION } from '@almoner/domain/values'
import {
  done,
  sampleClient,
  sampleEmail,
  sampleFeedItem,
  sampleNotification,
  samplePortfolio,
} from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import demoFeed from '../../demo/feed.json' with { type: 'json' }
import labels from '../../demo/labels.json' with { type: 'json' }
import demoLibrary from '../../demo/library.json' with { type: 'json' }
import demoNotifications from '../../demo/notifications.json' with { type: 'json' }
import demoPeople from '../../demo/people.json' with { type: 'json' }
import { demoFiles } from '../../src/commands/tour.ts'
import { seedOnce } from '../../src/demo/demonstration.ts'
import { type Cut, type Fixture, makeFixture } from '../support/seeding-fixture.ts'

const ALL = { visibility: { kind: 'everything' }, lang: O.none, kind: O.none } as const

const everything = async <A>(batches: AsyncIterable<ReadonlyArray<A>>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const batch of batches) all.push(...batch)
  return all
}

const libraryOf = async ({ libraryItems }: Ports) =>
  everything<LibraryItem>((await done(libraryItems.list(ALL, WHOLE_COLLECTION))).batches)

const feedOf = async ({ feedItems }: Ports) =>
  everything<FeedItem>((await done(feedItems.list(ALL, WHOLE_COLLECTION))).batches)

const peopleOf = async ({ users, devices }: Ports) =>
  Promise.all(
    (await everything<User>(users.all())).map(async (user) => ({
      ...user,
      devices: (await everything(devices.ofUser(user.email).batches)).map(
        ({ token, kind, attachedAt }) => [token, kind, attachedAt] as const,
      ),
    })),
  )

const notificationsOf = async ({ notifications }: Ports) => {
  const list = await done(notifications.list({ lang: O.none }, WHOLE_COLLECTION))
  return Promise.all(
    (await everything<Notification>(list.batches)).map(async ({ id, title, date }) => {
      const found = await done(notifications.find(id))
      if (O.isNone(found)) throw new Error(`no ${title}`)
      const { state, tally } = deliveryOf({ id, date }, found.value.progress)
      return { title, date, state, tally }
    }),
  )
}

/** What matters of a seeded service, without identifiers and names of files. */
const summaryOf = async ({ ports, files }: Fixture) => ({
  labels: await done(ports.labels.all()),
  library: (await libraryOf(ports)).map(({ title, status, images, publicationDate, createdAt }) => {
    const pictures = [images.cover, images.notification].filter(O.isSome).length
    return [title, status, pictures, publicationDate, createdAt]
  }),
  feed: (await feedOf(ports)).map(({ title, status, content, createdAt }) => {
    return [title, status, content.kind, O.isSome(content.image), createdAt]
  }),
  carried: await Promise.all(
    (await libraryOf(ports)).map(async ({ id }) => (await done(ports.labels.ofItem('library', id))).length),
  ),
  people: await peopleOf(ports),
  notifications: await notificationsOf(ports),
  portfolio: await done(ports.portfolio.content()),
  clients: await done(ports.clients.all()),
  files: files.size,
})

const seededIn = (folder: string, fixture: Fixture, cut?: Cut) =>
  seedOnce(fixture.seeding(cut), demoFiles(join(folder, 'almoner.db')))()

const credentialsIn = (folder: string): ReadonlyArray<{ client_id: string; client_secret: string }> =>
  JSON.parse(readFileSync(join(folder, 'demo-credentials.json'), 'utf8'))

t.test('serve --demo fills an empty database with all of the demo content, in all states', async (t) => {
  const [folder, fixture] = [t.testdir(), makeFixture()]
  const seeded = await seededIn(folder, fixture)
  t.ok(E.isRight(seeded) && O.isSome(seeded.right))
  const { labels: held, library, feed, clients, files } = await summaryOf(fixture)
  t.strictSame(held, labels)
  t.strictSame(
    library.map(([title, status, pictures]) => [title, status, pictures]),
    demoLibrary.map(({ itemTitle, status }) => [itemTitle, status, 2]).toReversed(),
  )
  t.strictSame(
    feed.map(([title, status, kind, image]) => [title, status, kind, image]),
    demoFeed
      .map(({ itemTitle, status, itemType, image }) => [itemTitle, status, itemType, image !== undefined])
      .toReversed(),
    'C3: newest first, in the order of the content',
  )
  t.strictSame(
    clients.map(({ id }) => id),
    ['demo-donor', 'demo-manager', 'demo-user', 'demo-users'],
  )
  t.equal(files, 2 * demoLibrary.length + demoFeed.filter(({ image }) => image !== undefined).length)
})

t.test('J8: the demo has three pairs of publications, one of which has an older side', async (t) => {
  const [folder, fixture] = [t.testdir(), makeFixture()]
  await seededIn(folder, fixture)
  const { ports } = fixture
  const ids = (await libraryOf(ports)).map(({ id }) => id)
  t.equal((await done(ports.translations.ofItems(ids))).size, 6)
  const older = await done(ports.translations.older(5))
  t.equal(older.length, 1)
  const [item] = await done(ports.libraryItems.findAll(older))
  t.equal(item?.title, 'The Nurse Arrives by Bicycle')
})

t.test('the demo has readers of both languages, with devices of every kind', async (t) => {
  const [folder, fixture] = [t.testdir(), makeFixture()]
  await seededIn(folder, fixture)
  const people = await peopleOf(fixture.ports)
  t.strictSame(
    people.map(({ email, lang, subscribed, devices }) => [
      email,
      lang,
      subscribed,
      devices.map(([token]) => token),
    ]),
    demoPeople.map(({ email, lang, subscribed, devices }) => [email, lang, subscribed, devices]),
  )
  const devices = people.flatMap((person) => person.devices)
  t.equal(devices.length, 18)
  t.strictSame(
    [...new Set(devices.map(([, kind]) => kind))].sort(),
    ['apns', 'fcm', 'webpush'],
    'F5: of every kind that can be reached, so that doctor has nothing to say',
  )
  t.ok(devices.every(([, , attachedAt]) => attachedAt < fixture.seeding().now))
  t.equal(people.filter(({ subscribed }) => !subscribed).length, 1)
  const [donor] = (await done(fixture.ports.clients.all())).filter(({ id }) => id === 'demo-donor')
  t.strictSame(donor?.email, O.some(people[0]?.email), 'F3: the donor’s client acts for one of them')
})

t.test('one notification has been sent, one is due in a minute and one has no date', async (t) => {
  const [folder, fixture] = [t.testdir(), makeFixture()]
  await seededIn(folder, fixture)
  const { now } = fixture.seeding()
  const [soon, sent, never, ...others] = await notificationsOf(fixture.ports)
  t.match(soon, { date: O.some(now + 60_000), state: 'scheduled' })
  t.match(sent, { state: 'partial', tally: { delivered: 6, failed: 1, dead: 0, skipped: 0 } })
  t.match(never, { date: O.none, state: 'unscheduled' })
  t.strictSame(others, [])
  t.strictSame(
    new Set([soon, sent, never].map((one) => one?.title)),
    new Set(demoNotifications.map(({ title }) => title)),
  )
  const views = await done(fixture.ports.notifications.list({ lang: O.none }, WHOLE_COLLECTION))
  const [about] = (await everything<Notification>(views.batches)).map(({ resourceId }) => resourceId)
  const live = (await libraryOf(fixture.ports)).filter(({ status }) => status === 'Live')
  t.ok(
    live.some(({ id }) => O.isSome(about ?? O.none) && O.getOrElse(() => '')(about ?? O.none) === id),
    'G1: it is about a Live publication',
  )
})

t.test('demo content has dates of the past weeks, and its ids grow', async (t) => {
  const [folder, fixture] = [t.testdir(), makeFixture()]
  await seededIn(folder, fixture)
  const { now } = fixture.seeding()
  const day = 24 * 3_600_000
  const posts = await feedOf(fixture.ports)
  t.ok(posts.every(({ createdAt, updatedAt }) => createdAt <= updatedAt && updatedAt < now))
  t.ok(new Set(posts.map(({ createdAt }) => Math.floor(createdAt / day))).size > posts.length / 2)
  t.ok((posts.at(-1)?.createdAt ?? now) > now - 60 * day)
  const ids = posts.map(({ id }) => id)
  t.strictSame(ids, ids.toSorted().toReversed())
  t.ok((await libraryOf(fixture.ports)).every(({ updatedAt }) => updatedAt < now))
})

t.test('the credentials are valid, and stored in a file that only its owner can read', async (t) => {
  const [folder, fixture] = [t.testdir(), makeFixture()]
  const seeded = await seededIn(folder, fixture)
  t.strictSame(seeded, E.right(O.some(credentialsIn(folder))))
  t.equal(statSync(join(folder, 'demo-credentials.json')).mode & 0o777, 0o600)
  t.match(credentialsIn(folder), [
    { client_id: 'demo-user', scope: 'user', roles: [], email: '' },
    { client_id: 'demo-donor', scope: 'user user-donor', email: 'amina@example.org' },
    { client_id: 'demo-manager', scope: 'content-manager' },
    { client_id: 'demo-users', scope: 'user-donor', roles: ['user-manager'] },
  ])
  for (const { client_id: clientId, client_secret: secret } of credentialsIn(folder))
    await done(makeCheckCredentials(fixture.ports)({ clientId, secret, address: '127.0.0.1' }))
})

t.test(
  'seeding that is interrupted at any point is completed by the next start, with the same result',
  async (t) => {
    const whole = makeFixture()
    await seededIn(t.testdir({ whole: {}, cut: {} }), whole)
    const expected = await summaryOf(whole)
    const cuts = fc.record({ at: fc.integer({ min: 1, max: whole.writes() }), written: fc.boolean() })
    const folder = join(t.testdirName, 'cut')
    const { marker } = demoFiles(join(folder, 'almoner.db'))
    await fc.assert(
      fc.asyncProperty(cuts, async (cut) => {
        const fixture = makeFixture()
        t.match(await seededIn(folder, fixture, cut), { _tag: 'Left', left: { _tag: 'Unavailable' } })
        t.ok(existsSync(marker))
        const finished = await seededIn(folder, fixture)
        t.ok(E.isRight(finished) && O.isSome(finished.right))
        t.notOk(existsSync(marker))
        // A file whose item did not come to know of it is an orphan for the sweep (D5).
        const { files, ...summary } = await summaryOf(fixture)
        t.ok(files - expected.files <= 1)
        t.strictSame({ ...summary, files: expected.files }, expected)
        for (const { client_id: clientId, client_secret: secret } of credentialsIn(folder))
          await done(makeCheckCredentials(fixture.ports)({ clientId, secret, address: '127.0.0.1' }))
      }),
      {
        numRuns: 25,
        // What an interrupted delivery has claimed is taken over (I9).
        examples: [whole.writes(), whole.writes() - 2, ...whole.writesTo('deliveries')].map((at) => [
          { at, written: true },
        ]),
      },
    )
  },
)

t.test('only --demo creates content, and only in an empty database', async (t) => {
  const folder = t.testdir()
  const [withClient, withItem, withUser, withNotification, withPortfolio, seeded] = [
    makeFixture(),
    makeFixture(),
    makeFixture(),
    makeFixture(),
    makeFixture(),
    makeFixture(),
  ]
  await done(withClient.ports.clients.add(sampleClient('app'), 'hash'))
  await done(withItem.ports.feedItems.add({ item: sampleFeedItem(1), linksToImages: [] }))
  await done(withPortfolio.ports.portfolio.replace(samplePortfolio()))
  await done(withUser.ports.users.prefer(sampleEmail(1), {}))
  await done(withNotification.ports.notifications.add(sampleNotification(1)))
  t.ok(E.isRight(await seededIn(folder, seeded)))
  for (const fixture of [withClient, withItem, withUser, withNotification, withPortfolio, seeded]) {
    const before = await summaryOf(fixture)
    t.strictSame(await seededIn(folder, fixture), E.right(O.none))
    t.strictSame(await summaryOf(fixture), before)
  }
})

t.test('a marker next to a database with other clients is ignored', async (t) => {
  const [folder, fixture] = [t.testdir(), makeFixture()]
  writeFileSync(demoFiles(join(folder, 'almoner.db')).marker, '')
  await done(fixture.ports.clients.add(sampleClient('app'), 'hash'))
  t.strictSame(await seededIn(folder, fixture), E.right(O.none))
  t.equal((await feedOf(fixture.ports)).length, 0)
})
