import { DEFAULT_POLICY, mediaAddressesBelow } from '@almoner/domain'
import { type Caller, clientActor, type Scope } from '@almoner/domain/access'
import {
  ListFeedItems,
  ListLibraryItems,
  makeListFeedItems,
  makeListLibraryItems,
} from '@almoner/domain/content'
import { instant } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { Store } from '../../../packages/adapters-kysely/src/index.ts'
import { collect } from '../../../packages/domain/src/values/index.ts'
import { done, sampleDay } from '../../../packages/testkit/src/contracts/index.ts'
import { WORDS } from '../../bench/finding-dataset.ts'

/** A kind of request or job, done once. */
export interface Workload {
  readonly name: string
  readonly work: () => Promise<unknown>
}

const callerWith = (...scopes: ReadonlyArray<Scope>): Caller => ({
  clientId: 'campaign' as never,
  scopes: new Set(scopes),
  roles: new Set(),
  email: O.none,
  actor: clientActor('campaign' as never),
})
const MANAGER = callerWith('content-manager', 'user-donor', 'user')
const USER = callerWith('user')

/** A moment after all rows. */
const END = instant(2_000_000_000_000)

const frequent = WORDS.slice(0, 3)
const q = (...words: ReadonlyArray<string>) => words.join(' ')

/** Whole collections are read to their end, as a quick client does. */
const lists = (store: Store, items: number): ReadonlyArray<Workload> => {
  const ports = {
    ...store,
    clock: { now: () => END },
    mediaAddresses: mediaAddressesBelow('http://localhost'),
  }
  const library = makeListLibraryItems(ports, DEFAULT_POLICY)
  const feed = makeListFeedItems(ports, DEFAULT_POLICY)
  const read = async (caller: Caller, kind: 'library' | 'feed', query: Record<string, string>) => {
    const codec = kind === 'library' ? ListLibraryItems : ListFeedItems
    const asked = codec.decode(query)
    if (asked._tag === 'Left') throw new Error(JSON.stringify(asked.left))
    const list = kind === 'library' ? library : feed
    for await (const _ of (
      (await done(list(caller, asked.right as never) as never)) as { batches: AsyncIterable<unknown> }
    ).batches) {
      // Read to the end.
    }
  }
  const as = (name: string, caller: Caller, kind: 'library' | 'feed', query: Record<string, string>) => ({
    name: `${name} \`GET /${kind}/?${Object.entries(query)
      .map(([key, value]) => `${key}=${value.length > 40 ? '…' : value}`)
      .join('&')}\``,
    work: () => read(caller, kind, query),
  })
  const [far, absent] = [String(Math.floor(items * 0.7)), `${frequent.join(' ')} zzzzz`]
  const day = { from: sampleDay(100), to: sampleDay(2000) }
  const page = { lim: '20' }
  const both = (name: string, kind: 'library' | 'feed', query: Record<string, string>) => [
    as(`manager, ${name}`, MANAGER, kind, query),
    as(`user, ${name}`, USER, kind, query),
  ]
  return [
    ...both('first page', 'library', page),
    ...both('largest page', 'library', { lim: '500' }),
    ...both('deep page', 'library', { lim: '20', offset: far }),
    ...both('beyond the end', 'library', { lim: '20', offset: '2147483647' }),
    ...both('count', 'library', { ...page, count: 'true' }),
    ...both('count of a language', 'library', { ...page, count: 'true', lang: 'fr' }),
    ...both('a frequent word', 'library', { ...page, q: q(...frequent.slice(0, 1)) }),
    ...both('a frequent word, deep', 'library', {
      lim: '20',
      offset: '300000',
      q: q(...frequent.slice(0, 1)),
    }),
    ...both('a frequent word, counted', 'library', { ...page, q: q(...frequent.slice(0, 1)), count: 'true' }),
    ...both('words of which no item has all', 'library', { ...page, q: absent }),
    ...both('three frequent words, counted', 'library', { ...page, q: q(...frequent), count: 'true' }),
    ...both('one letter, counted', 'library', { ...page, q: 'a', count: 'true' }),
    ...both('letters of which no item has all', 'library', { ...page, q: 'b c d x9z' }),
    ...both('a label', 'library', { ...page, labelId: 'label-0' }),
    ...both('a label, deep', 'library', { lim: '20', offset: '300000', labelId: 'label-0' }),
    ...both('a label, counted', 'library', { ...page, labelId: 'label-0', count: 'true' }),
    ...both('a label and a word', 'library', { ...page, labelId: 'label-9', q: q(...frequent.slice(0, 1)) }),
    ...both('a label in a language', 'library', { ...page, labelId: 'label-0', lang: 'fr' }),
    ...both('a status', 'library', { ...page, status: 'Archived', isDonorRestricted: '0' }),
    ...both('restricted', 'library', { ...page, isDonorRestricted: '1', count: 'true' }),
    ...both('some days, counted', 'library', { ...page, ...day, count: 'true' }),
    ...both('some days, deep', 'library', { lim: '20', offset: '200000', ...day }),
    ...both('a word of some days', 'library', { ...page, ...day, q: q(...frequent.slice(0, 1)) }),
    ...both('members of a page', 'library', { lim: '500', include: 'labels,translation' }),
    as('manager, whole collection', MANAGER, 'library', {}),
    as('manager, a large page', MANAGER, 'library', { lim: '2000', offset: far }),
    as('manager, a large page of a label', MANAGER, 'library', {
      lim: '2000',
      offset: '300000',
      labelId: 'label-0',
    }),
    as('user, whole collection of a rare kind', USER, 'library', {
      labelId: 'label-0',
      isDonorRestricted: '1',
    }),
    ...both('first page', 'feed', page),
    ...both('of a type', 'feed', { ...page, itemType: 'photo' }),
    ...both('deep page', 'feed', { lim: '20', offset: far }),
    ...both('deep page of a type', 'feed', { lim: '20', offset: '300000', itemType: 'photo' }),
    ...both('of no such type and status', 'feed', { ...page, itemType: 'vlink', status: 'Draft' }),
    ...both('restricted, counted', 'feed', { ...page, isDonorRestricted: '1', count: 'true' }),
  ]
}

