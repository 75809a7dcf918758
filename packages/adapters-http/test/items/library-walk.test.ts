import type { FeedItem, LibraryItem } from '@almoner/domain'
import { compareCursors, feedCursor, libraryCursor } from '@almoner/domain/content'
import t from 'tap'
import { BASE_URL, type Fixture, type Who } from '../support/fixture.ts'
import { everyTrait, feedItem, insertFeedItem, insertLibraryItem, libraryItem } from '../support/inserting.ts'
import { createLive, IMAGES, itemsIn, onEachStore, type SeenItem, update } from '../support/items.ts'

// C11, on both content types: following Link visits the whole collection.

interface Page {
  readonly items: ReadonlyArray<SeenItem>
  readonly link: string | null
}

const NEXT = /^<([^<>]+)>; rel="next"$/

/** The path behind a Link, if it has the form that RFC 8288 gives it and stays with the service. */
const pathIn = (link: string): string => {
  const address = NEXT.exec(link)?.[1] ?? ''
  if (!address.startsWith(`${BASE_URL}/`)) throw new Error('not a next page of this service', { cause: link })
  return address.slice(BASE_URL.length)
}

/** Follows Link from a path to the last page. */
const walk = async (fixture: Fixture, path: string, as: Who): Promise<ReadonlyArray<Page>> => {
  const pages: Array<Page> = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer = await fixture.call('GET', next, { as })
    const link = answer.headers.get('link')
    pages.push({ items: await itemsIn(answer), link })
    next = link === null ? undefined : pathIn(link)
    if (pages.length > 500) throw new Error('the walk does not end')
  }
  return pages
}

const idsIn = (pages: ReadonlyArray<Page>): ReadonlyArray<string> =>
  pages.flatMap(({ items }) => items.map(({ itemId }) => itemId))

/** A3, written out. */
const SEES: Readonly<Record<Who, (item: LibraryItem | FeedItem) => boolean>> = {
  user: ({ status, isDonorRestricted }) => status === 'Live' && !isDonorRestricted,
  donor: ({ status }) => status === 'Live',
  userManager: ({ status }) => status === 'Live',
  manager: () => true,
  admin: () => true,
}

const CALLERS = Object.keys(SEES) as ReadonlyArray<Who>
const LANGS = [undefined, 'en', 'fr']
const LIMS = [3, 6, 1000]

const library = everyTrait(2)
  .map((traits, n) => libraryItem(n, traits))
  .toSorted((a, b) => compareCursors(libraryCursor(a), libraryCursor(b)))
const feed = everyTrait(2)
  .map((traits, n) => feedItem(n, traits))
  .toSorted((a, b) => compareCursors(feedCursor(a), feedCursor(b)))

const fill = async ({ ports }: Fixture) => {
  for (const item of library) await insertLibraryItem(ports, item)
  for (const item of feed) await insertFeedItem(ports, item)
}

const query = (parts: Readonly<Record<string, string | number | undefined>>): string =>
  `?${new URLSearchParams(Object.entries(parts).flatMap(([name, value]): Array<[string, string]> => (value === undefined ? [] : [[name, `${value}`]])))}`

/** Returns the flaws of a walk: all pages except the last are full and linked, and the last is not empty without need. */
const flawsOf = (pages: ReadonlyArray<Page>, lim: number): ReadonlyArray<string> =>
  pages.flatMap(({ items, link }, n) => {
    const isLast = n === pages.length - 1
    if (isLast)
      return items.length > lim || (n > 0 && items.length === 0) ? [`last page of ${items.length}`] : []
    return items.length === lim && link !== null ? [] : [`page ${n} of ${items.length}`]
  })

onEachStore(
  t,
  'C11: following the Links of the library visits each visible item once, in order, in full pages',
  async (t, fixture) => {
    await fill(fixture)
    for (const as of CALLERS)
      for (const lang of LANGS)
        for (const lim of LIMS) {
          const pages = await walk(fixture, `/library/${query({ lim, lang })}`, as)
          const seen = library.filter((item) => SEES[as](item) && (lang === undefined || item.lang === lang))
          t.strictSame(
            idsIn(pages),
            seen.map(({ id }) => id),
            `${as} ${lang} ${lim}`,
          )
          t.strictSame(flawsOf(pages, lim), [])
        }
  },
)

