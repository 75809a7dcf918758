import { isDeepStrictEqual } from 'node:util'
import { type ClientId, createAlmoner, type Email, type ItemId } from '@almoner/domain'
import { callerWith } from '@almoner/domain/access'
import { makeLoadLabels, makeRunSchedules } from '@almoner/domain/content'
import type { DataArea } from '@almoner/domain/history'
import { sampleDevice, sampleMoment, samplePortfolio } from '@almoner/testkit/contracts'
import { memoryPushGateway } from '@almoner/testkit/memory'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { API_ROUTES, type Route } from '../../src/index.ts'
import { CLIENTS, done, type Fixture, LABELS, startFixture, type Who } from '../support/fixture.ts'
import { create, IMAGES, SENT, update } from '../support/items.ts'
import {
  filled,
  newFeedItem,
  newInboxEntry,
  newLibraryItem,
  newNotification,
  routeNamed,
} from '../support/samples.ts'
import { imagePath, storedIn, upload } from '../support/uploads.ts'
import { runnerOf, WRITES } from '../support/writes.ts'

// I8: no cacheable route says too few parts of the data, and no write too few.

/** Queries beside none; what a route does not take, it ignores. */
const QUERIES: Readonly<Record<string, ReadonlyArray<string>>> = {
  '/library/': [
    '?include=labels,translation,older,images',
    '?labelId=water',
    '?q=wells&count=true',
    '?lang=fr',
  ],
  '/feed/': ['?include=labels,author,images', '?labelId=water', '?status=Live'],
}

interface Ids {
  readonly library: string
  readonly feed: string
  readonly notification: string
  readonly counterpart: string
}

/** Every cacheable route, with the addresses that are asked. */
const readsOn = ({ library, feed, notification }: Ids) =>
  API_ROUTES.filter(({ readsOf }) => readsOf !== undefined).flatMap((route) => {
    const itemId = route.path.startsWith('/library') ? library : feed
    const id = route.path.startsWith('/notification') ? notification : 'acme'
    const path = filled(route.path, { itemId, id, labelId: 'water', sectorId: 'water' })
    const named = route.path.includes(':itemId') ? { itemId } : {}
    const ofOne = route.operation.endsWith('ById') ? ['?id=acme'] : ['']
    return [...ofOne, ...(QUERIES[route.path] ?? [])].map((query) => ({
      route,
      address: `${path}${query}`,
      said: route.readsOf?.(named, Object.fromEntries(new URLSearchParams(query))),
    }))
  })
type Read = ReturnType<typeof readsOn>[number]

const UNREGISTERED = { _tag: 'Unregistered', reason: 'NotRegistered' } as const

const act = { at: sampleMoment(0), actor: { kind: 'command', id: 'test' }, action: 'delete-item' } as const