const ports = (store: Store): ReadonlyArray<Workload> => {
  const page = { lim: O.some(50), offset: 0, after: O.none }
  const deep = { lim: O.some(50), offset: 600_000, after: O.none }
  const audit = { since: O.none, until: O.none, actor: O.none, action: O.none, subject: O.none }
  const actor = { ...audit, actor: O.some('app') } as never
  const rare = { ...audit, actor: O.some('app'), action: O.some('delete-client') } as never
  const own = (lang: O.Option<'en' | 'fr'>) => ({ email: 'author@example.org' as never, lang })
  const take = async (task: Parameters<typeof done>[0]) => {
    const listed = (await done(task)) as { readonly batches?: AsyncIterable<ReadonlyArray<unknown>> }
    if (listed?.batches !== undefined) await collect(listed as never)
  }
  const work = (name: string, task: () => Parameters<typeof done>[0]) => ({ name, work: () => take(task()) })
  const all = async (batches: AsyncIterable<unknown>) => {
    for await (const _ of batches) {
      // Read to the end.
    }
  }
  return [
    work('own posts', () => store.feedAuthors.list(own(O.none), page)),
    work('own posts, deep', () => store.feedAuthors.list(own(O.none), deep)),
    work('own posts of a language', () => store.feedAuthors.list(own(O.some('fr')), deep)),
    work('history of an item', () =>
      store.history.revisions(
        { contentType: 'library', itemId: '0190aaaa-0000-7000-8000-000000000001' as never },
        page,
      ),
    ),
    work('audit', () => store.history.audit(audit as never, page)),
    work('audit, deep', () => store.history.audit(audit as never, deep)),
    work('audit of an actor', () => store.history.audit(actor, page)),
    work('audit of an actor and an action that it never did', () => store.history.audit(rare, page)),
    {
      name: 'audit, all records',
      work: () =>
        all(store.history.records({ ...audit, since: O.some(instant(1_760_900_000_000)) } as never)),
    },
    work('notifications', () => store.notifications.list({ lang: O.none }, page)),
    work('notifications, deep', () => store.notifications.list({ lang: O.none }, deep)),
    work('delivery report of a notification', () =>
      store.notifications.find('0190aaaa-0000-7000-a000-000000000000' as never),
    ),
    work('devices of an audience', () => store.devices.audience({ lang: 'en', labelId: O.none })),
    work('devices of unknown kind', () => store.devices.countUnroutable()),
    {
      name: 'devices that are dead',
      work: () => all(store.deadDevices.list({ provider: O.none, since: O.none }).batches),
    },
    work('statistics', () =>
      store.statistics.survey([instant(1_760_000_000_000), instant(1_760_500_000_000)]),
    ),
    work('desk', () => store.statistics.desk()),
    work('published in twelve months', () =>
      store.statistics.published(
        Array.from({ length: 13 }, (_, n) => ({
          first: sampleDay(n * 300),
          begins: instant(1_760_000_000_000 + n * 80_000_000),
        })) as never,
      ),
    ),
    work('people search', () => store.personalData.search('reader-99999', 20)),
    work('people search without a match', () => store.personalData.search('nothing', 20)),
    work('everything about a person', () => store.personalData.find('reader-3@example.org' as never)),
    work('queue of a scrape', () => store.deliveries.queue(END)),
    work('backlog', () => store.deliveries.backlog()),
    work('retention', () => store.retention.oldestEnded()),
    { name: 'all users', work: () => all(store.users.all()) },
  ]
}

const jobs = (store: Store): ReadonlyArray<Workload> => {
  const purge = (name: string, task: () => Parameters<typeof done>[0]) => ({
    name: `purge of ${name}`,
    work: () => done(task()),
  })
  return [
    purge('tokens', () => store.accessTokens.purge(END)),
    purge('history', () => store.history.purge(END)),
    purge('rows of deliveries', () => store.retention.purgeDeliveries(END)),
    purge('ended notifications', () => store.retention.purgeNotifications(END)),
    purge('what deleted notifications left', () => store.notifications.purge()),
    purge('dead devices', () => store.deadDevices.purge(END)),
    purge('idempotency keys', () => store.idempotencyKeys.purge(END)),
  ]
}

/** All kinds of requests and jobs whose work may grow with the tables. */
export const workloads = (store: Store, items: number): ReadonlyArray<Workload> => [
  ...lists(store, items),
  ...ports(store),
  ...jobs(store),
]
