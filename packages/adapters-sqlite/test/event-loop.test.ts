import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseUnavailable, UNBOUNDED } from '@almoner/adapters-kysely'
import type { ItemFilters } from '@almoner/domain/content'
import { collect, instant, type LocalDate, WHOLE_COLLECTION } from '@almoner/domain/values'
import { done, sampleDay, sampleEmail, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { openThread } from '../src/threads/open-thread.ts'
import { type Opened, storeOf } from './store-of.ts'

/** Collects the statements that this thread prepares from now on, except the ones that begin and end transactions. */
const preparedHere = (t: Test) => {
  const texts: Array<string> = []
  const { prepare } = Database.prototype
  t.teardown(() => {
    Database.prototype.prepare = prepare
  })
  Database.prototype.prepare = function (this: Database.Database, text: string) {
    if (/^\s*(select|with|delete|update)/i.test(text)) texts.push(text)
    return prepare.call(this, text)
  } as typeof prepare
  return texts
}

const NONE: ItemFilters<LocalDate> = {
  words: [],
  labelId: O.none,
  status: O.none,
  isDonorRestricted: O.none,
  isScheduled: O.none,
  from: O.none,
  until: O.none,
}

const PAGE = { lim: O.some(20), offset: 0, after: O.none }
const AUDIT = { since: O.none, until: O.none, actor: O.none, action: O.none, subject: O.none } as const

/** Kinds of reads whose work may grow with the tables. */
const longReads = (store: Opened): Readonly<Record<string, () => Promise<unknown>>> => {
  const list = (filters: Partial<typeof NONE>, page: object = PAGE, isCounted = false) => {
    const query = {
      visibility: { kind: 'everything' as const },
      lang: O.none,
      ...(Object.keys(filters).length > 0 && { filters: { ...NONE, ...filters } }),
    }
    return async () => collect(await done(store.libraryItems.list(query, { ...PAGE, ...page }, isCounted)))
  }
  const many = Array.from({ length: 500 }, (_, n) => sampleId(n))
  const own = { email: sampleEmail(1), lang: O.some('fr' as const) }
  const audit = { ...AUDIT, actor: O.some('a'), action: O.some('create-item') } as never
  const words = { id: O.none, joined: O.none, words: ['x'] } as never
  return {
    'a word': list({ words: ['title'] }),
    'words of which no item has all': list({ words: ['title', 'absent', 'text'] }),
    'a label': list({ labelId: O.some('a' as never) }),
    'a status': list({ status: O.some('Archived') }),
    'restricted items': list({ isDonorRestricted: O.some(true) }),
    days: list({ from: O.some(sampleDay(1)), until: O.some(sampleDay(3)) }),
    'a filtered collection': list({ words: ['title'] }, { lim: O.none }),
    'a large filtered page': list({ words: ['title'] }, { lim: O.some(1000) }),
    'a count': list({}, {}, true),
    'a count of all': list({}, { lim: O.none }, true),
    'a filtered count': list({ words: ['title'] }, {}, true),
    'a deep page': list({}, { offset: 5000 }),
    'beyond the end': list({}, { offset: 2_147_483_647 }),
    'own posts of a language': () => done(store.feedAuthors.list(own, PAGE)),
    'own posts, deep': () =>
      done(store.feedAuthors.list({ ...own, lang: O.none }, { ...PAGE, offset: 5000 })),
    'records of an actor and an action': () => done(store.history.audit(audit, PAGE)),
    'records, deep': () => done(store.history.audit(AUDIT, { ...PAGE, offset: 5000 })),
    'notifications, deep': () => done(store.notifications.list({ lang: O.none }, { ...PAGE, offset: 5000 })),
    'organizations by name': () => done(store.portfolio.organizations(words, PAGE)),
    'images of the portfolio': () => done(store.portfolio.images()),
    'labels of many items': () => done(store.labels.ofItems('library', many)),
    'counterparts of many items': () => done(store.translations.ofItems(many)),
    statistics: () => done(store.statistics.survey([instant(0)])),
    desk: () => done(store.statistics.desk()),
    'published items': () =>
      done(
        store.statistics.published([1, 2].map((n) => ({ first: sampleDay(n), begins: instant(n) })) as never),
      ),
    'people by a part of their address': () => done(store.personalData.search('example', 5)),
    'everything about a person': () => done(store.personalData.find(sampleEmail(1))),
    'devices of an audience': () => done(store.devices.audience({ lang: 'en', labelId: O.none })),
  }
}

t.test('I6: a read that filters, counts or passes over an offset leaves the event loop free', async (t) => {
  const store = await storeOf(join(t.testdir(), 'almoner.db'))
  for (let n = 0; n < 5; n += 1)
    await done(store.libraryItems.add({ item: sampleLibraryItem(n), linksToImages: [] }))
  const here = preparedHere(t)
  for (const [name, read] of Object.entries(longReads(store))) {
    await read()
    t.strictSame(here.splice(0), [], name)
  }
  const query = { visibility: { kind: 'everything' as const }, lang: O.none }
  for (const window of [PAGE, { ...PAGE, offset: 100 }, { ...PAGE, lim: O.some(500) }])
    await done(store.libraryItems.list(query, window))
  t.ok(here.length > 0, 'a bounded read needs no thread')
  await store.close()
})

t.test('I6: other work has its turn during a transaction of many statements', async (t) => {
  const { database, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  let [turns, isOver] = [0, false]
  const others = (async () => {
    for (; !isOver; turns += 1) await nextTurn()
  })()
  let before = 0
  const written = database.write(async (db) => {
    before = turns
    // A turn comes after some milliseconds of statements, so their number depends on the machine.
    for (let n = 0; turns - before <= 5 && n < 500_000; n += 1) await sql`select ${n}`.execute(db)
    return E.right(turns)
  })
  const after = await done(written)
  t.ok(after - before > 5, `${after - before} turns`)
  isOver = true
  await others
  await close()
})

t.test(
  'J5, C12: a count and its collection come from one state, also when others write meanwhile',
  async (t) => {
    const { libraryItems, close } = await storeOf(join(t.testdir(), 'almoner.db'))
    const add = (n: number) => done(libraryItems.add({ item: sampleLibraryItem(n), linksToImages: [] }))
    for (let n = 0; n < 250; n += 1) await add(n)
    const query = { visibility: { kind: 'everything' as const }, lang: O.none }
    for (const window of [WHOLE_COLLECTION, { ...PAGE, lim: O.some(600) }]) {
      const counted = await done(libraryItems.list(query, window, true))
      const { total = 0 } = counted
      await add(1000 + total)
      t.equal((await collect(counted)).length, total)
    }
    await close()
  },
)

t.test('a thread reports faults as a connection here does, and a dead one is replaced', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const { database, close } = await storeOf(file)
  const run = (text: string) => database.read((db) => sql.raw(text).execute(db), UNBOUNDED)
  await t.rejects(run('select no_column'), /no such column/, 'a wrong statement is a bug')
  const started: Array<import('node:worker_threads').Worker> = []
  process.on('worker', (worker) => started.push(worker))
  await t.rejects(run("select count(*) from label where en = 'x' and no_column"), /no such column/)
  t.strictSame(started, [], 'an idle thread is used again')
  const absent = openThread({ file: `${file}.absent`, readonly: true, cache: 100, timeout: 0 })
  await t.rejects(absent.execute({ sql: 'select 1', parameters: [] }), DatabaseUnavailable)
  await started[0]?.terminate()
  await t.rejects(absent.execute({ sql: 'select 1', parameters: [] }), DatabaseUnavailable)
  t.notOk(absent.isAlive())
  process.removeAllListeners('worker')
  await close()
  t.match(await run('select 1')(), { left: { _tag: 'Unavailable' } })
})
