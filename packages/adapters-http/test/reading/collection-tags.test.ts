import type { LabelId } from '@almoner/domain/values'
import { samplePortfolio } from '@almoner/testkit/contracts'
import t from 'tap'
import { done, type Fixture, type Who } from '../support/fixture.ts'
import { create, createLive, onEachStore } from '../support/items.ts'

// C14: pages, and all collections of the portfolio and of labels, have a tag.

const CALLERS: ReadonlyArray<Who> = ['user', 'donor', 'manager']

const PARTS = ['sector', 'introduction', 'summary', 'program', 'challenge', 'datasets']

/** Every collection with a tag, some pages with a next one and some without, some with the same items in other forms. */
const TAGGED = [
  ...['library', 'feed'].flatMap((type) => [
    `/${type}/?lim=2`,
    `/${type}/?lim=3`,
    `/${type}/?lim=20`,
    `/${type}/?lim=20&count=true`,
    `/${type}/?lim=20&include=labels`,
    `/${type}/?lim=20&lang=fr`,
    `/${type}/?lim=2&offset=1`,
    `/${type}/label`,
    `/${type}/label/water`,
    `/${type}/label/unknown`,
  ]),
  '/portfolio/',
  '/portfolio/sector',
  '/portfolio/sector?lang=fr',
  '/portfolio/sector/arts',
  '/portfolio/organization/',
  '/portfolio/organization/?lim=1',
  '/portfolio/organization/acme',
  '/portfolio/organization/unknown',
  ...PARTS.flatMap((part) => [
    `/portfolio/organization/acme/${part}`,
    `/portfolio/organization/zenith/${part}`,
    `/portfolio/organization/${part}?id=acme&lang=en`,
  ]),
]

/** For content managers alone. */
const OF_MANAGERS = ['/notification?lim=1', '/notification?lim=20']

/** Whole collections, one that takes no `lim`, and one by path. */
const UNTAGGED = [
  ...['/library/', '/feed/', '/library/?lang=fr', '/feed/?lim=', '/notification'],
  '/user/amina%40example.org/notification/token?lim=1',
  '/notification/unknown?lim=1',
]

interface Seen {
  readonly tag: string
  readonly content: string
}

const see = async (fixture: Fixture, path: string, as: Who): Promise<Seen> => {
  const response = await fixture.call('GET', path, { as })
  const { headers } = response
  const content = [await response.text(), headers.get('link'), headers.get('x-total-count')]
  return { tag: headers.get('etag') ?? '', content: JSON.stringify([response.status, content]) }
}

/** What each caller sees, by path. */
const seeAll = async (
  fixture: Fixture,
): Promise<ReadonlyArray<readonly [path: string, as: Who, seen: Seen]>> => {
  const asked = [
    ...TAGGED.flatMap((path) => CALLERS.map((as) => [path, as] as const)),
    ...OF_MANAGERS.map((path) => [path, 'manager'] as const),
  ]
  const all = []
  for (const [path, as] of asked) all.push([path, as, await see(fixture, path, as)] as const)
  return all
}

const fill = async (fixture: Fixture) => {
  await done(fixture.ports.portfolio.replace(samplePortfolio()))
  for (const type of ['library', 'feed'] as const) {
    const item = await createLive(fixture, type)
    await done(fixture.ports.labels.attach(type, item.itemId as never, 'water' as LabelId))
    await createLive(fixture, type, { isDonorRestricted: 'true' })
    await create(fixture, type)
  }
  for (const lang of ['en', 'fr'])
    await fixture.call('POST', '/notification', { as: 'manager', json: { lang, title: lang } })
}

onEachStore(t, 'C14: responses have equal tags where they are equal, and only there', async (t, fixture) => {
  await fill(fixture)
  const all = await seeAll(fixture)
  const contents = new Map<string, string>()
  for (const [path, as, { tag, content }] of all) {
    t.match(tag, /^"[^"]+"$/, `${path} as ${as}`)
    t.equal(contents.get(tag) ?? content, content, `${path} as ${as}: no other response has its tag`)
    contents.set(tag, content)
  }
  t.equal(contents.size, new Set(all.map(([, , { content }]) => content)).size, 'equal ones have one tag')
  for (const [path, as, seen] of all)
    t.strictSame(await see(fixture, path, as), seen, `${path} as ${as} again`)
})

onEachStore(t, 'C14: If-None-Match gives 304 without a body, until something differs', async (t, fixture) => {
  await fill(fixture)
  const all = await seeAll(fixture)
  for (const [path, as, { tag }] of all)
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'if-none-match': `"other", W/${tag}` }
      const response = await fixture.call(method, path, { as, headers })
      t.equal(response.status, 304, `${method} ${path} as ${as}`)
      t.equal(await response.text(), '')
      t.equal(response.headers.get('etag'), tag)
    }
  for (const type of ['library', 'feed'] as const) await createLive(fixture, type)
  for (const type of ['library', 'feed'])
    for (const [path, as, { tag, content }] of all.filter(([path]) => path.startsWith(`/${type}/?`))) {
      const response = await fixture.call('GET', path, { as, headers: { 'if-none-match': tag } })
      const now = await see(fixture, path, as)
      t.equal(response.status, now.content === content ? 304 : 200, `${path} as ${as} after a write`)
    }
})

onEachStore(t, 'C12, C14: a collection without lim is streamed and has no tag', async (t, fixture) => {
  await fill(fixture)
  for (const path of UNTAGGED) {
    const { headers } = await fixture.call('GET', path, { as: 'manager' })
    t.equal(headers.get('etag'), null, path)
  }
})