/** What else writes, beside the API: the console, jobs and the command line. */
const othersOf = (fixture: Fixture, ids: Ids): Readonly<Record<string, () => Promise<unknown>>> => {
  const { ports, clock } = fixture
  const remove = (type: 'library' | 'feed') => async () => {
    const store = type === 'library' ? ports.libraryItems : ports.feedItems
    const decide = () => E.right({ deletionId: `one-${type}`, act })
    await done(store.remove(ids[type] as never, decide as never) as never)
  }
  const putBack = (type: 'library' | 'feed') => async () => {
    const store = type === 'library' ? ports.libraryItems : ports.feedItems
    await done(
      store.putBack(
        ids[type] as never,
        { deletionId: `one-${type}`, act } as never,
        sampleMoment(-9e9),
      ) as never,
    )
  }
  const almoner = createAlmoner(ports)
  const sending = createAlmoner({ ...ports, pushGateway: memoryPushGateway(() => UNREGISTERED) })
  const some = async (purge: TaskEither<unknown, number>) => {
    if ((await done(purge)) === 0) throw new Error('there was nothing to purge')
  }
  const manager = callerWith('content-manager')
  const target = { contentType: 'library' as const, itemId: ids.library as ItemId }
  let proposals = 0
  const propose = (over: object = {}) => {
    proposals += 1
    const fields = { ...SENT.library, itemTitle: `Proposal ${proposals}` }
    return done(almoner.proposals.propose(manager, { ...target, fields, ...over }, O.none))
  }
  return {
    'publish library': () => update(fixture, 'library', ids.library, { ...IMAGES, status: 'Live' }),
    'publish a proposal': async () => {
      const { id } = await propose()
      await done(almoner.proposals.publish(manager, { ...target, proposalId: id }, O.none))
    },
    'run proposals': async () => {
      await propose({ publishAt: O.some(clock.now()) })
      await done(almoner.maintenance.runProposals())
    },
    'upload for its size': () => upload(fixture, imagePath('feed', ids.feed)),
    'record a size': async () => {
      for (const name of await storedIn(fixture))
        await done(ports.knownImages.recordSize(name as never, O.some({ width: 3, height: 4 }) as never))
    },
    'attach before a load': () =>
      fixture.call('POST', `/feed/${ids.feed}/label`, { as: 'manager', json: { labelId: 'water' } }),
    'load labels': () =>
      done(makeLoadLabels(ports)(LABELS.map((label) => ({ ...label, en: `${label.en} now` })))),
    'set a schedule': async () => {
      const publishAt = String(Math.floor(clock.now() / 1000))
      await update(fixture, 'feed', ids.feed, { status: 'Draft' })
      await update(fixture, 'feed', ids.feed, { status: 'Draft', publishAt })
    },
    'run schedules': () => done(makeRunSchedules(ports)()),
    'start sending': () => newInboxEntry(fixture),
    'import people': () =>
      done(
        ports.users.putAll([
          { email: 'unknown@example.org' as Email, lang: 'en', subscribed: true, topics: [] },
        ]),
      ),
    'attach a device': () =>
      done(ports.devices.attach(sampleDevice(1, { email: 'unknown@example.org' as Email }))),
    'start sending to it': () => newInboxEntry(fixture),
    'send to a device that is dead': () => done(sending.notifications.review({ window: 1 })),
    'restore dead devices': () => some(ports.deadDevices.restore({ provider: O.none, since: O.none })),
    'send to it again': async () => {
      await newInboxEntry(fixture)
      await done(sending.notifications.review({ window: 1 }))
    },
    'purge dead devices': () => some(ports.deadDevices.purge(clock.now())),
    'purge rows of deliveries': () => some(ports.retention.purgeDeliveries(clock.now())),
    'purge notifications': () => some(ports.retention.purgeNotifications(clock.now())),
    'remove library': remove('library'),
    'put back library': putBack('library'),
    'remove feed': remove('feed'),
    'put back feed': putBack('feed'),
  }
}

