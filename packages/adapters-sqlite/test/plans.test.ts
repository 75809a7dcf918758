import { makeStore } from '@almoner/adapters-kysely'
import type { ClientId } from '@almoner/domain'
import type { TokenDigest } from '@almoner/domain/access'
import type { Visibility } from '@almoner/domain/content'
import { collect, instant, type PageRequest } from '@almoner/domain/values'
import {
  done,
  sampleDay,
  sampleFeedItem,
  sampleId,
  sampleImage,
  sampleLibraryItem,
  sampleNotificationId,
} from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t from 'tap'
import { spiedDatabase } from './spied-database.ts'
import { databaseOf } from './store-of.ts'

const published = (restricted: boolean, until: O.Option<ReturnType<typeof sampleDay>>): Visibility => ({
  kind: 'published',
  restricted,
  until,
})

/** Each kind of caller, with and without embargo, and the word for it in the names of indexes. */
const VISIBILITIES: ReadonlyArray<{ readonly word: string; readonly visibility: Visibility }> = [
  { word: 'all', visibility: { kind: 'everything' } },
  ...[O.none, O.some(sampleDay(900))].flatMap((until) => [
    { word: 'live', visibility: published(true, until) },
    { word: 'public', visibility: published(false, until) },
  ]),
]

const ITEMS = 2000

/** Every kind of window: a page, the whole, a large one; each from the top, from a place, from a rank. */
const windows = <P>(place: P): ReadonlyArray<PageRequest<P>> =>
  [O.none, O.some(place)].flatMap((after) => [
    { lim: O.some(20), offset: 0, after },
    { lim: O.some(20), offset: 30, after },
    { lim: O.some(20), offset: 300, after },
    { lim: O.some(600), offset: 30, after },
    { lim: O.none, offset: 0, after },
  ])

/** The literals that a statement needs to match the condition of a partial index, on every engine (A3). */
const LITERALS: ReadonlyArray<readonly [inName: RegExp, inText: string]> = [
  [/_(live|public)/, "status = 'Live'"],
  [/_public/, 'restricted = 0'],
]

/** Returns the flaws of a list's query plan, which must use only this index. */
const faultOf = (text: string, steps: ReadonlyArray<string>, table: string, index: string): string => {
  const missing = LITERALS.find(([inName, inText]) => inName.test(index) && !text.includes(inText))
  if (missing !== undefined) return `no literal ${missing[1]}`
  const covering = /^select (\w+ as key, id|id) from/.test(text) ? 'COVERING ' : '(COVERING )?'
  const reads = new RegExp(`^(SEARCH|SCAN) ${table} USING ${covering}INDEX ${index}( |$)`)
  const once = steps.length === text.split(` from ${table} `).length - 1
  // Each bound is sought, and of a keyset both columns, not the first alone.
  const sought = steps.filter((step) => step.includes('<')).length === text.split(' <').length - 1
  const whole = steps.every((step) => !step.includes('id)<') || /,id\)<\(\?,\?\)\)$/.test(step))
  const keysets = steps.filter((step) => step.includes(',id)<')).length === text.split('id) <').length - 1
  return once && sought && whole && keysets && steps.every((step) => reads.test(step)) ? '' : steps.join('; ')
}

const manyNotifications = sql`
  insert into notification (id, lang, title, due, started)
  with recursive numbers (n) as (select 0 union all select n + 1 from numbers limit ${ITEMS})
  select
    printf('0190bbbb-0000-7000-8000-%012x', n), case n % 2 when 0 then 'en' else 'fr' end, 'Title',
    case n % 3 when 0 then -1 else n end, 0
  from numbers`

const filled = async (file: string) => {
  const database = await databaseOf(file)
  const store = makeStore(database)
  for (let n = 0; n < ITEMS; n += 1) {
    const when = { id: sampleId(n), publicationDate: sampleDay(n) }
    await done(store.libraryItems.add({ item: sampleLibraryItem(n, when), linksToImages: [] }))
    await done(store.feedItems.add({ item: sampleFeedItem(n), linksToImages: [] }))
  }
  await done(database.write(async (db) => E.right(await manyNotifications.execute(db))))
  // Drafts become what the table allows without images: enough for every index to hold rows.
  await done(
    database.write(async (db) => {
      const some = sql`status = 'Live', restricted = rowid % 3 = 0, lang = case rowid % 2 when 0 then 'en' else 'fr' end`
      const link = sql`cover_url = link, notification_url = link`
      await sql`update library_item set ${some}, ${link} where rowid % 5 <> 0`.execute(db)
      await sql`update feed_item set ${some} where rowid % 5 <> 0`.execute(db)
      return E.right(undefined)
    }),
  )
  return database
}

type Lists = Pick<ReturnType<typeof makeStore>, 'libraryItems' | 'feedItems' | 'notifications'>

/** One list, the table it reads and the index that must serve it. */
interface Case {
  readonly table: string
  readonly index: string
  readonly run: (lists: Lists) => Promise<unknown>
}

const LANGS = [O.none, O.some('fr' as const)]
const KINDS = [O.none, O.some('link' as const)]
const FILTERED = VISIBILITIES.flatMap(({ word, visibility }) =>
  LANGS.map((lang) => ({ word, visibility, lang })),
)

const nameOf = (parts: ReadonlyArray<string>) => parts.filter((part) => part !== '').join('_')

const LIBRARY = FILTERED.flatMap(({ word, visibility, lang }) =>
  windows({ key: sampleDay(1500), id: sampleId(1500) }).map(
    (window): Case => ({
      table: 'library_item',
      index: nameOf(['library_item', word, O.isSome(lang) ? 'lang' : '']),
      run: async ({ libraryItems }) => collect(await done(libraryItems.list({ visibility, lang }, window))),
    }),
  ),
)

