import { done, failure, sampleFeedItem, sampleLibraryItem } from '@almoner/testkit/contracts'
import { memoryPorts, setClock } from '@almoner/testkit/memory'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import * as domain from './fixtures/domain.ts'
import { donor, manager } from './fixtures/fixture.ts'

type Item = domain.LibraryItem & domain.FeedItem

const EN = ['user en', 'user-donor en', 'content-manager en']

/** Returns the readers who see an item, as texts. */
const seen = (readers: ReadonlyArray<domain.Reader>) =>
  readers.filter(({ visible }) => visible).map(({ role, lang }) => `${role} ${lang}`)

const start = async (embargo: boolean) => {
  const ports = memoryPorts({ clock: setClock(Date.UTC(2026, 4, 1, 12)) })
  const { console } = domain.createAlmoner(ports, { ...domain.DEFAULT_POLICY, embargo })
  return { ports, console }
}

const change = async <Content extends domain.LibraryItem | domain.FeedItem>(
  store: { change: domain.ItemStore<Content, Content, never, never>['change'] },
  id: domain.ItemId,
  changed: Partial<Item>,
) =>
  done(
    store.change<never>(id, (item) =>
      E.right({ item: { ...item, ...changed }, storesImages: [], displaysImages: [], linksToImages: [] }),
    ),
  )

t.test('A3, C9, M7: the readers of a publication are those whose lists hold it', async (t) => {
  for (const [embargo, changed, expected] of [
    [false, { status: 'Draft' }, ['content-manager en']],
    [false, { status: 'Archived' }, ['content-manager en']],
    [false, { status: 'Live' }, EN],
    [false, { status: 'Live', isDonorRestricted: true }, EN.slice(1)],
    [false, { status: 'Live', publicationDate: '2026-05-02' }, EN],
    [true, { status: 'Live', publicationDate: '2026-05-02' }, ['content-manager en']],
    [true, { status: 'Live', publicationDate: '2026-05-01' }, EN],
    [false, { status: 'Live', lang: 'fr' }, ['user fr', 'user-donor fr', 'content-manager fr']],
  ] as const) {
    const { ports, console } = await start(embargo)
    const item = sampleLibraryItem(1, { lang: 'en' })
    await done(ports.libraryItems.add({ item, linksToImages: [] }))
    await change(ports.libraryItems as never, item.id, changed as never)
    const readers = await done(console.showLibraryReaders(manager, { itemId: item.id }))
    t.equal(readers.length, 6)
    t.strictSame(seen(readers), expected, JSON.stringify([embargo, changed]))
    for (const { role, lang, visible } of readers) {
      const { libraryItems } = ports
      const policy = { ...domain.DEFAULT_POLICY, embargo }
      const list = domain.makeListLibraryItems({ ...ports, libraryItems }, policy)
      const found = await domain.collect(await done(list(domain.callerWith(role), { lang })))
      t.equal(found.length === 1, visible, `${role} ${lang}`)
    }
  }
})

t.test('A3, M7: the readers of a post', async (t) => {
  const { ports, console } = await start(true)
  const item = sampleFeedItem(1, { lang: 'en' })
  await done(ports.feedItems.add({ item, linksToImages: [] }))
  const show = () => done(console.showFeedReaders(manager, { itemId: item.id }))
  t.strictSame(seen(await show()), ['content-manager en'])
  await change(ports.feedItems as never, item.id, { status: 'Live', isDonorRestricted: true })
  t.strictSame(seen(await show()), EN.slice(1))
})

t.test('M7: readers are shown to content managers, of items that exist', async (t) => {
  const { console } = await start(false)
  const itemId = sampleLibraryItem(1).id
  t.equal(await failure(console.showLibraryReaders(donor, { itemId })), 'InsufficientScope')
  t.equal(await failure(console.showLibraryReaders(manager, { itemId })), 'ItemNotFound')
  t.equal(await failure(console.showFeedReaders(manager, { itemId })), 'ItemNotFound')
})
