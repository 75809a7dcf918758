import { hash } from 'node:crypto'
import type { FeedItem, LibraryItem } from '@almoner/domain'
import { STATUSES } from '@almoner/domain/content'
import { instant, type LabelId, type WebUrl } from '@almoner/domain/values'
import { done, sampleDay, sampleFeedItem, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Fixture, Who } from './fixture.ts'

/** What no two responses share, and header fields of the connection. */
const PASSING = new Set(['date', 'x-request-id', 'connection', 'keep-alive'])
/** The pages of collections, whose tags are younger than the record (C14). */
const PAGES = /^\/(?:library|feed)\/\?/

const image = { _tag: 'Some', value: { kind: 'linked', url: 'https://example.org/a.png' as WebUrl } } as const
const link = { _tag: 'Some', value: 'https://example.org/' as WebUrl } as const

const stateOf = (n: number) => ({
  status: STATUSES[n % 3] ?? 'Draft',
  isDonorRestricted: n % 4 === 3,
  lang: n % 2 === 0 ? ('en' as const) : ('fr' as const),
})

/** Items of every status, restriction and language, some of one date, and a label on each third. */
const fill = async ({ ports }: Fixture): Promise<void> => {
  const change = { storesImages: [], displaysImages: [], linksToImages: [] }
  for (let n = 0; n < 12; n += 1) {
    const item = sampleLibraryItem(n, { publicationDate: sampleDay(n % 5) })
    await done(ports.libraryItems.add({ item, linksToImages: [] }))
    const changed = { ...item, ...stateOf(n), images: { cover: image, notification: image } } as LibraryItem
    await done(ports.libraryItems.change<never>(item.id, () => E.right({ item: changed, ...change })))
    const content = { kind: 'link', link, vlink: O.none, image: O.none } as const
    const post = sampleFeedItem(n, { createdAt: instant(1_700_000_000_000 + (n % 5)), content })
    await done(ports.feedItems.add({ item: post, linksToImages: [] }))
    const edited = { ...post, ...stateOf(n) } as FeedItem
    await done(ports.feedItems.change<never>(post.id, () => E.right({ item: edited, ...change })))
  }
  for (const type of ['library', 'feed'] as const)
    for (let n = 0; n < 12; n += 3) await done(ports.labels.attach(type, sampleId(n), 'water' as LabelId))
}

const QUERIES = ['', '?lim=4', '?lim=4&offset=2', '?lim=3&lang=FR', '?offset=2', '?lim=100', '?unknown=1']
const CALLERS: ReadonlyArray<Who> = ['user', 'donor', 'manager']

const pathsOf = (contentType: 'library' | 'feed'): ReadonlyArray<string> => [
  ...QUERIES.map((query) => `/${contentType}/${query}`),
  `/${contentType}/?itemId=${sampleId(1)}`,
  `/${contentType}/${sampleId(1)}`,
  `/${contentType}/${sampleId(3)}?lim=1&offset=1`,
]

/** Returns digests of the responses to lists without the parameters of J1, by method, path and caller. Header fields count. */
export const recordLists = async (fixture: Fixture): Promise<Readonly<Record<string, string>>> => {
  await fill(fixture)
  const responses: Record<string, string> = {}
  for (const path of [...pathsOf('library'), ...pathsOf('feed'), '/feed/?lim=2&itemType=link'])
    for (const as of CALLERS)
      for (const method of ['GET', 'HEAD']) {
        const response = await fixture.call(method, path, { as })
        const headers = Object.fromEntries(
          [...response.headers].filter(
            ([name]) => !PASSING.has(name) && !(name === 'etag' && PAGES.test(path)),
          ),
        )
        const all = JSON.stringify([response.status, headers, await response.text()])
        responses[`${method} ${path} ${as}`] = hash('sha256', all, 'base64url').slice(0, 16)
      }
  return responses
}
