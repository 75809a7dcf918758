import { join } from 'node:path'
import { makeStore } from '@almoner/adapters-kysely'
import { done, failure, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { spiedDatabase } from './spied-database.ts'
import { databaseOf } from './store-of.ts'

t.test('J4, J7: counterparts of a page are found by indexes in one statement', async (t) => {
  const engine = await databaseOf(join(t.testdir(), 'almoner.db'))
  const { database, plans } = spiedDatabase(engine)
  const { libraryItems, translations } = makeStore(database)
  for (let n = 0; n < 20; n += 1)
    await done(
      libraryItems.add({
        item: sampleLibraryItem(n, { lang: n % 2 === 0 ? 'en' : 'fr' }),
        linksToImages: [],
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
  for (const { text, steps } of [...page, ...(await plans())])
    for (const step of steps) t.notMatch(step, /^SCAN/, text)
  await engine.close()
})