t.test(
  'I8: after a write of any kind each cached response is what a server without a cache responds with',
  async (t) => {
    const folder = t.testdir()
    const keeping = await startFixture(folder, { unwatched: true, logLevel: 'fatal' })
    t.teardown(keeping.stop)
    const plain = await startFixture(folder, { after: keeping, keep: 0, unwatched: true, logLevel: 'fatal' })
    t.teardown(plain.stop)
    const { itemId: counterpart } = await create(keeping, 'library', { lang: 'fr' })
    const ids: Ids = {
      ...{ library: await newLibraryItem(keeping), feed: await newFeedItem(keeping) },
      ...{ notification: await newNotification(keeping), counterpart },
    }
    const reads = readsOn(ids)
    const ask = async (fixture: Fixture, { address }: Read) =>
      (await fixture.call('GET', address, { as: 'manager' })).text()
    const versionOf = (read: Read, but?: DataArea) =>
      keeping.versions?.version(read.said?.filter((part) => part !== but && !part.startsWith(`${but}/`)))

    /** The routes that a write has changed, and the areas without which a route would have said too little. */
    const [changed, needed] = [new Set<string>(), new Set<string>()]
    const areas: ReadonlyArray<DataArea> = [
      'library',
      'feed',
      'labels',
      'images',
      'portfolio',
      'notifications',
    ]
    const withoutEach = (read: Read) => areas.map((area) => versionOf(read, area))
    const before = new Map<Read, string>()
    for (const read of reads) before.set(read, await ask(keeping, read))
    const { accessTokens, secrets } = keeping.ports
    const digests = await Promise.all(
      (Object.keys(CLIENTS) as ReadonlyArray<Who>).map(async (who) =>
        secrets.digest(await keeping.token(who)),
      ),
    )
    /** The rights of all callers, and the version that kept callers depend on. */
    const rights = async () => ({
      version: keeping.versions?.version(['access']),
      grants: await Promise.all(
        digests.map((digest) => done(accessTokens.grantOf(digest as never, keeping.clock.now()))),
      ),
    })
    /** The writes after which a caller has other rights. */
    const ofRights: Array<string> = []
    const compare = async (
      name: string,
      write: () => Promise<unknown>,
      among: ReadonlyArray<Read>,
    ): Promise<void> => {
      const versions = among.map(withoutEach)
      const had = await rights()
      await write()
      const has = await rights()
      if (!isDeepStrictEqual(has.grants, had.grants)) {
        ofRights.push(name)
        t.not(has.version, had.version, `${name}: kept callers end`)
      }
      const look = (fixture: Fixture) => Promise.all(among.map((read) => ask(fixture, read)))
      const [cached, present] = [await look(keeping), await look(plain)]
      t.strictSame(cached, present, name)
      for (const [n, read] of among.entries()) {
        if (present[n] === before.get(read)) continue
        before.set(read, present[n] ?? '')
        changed.add(read.route.operation)
        const now = withoutEach(read)
        for (const area of areas.filter((_, index) => now[index] === versions[n]?.[index])) needed.add(area)
      }
    }

    const frequent = reads.filter(({ route }) => route.tag !== 'Portfolio')
    const run = runnerOf(keeping, ids)
    const succeed = async (route: Route, own: Parameters<typeof run>[1]) =>
      t.equal((await run(route, own)).response.status, 200, route.operation)
    for (const [name, , own] of WRITES.filter(([name]) => name !== 'deleteNotification'))
      await compare(name, () => succeed(routeNamed(name), own), frequent)
    for (const [name, write] of Object.entries(othersOf(keeping, ids))) await compare(name, write, frequent)
    // A response that an earlier write has left behind still is: nothing has ended it meanwhile.
    await compare('nothing', async () => {}, reads)
    await compare('a portfolio', () => done(keeping.ports.portfolio.replace(samplePortfolio())), reads)
    const content = await done(keeping.ports.portfolio.content())
    const reviewed = { before: content, content: { ...content, sectors: content.sectors.slice(1) } }
    await compare(
      'a reviewed portfolio',
      () => done(keeping.ports.portfolio.replaceReviewed(reviewed)),
      reads,
    )
    await compare('delete', () => succeed(routeNamed('deleteNotification'), undefined), frequent)
    const { clients } = keeping.ports
    const id = (who: Who) => who as string as ClientId
    await compare('disable a client', () => done(clients.setDisabled(id('user'), true)), [])
    await compare('enable it again', () => done(clients.setDisabled(id('user'), false)), [])
    const token = secrets.digest(await keeping.token('admin'))
    await compare('revoke a token', () => done(accessTokens.revoke(token as never, id('admin'))), [])

    t.strictSame(
      reads.map(({ route }) => route.operation).filter((operation) => !changed.has(operation)),
      [],
      'a write has changed what each route responds with',
    )
    t.strictSame(
      ofRights,
      ['eraseUser', 'disable a client', 'enable it again', 'revoke a token'],
      'no other write changes rights',
    )
    t.strictSame(
      areas.filter((area) => !needed.has(area)),
      [],
      'a route that left out any of these would be found',
    )
  },
)
