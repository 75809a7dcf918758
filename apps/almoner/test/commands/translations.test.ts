import type { ItemDescription, ItemTitle } from '@almoner/domain/values'
import { done, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { makeCurrent, onStore } from '../support/database.ts'
import { inFolder } from '../support/in-process.ts'

const BY = { actor: { kind: 'command', id: 'test' }, action: 'create' } as const
const NO_IMAGES = { storesImages: [], displaysImages: [], linksToImages: [] }
const WORDS = { title: 'Puits' as ItemTitle, description: 'Un puits' as ItemDescription }

t.test('J8: check translations lists findings as a table or as JSON, and exits with 0', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const check = (...args: ReadonlyArray<string>) => inFolder(folder, ['check', 'translations', ...args])
  t.match(await check('--json'), { code: 0, out: '[]\n', err: '' })
  await onStore(folder, async ({ libraryItems, translations }) => {
    for (const [n, lang] of [...'123'].map((n) => [Number(n), n === '2' ? 'fr' : 'en'] as const))
      await done(libraryItems.add({ item: sampleLibraryItem(n, { lang }), linksToImages: [], act: BY }))
    await done(translations.link(sampleId(1), sampleId(2)))
    const edit = libraryItems.change<never>(sampleId(2), (item) =>
      E.right({ item: { ...item, ...WORDS, revision: 2 }, ...NO_IMAGES, act: { ...BY, action: 'update' } }),
    )
    await done(edit)
  })
  const { code, out } = await check('--json')
  t.equal(code, 0)
  t.strictSame(JSON.parse(out), [
    {
      itemId: sampleId(3),
      lang: 'en',
      status: 'Draft',
      counterpartId: '',
      findings: ['no counterpart'],
      changed: [],
      itemTitle: sampleLibraryItem(3).title,
    },
    {
      itemId: sampleId(1),
      lang: 'en',
      status: 'Draft',
      counterpartId: sampleId(2),
      findings: ['counterpart is newer'],
      changed: ['itemTitle', 'itemDescription'],
      itemTitle: sampleLibraryItem(1).title,
    },
  ])
  const lines = (await check()).out.trimEnd().split('\n')
  t.strictSame(
    lines.map((line) => line.split(/ {2,}/)),
    [
      ['ITEM', 'LANG', 'STATUS', 'COUNTERPART', 'FINDING', 'CHANGED', 'TITLE'],
      [sampleId(3), 'en', 'Draft', '-', 'no counterpart', '-', sampleLibraryItem(3).title],
      [
        sampleId(1),
        'en',
        'Draft',
        sampleId(2),
        'counterpart is newer',
        'itemTitle, itemDescription',
        sampleLibraryItem(1).title,
      ],
    ],
  )
})
