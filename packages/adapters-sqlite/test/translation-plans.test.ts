import { join } from 'node:path'
import { makeStore } from '@almoner/adapters-kysely'
import { done, failure, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { spiedDatabase } from './spied-database.ts'
import { databaseOf } from './store-of.ts'

t.test(
  'J4, J7, J8: counterparts of a page are found by indexes in one statement, and bases by indexes',
  async (t) => {
    const engine = await databaseOf(join(t.testdir(), 'almoner.db'))
    const { database, plans } = spiedDatabase(engine)
    const { libraryItems, translations } = makeStore(database)
    for (let n = 0; n < 20; n += 1)
      await done(
        libraryItems.add({
          item: sampleLibraryItem(n, { lang: n % 2 === 0 ? 'en' : 'fr' }),
          linksToImages: [],
          act: { actor: { kind: 'command', id: 'plans' }, action: 'create' },
        }),
      )
    await done(translations.link(sampleId(0), sampleId(1)))
    await plans()
    const ids = Array.from({ length: 20 }, (_, n) => sampleId(n))
    t.equal((await done(translations.ofItems(ids))).size, 2)
    const page = await plans()
    t.equal(page.length, 1)
    const edit = libraryItems.change<never>(sampleId(0), (item) =>
      E.right({
        item: { ...item, lang: 'fr' } as typeof item,
        storesImages: [],
        displaysImages: [],
        linksToImages: [],
      }),
    )
    t.equal(await failure(edit), 'HasCounterpart')
    const worded = libraryItems.change<never>(sampleId(0), (item) =>
      E.right({
        item: { ...item, title: 'Pump' as typeof item.title },
        storesImages: [],
        displaysImages: [],
        linksToImages: [],
      }),
    )
    await done(worded)
    await done(translations.confirm(sampleId(0)))
    await done(translations.older(3))
    const writes = await plans()
    t.ok(
      writes.some(({ text }) => text.includes('audit_record')),
      'a base begins',
    )
    for (const { text, steps } of [...page, ...writes])
      for (const step of steps)
        t.notMatch(
          step,
          /^SCAN (?!translation USING (COVERING )?INDEX translation_older|library_words VIRTUAL)/,
          text,
        )
    await engine.close()
  },
)

t.test('J7: publications in the order of dates are read by an index, and not sorted', async (t) => {
  const engine = await databaseOf(join(t.testdir(), 'almoner.db'))
  const { database, plans } = spiedDatabase(engine)
  const { translations } = makeStore(database)
  await plans()
  const filters = {
    ...{
      words: [],
      labelId: O.none,
      isDonorRestricted: O.none,
      isScheduled: O.none,
      from: O.none,
      until: O.none,
    },
    status: O.some('Live' as const),
  }
  for (const narrowing of [{}, { filters }])
    for (const after of [O.none, O.some({ key: '2024-01-01', id: sampleId(1) })]) {
      const query = { order: 'date', lang: O.none, gap: O.none, ...narrowing } as const
      await done(translations.publications(query, { lim: 25, offset: 0, after, isCounted: false }))
      const [{ text, steps } = { text: '', steps: [] }] = await plans()
      const [lead = '', ...others] = steps
      t.match(lead, /lead USING (COVERING )?INDEX \S*library_item_all/, text)
      t.strictSame(
        others.filter((step) => /^SCAN|TEMP B-TREE/.test(step)),
        [],
        text,
      )
    }
  await engine.close()
})