const FEED = FILTERED.flatMap(({ word, visibility, lang }) =>
  KINDS.flatMap((kind) =>
    windows({ key: instant(1_700_000_001_500), id: sampleId(1500) }).map(
      (window): Case => ({
        table: 'feed_item',
        index: nameOf(['feed_item', word, O.isSome(lang) ? 'lang' : '', O.isSome(kind) ? 'item_type' : '']),
        run: async ({ feedItems }) => collect(await done(feedItems.list({ visibility, lang, kind }, window))),
      }),
    ),
  ),
)

const NOTIFICATIONS = LANGS.flatMap((lang) =>
  windows({ key: 1500, id: sampleNotificationId(1500) }).map(
    (window): Case => ({
      table: 'notification',
      index: nameOf(['notification_all', O.isSome(lang) ? 'lang' : '']),
      run: async ({ notifications }) => collect(await done(notifications.list({ lang }, window))),
    }),
  ),
)

t.test('C3, C11, G3: every list is read in order from its own index', async (t) => {
  const database = await filled(`${t.testdir()}/almoner.db`)
  const spy = spiedDatabase(database)
  const store = makeStore(spy.database)
  /** Every statement of every list whose plan is not as it must be. */
  const faults = async (indexOf: (list: Case) => string) => {
    const found: Array<readonly [text: string, fault: string]> = []
    for (const list of [...LIBRARY, ...FEED, ...NOTIFICATIONS]) {
      await list.run(store)
      const plans = await spy.plans()
      if (plans.length === 0) throw new Error('nothing was asked')
      for (const { text, steps } of plans) found.push([text, faultOf(text, steps, list.table, indexOf(list))])
    }
    return found.filter(([, fault]) => fault !== '')
  }

  t.strictSame(await faults(({ index }) => index), [], 'without statistics')
  await done(database.write(async (db) => E.right(await sql`analyze`.execute(db))))
  // With statistics SQLite may see that a wider index serves as well; in order, and sought, it must still be.
  t.strictSame(await faults(({ table }) => `${table}_[a-z_]+`), [], 'with statistics')
  await database.close()
})

t.test('J1: items with a schedule are found by the indexes of their moments alone', async (t) => {
  const database = await databaseOf(`${t.testdir()}/almoner.db`)
  const spy = spiedDatabase(database)
  const { libraryItems, feedItems } = makeStore(spy.database)
  const none = { words: [], labelId: O.none, isDonorRestricted: O.none, from: O.none, until: O.none }
  const filters = { ...none, status: O.none, isScheduled: O.some(true) }
  const window = { lim: O.some(20), offset: 0, after: O.none }
  for (const lang of LANGS) {
    const query = { visibility: { kind: 'everything' }, lang, filters } as const
    await done(libraryItems.list(query, window, true))
    await done(feedItems.list({ ...query, kind: O.none }, window, true))
  }
  const plans = await spy.plans()
  t.equal(plans.length, 8, 'a page and a count for each')
  const reads = /^(?:SEARCH|SCAN) (?:library|feed)_item/
  const sought =
    /USING (?:(?:COVERING )?INDEX sqlite_autoindex\w+ \(id=\?\)|COVERING INDEX \w+_(?:publish|archive)_at \()/
  for (const { text, steps } of plans) {
    t.ok(text.includes('publish_at') && text.includes('archive_at'))
    t.strictSame(
      steps.filter((step) => reads.test(step) && !sought.test(step)),
      [],
      text,
    )
  }
  await database.close()
})

/**
 * For a new client SQLite plans to look for tokens that wait for it: only where a foreign key is deferred, which none is.
 */
const isNewClient = (text: string) => text.startsWith('insert into "client" ')

t.test('no other statement scans a whole table, except those that need all of it', async (t) => {
  const database = await databaseOf(`${t.testdir()}/almoner.db`)
  const spy = spiedDatabase(database)
  const { libraryItems, labels, clients, accessTokens, knownImages } = makeStore(spy.database)
  const [item, image] = [sampleLibraryItem(1), sampleImage(1)]
  const client = { id: 'app' as ClientId, name: '', scopes: [], roles: [], email: O.none, disabled: false }
  const digest = '0' as TokenDigest
  await done(libraryItems.add({ item, linksToImages: [image.name] }))
  await libraryItems.change(item.id, () =>
    E.right({ item, storesImages: [image], displaysImages: [], linksToImages: [image.name] }),
  )()
  await libraryItems.change(item.id, () =>
    E.right({ item, storesImages: [], displaysImages: [], linksToImages: [] }),
  )()
  await done(libraryItems.find(item.id))
  await done(knownImages.among([image.name]))
  await done(labels.ofItem('library', item.id))
  await labels.attach('feed', item.id, 'x' as never)()
  await labels.detach('feed', item.id, 'x' as never)()
  await done(clients.add(client, 'hash'))
  await done(clients.find(client.id))
  await done(clients.rotate(client.id, 'hash', O.some(instant(1))))
  await done(clients.setDisabled(client.id, false))
  await done(accessTokens.add({ digest, clientId: client.id, scopes: [], expiresAt: instant(1) }))
  await done(accessTokens.grantOf(digest, instant(0)))
  await done(accessTokens.revoke(digest, client.id))
  await done(accessTokens.purge(instant(0)))
  const plans = (await spy.plans()).filter(({ text }) => !isNewClient(text))
  t.strictSame(
    plans.filter(({ steps }) => steps.some((step) => step.startsWith('SCAN '))),
    [],
  )
  await database.close()
})
