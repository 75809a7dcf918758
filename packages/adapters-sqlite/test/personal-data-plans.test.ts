import { join } from 'node:path'
import { makeStore } from '@almoner/adapters-kysely'
import type { ClientId } from '@almoner/domain'
import { collect, instant } from '@almoner/domain/values'
import { done, sampleEmail, sampleFeedItem, sampleId } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { spiedDatabase } from './spied-database.ts'
import { databaseOf } from './store-of.ts'

t.test('L3, C11: a page of own posts begins by one seek in the index of authors', async (t) => {
  const engine = await databaseOf(join(t.testdir(), 'almoner.db'))
  const { database, plans } = spiedDatabase(engine)
  const { feedAuthors, feedItems } = makeStore(database)
  const email = sampleEmail(1)
  for (let n = 0; n < 50; n += 1) {
    const author = { clientId: 'app' as ClientId, email: O.some(n % 2 === 0 ? email : sampleEmail(2)) }
    await done(feedItems.add({ item: sampleFeedItem(n), linksToImages: [], author }))
  }
  await plans()
  const after = O.some({ key: instant(1_700_000_000_000), id: sampleId(20) })
  for (const lang of [O.none, O.some('fr' as const)])
    for (const cursor of [O.none, after])
      await collect(
        await done(feedAuthors.list({ email, lang }, { lim: O.some(5), offset: 0, after: cursor })),
      )
  const found = await plans()
  t.equal(found.length, 4)
  for (const { text, steps } of found) {
    const bound = text.includes(' <') ? ' AND (posted_at,item_id)<(?,?)' : ''
    t.equal(steps[0], `SEARCH feed_author USING COVERING INDEX feed_author_email (email=?${bound})`)
    t.match(steps[1], /^SEARCH feed_item USING INDEX \w+ \(id=\?\)$/)
    t.equal(steps.length, 2, 'nothing is sorted')
  }
  await engine.close()
})

/** Scans of tables other than those of clients, and of the deliveries in partial indexes, of which there are few. */
const SCANS = /^SCAN (?!client |delivery USING (?:COVERING )?INDEX delivery_(?:rows|sending)$)/

t.test('L1, L2: what is stored about a person is found by indexes', async (t) => {
  const engine = await databaseOf(join(t.testdir(), 'almoner.db'))
  const { database, plans } = spiedDatabase(engine)
  await done(makeStore(database).personalData.find(sampleEmail(1)))
  const found = await plans()
  t.ok(found.length > 8)
  for (const { text, steps } of found) for (const step of steps) t.notMatch(step, SCANS, text)
  await engine.close()
})

t.test('L1: a search walks people and authors in steps of their indexes, and sorts neither', async (t) => {
  const engine = await databaseOf(join(t.testdir(), 'almoner.db'))
  const { database, plans } = spiedDatabase(engine)
  await done(makeStore(database).personalData.search('example', 20))
  const found = (await plans()).flatMap(({ text, steps }) => steps.map((step) => `${step} | ${text}`))
  const large = found.filter((step) => /^(?:SEARCH|SCAN) (?:person|feed_author) /.test(step))
  t.equal(large.length, 6)
  for (const step of large)
    t.match(
      step,
      /^SEARCH (?:person|feed_author) USING (?:PRIMARY KEY|COVERING INDEX feed_author_email) \(email[>=]/,
    )
  t.same(
    found.filter((step) => /TEMP B-TREE/.test(step) && !/"client"/.test(step)),
    [],
  )
  await engine.close()
})