onEachStore(
  t,
  'C11: following the Links of the feed visits each visible item once, in order, in full pages',
  async (t, fixture) => {
    await fill(fixture)
    for (const as of CALLERS)
      for (const lang of LANGS)
        for (const itemType of [undefined, 'photo', 'link', 'vlink']) {
          const lim = 4

          const pages = await walk(fixture, `/feed/${query({ lim, lang, itemType })}`, as)
          const seen = feed.filter(
            (item) =>
              SEES[as](item) &&
              (lang === undefined || item.lang === lang) &&
              (itemType === undefined || item.content.kind === itemType),
          )
          t.strictSame(
            idsIn(pages),
            seen.map(({ id }) => id),
            `${as} ${lang} ${itemType} ${lim}`,
          )
          t.strictSame(flawsOf(pages, lim), [])
        }
  },
)

onEachStore(t, 'C11: Links after a page with an offset continue from there', async (t, fixture) => {
  await fill(fixture)
  for (const offset of [1, 5, 71]) {
    const pages = await walk(fixture, `/library/${query({ lim: 7, offset })}`, 'manager')
    t.strictSame(
      idsIn(pages),
      library.slice(offset).map(({ id }) => id),
      `${offset}`,
    )
  }
  const [, second] = await walk(fixture, `/library/${query({ lim: 7, offset: 5 })}`, 'manager')
  const [, fourth] = (await walk(fixture, '/library/?lim=6', 'manager')).slice(1)
  t.equal(second?.items[0]?.itemId, fourth?.items[0]?.itemId, 'the twelfth item either way')
})

onEachStore(t, 'C11, A5: Link has the filters of the request and never the token', async (t, fixture) => {
  await fill(fixture)
  const token = await fixture.token('manager')
  const sent = { lim: 3, lang: 'FR', itemType: 'photo', offset: 2, access_token: token, unknown: 'x' }
  for (const path of ['/feed/', '/feed']) {
    const answer = await fixture.call('GET', `${path}${query(sent)}`)
    const link = answer.headers.get('link') ?? ''
    t.notMatch(link, token)
    const address = new URL(NEXT.exec(link)?.[1] ?? '')
    t.equal(address.origin, BASE_URL)
    t.equal(address.pathname, '/feed/')
    t.strictSame([...address.searchParams.keys()].toSorted(), ['after', 'itemType', 'lang', 'lim'])
    t.match(Object.fromEntries(address.searchParams), { lim: '3', lang: 'FR', itemType: 'photo' })
  }
  const bearer = await fixture.call('GET', '/feed/?lim=3', { as: 'manager' })
  t.notMatch(bearer.headers.get('link'), token)
})

onEachStore(t, 'C11: there is no Link without lim, on one item, or on the last page', async (t, fixture) => {
  await fill(fixture)
  const one = library[0]?.id ?? ''
  for (const path of [
    '/library/',
    '/library/?lang=fr',
    `/library/?lim=${library.length}`,
    `/library/?lim=1&offset=${library.length - 1}`,
    `/library/?lim=1&offset=${library.length}`,
    `/library/${one}?lim=1`,
    `/library/?itemId=${one}&lim=1`,
    `/feed/?lim=${feed.length}`,
    `/feed/?lim=${feed.length + 1}`,
  ])
    t.equal((await fixture.call('GET', path, { as: 'manager' })).headers.get('link'), null, path)
  t.not(
    (await fixture.call('GET', `/library/?lim=${library.length - 1}`, { as: 'manager' })).headers.get('link'),
    null,
  )
})

onEachStore(
  t,
  'C11: following a Link with HEAD has the same headers, and without lim returns the rest',
  async (t, fixture) => {
    await fill(fixture)
    const got = await fixture.call('GET', '/library/?lim=10', { as: 'manager' })
    const head = await fixture.call('HEAD', '/library/?lim=10', { as: 'manager' })
    t.equal(head.headers.get('link'), got.headers.get('link'))
    const next = new URLSearchParams(pathIn(got.headers.get('link') ?? '').split('?')[1])
    const rest = await itemsIn(
      await fixture.call('GET', `/library/${query({ after: next.get('after') ?? '' })}`, { as: 'manager' }),
    )
    t.strictSame(
      rest.map(({ itemId }) => itemId),
      library.slice(10).map(({ id }) => id),
    )
  },
)

onEachStore(t, 'C11: a Link still works after the item at its cursor is deleted', async (t, fixture) => {
  const made: Array<string> = []
  for (const n of [1, 2, 3, 4, 5, 6])
    made.unshift((await createLive(fixture, 'library', { itemTitle: `${n}` })).itemId)
  const first = await fixture.call('GET', '/library/?lim=2', { as: 'user' })
  const stands = made[1] ?? ''
  t.equal((await update(fixture, 'library', stands, { ...IMAGES, status: 'Archived' })).status, 200)
  const rest = await walk(fixture, pathIn(first.headers.get('link') ?? ''), 'user')
  t.strictSame(idsIn(rest), made.slice(2))
})
