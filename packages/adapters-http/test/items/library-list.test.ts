import t from 'tap'
import type { Fixture, Who } from '../support/fixture.ts'
import { create, createIn, createLive, itemsIn, onEachStore, update } from '../support/items.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'

// GET /library/ and GET /feed/, and collections in general. Following Links is tested in another file.

const CONTENT_TYPES = ['library', 'feed'] as const

const list = async (
  fixture: Fixture,
  path: string,
  query: Record<string, string> = {},
  as: Who = 'manager',
) => itemsIn(await fixture.call('GET', path, { as, query }))

const titles = async (...asked: Parameters<typeof list>): Promise<ReadonlyArray<string>> =>
  (await list(...asked)).map(({ itemTitle }) => itemTitle)

/** Headers that differ between responses, and those with which fetch closes the connection after a HEAD. */
const PASSING = new Set(['date', 'x-request-id', 'connection', 'keep-alive'])

const SEEN: Readonly<Record<Who, ReadonlyArray<string>>> = {
  user: ['Live 0'],
  donor: ['Live 0', 'Live 1'],
  userManager: ['Live 0', 'Live 1'],
  manager: ['Archived 0', 'Archived 1', 'Draft 0', 'Draft 1', 'Live 0', 'Live 1'],
  admin: ['Archived 0', 'Archived 1', 'Draft 0', 'Draft 1', 'Live 0', 'Live 1'],
}

for (const contentType of CONTENT_TYPES) {
  onEachStore(
    t,
    `A3: each caller sees the visible ${contentType} items, listed, paged, filtered and one by one`,
    async (t, fixture) => {
      const items = []
      for (const status of ['Draft', 'Live', 'Archived'])
        for (const isDonorRestricted of ['0', '1'])
          items.push(
            await createIn(fixture, contentType, status, {
              itemTitle: `${status} ${isDonorRestricted}`,
              isDonorRestricted,
            }),
          )
      for (const [as, expected] of Object.entries(SEEN) as ReadonlyArray<[Who, ReadonlyArray<string>]>) {
        for (const query of [
          {},
          { lim: '10' },
          { lim: '10', offset: '0' },
          { lang: 'en' },
          { lang: 'EN', lim: '10' },
        ])
          t.strictSame(
            (await titles(fixture, `/${contentType}/`, query as Record<string, string>, as)).toSorted(),
            expected,
            `${as} ${JSON.stringify(query)}`,
          )
        const byPath = await Promise.all(
          items.map(({ itemId }) => titles(fixture, `/${contentType}/${itemId}`, {}, as)),
        )
        t.strictSame(byPath.flat().toSorted(), expected, `${as} by path`)
        const byName = await Promise.all(
          items.map(({ itemId }) => titles(fixture, `/${contentType}/`, { itemId }, as)),
        )
        t.strictSame(byName.flat().toSorted(), expected, `${as} by parameter`)
      }
    },
  )

  onEachStore(
    t,
    `interface, GET /${contentType}/: itemId by path and by parameter are equivalent`,
    async (t, fixture) => {
      const { itemId } = await create(fixture, contentType, { lang: 'fr' })
      for (const query of [
        {},
        { lang: 'fr' },
        { lang: 'en' },
        { lim: '1' },
        { lim: '1', offset: '1' },
        { offset: '9' },
      ]) {
        const byPath = await list(fixture, `/${contentType}/${itemId}`, query as Record<string, string>)
        const byName = await list(fixture, `/${contentType}/`, {
          ...(query as Record<string, string>),
          itemId,
        })
        t.strictSame(byName, byPath, JSON.stringify(query))
        t.equal(byPath.length, 'lang' in query && query.lang === 'en' ? 0 : query.lim && query.offset ? 0 : 1)
      }
      const other = await create(fixture, contentType)
      t.match(
        await list(fixture, `/${contentType}/${itemId}`, { itemId: other.itemId }),
        [{ itemId }],
        'B2: the path wins',
      )
    },
  )

  onEachStore(
    t,
    `C4: an unknown ${contentType} item gives an empty collection with 200`,
    async (t, fixture) => {
      for (const id of [
        'unknown',
        '01900000-0000-7000-8000-000000000001',
        '%F0%9F%9A%B0',
        'a'.repeat(4000),
      ]) {
        const answer = await fixture.call('GET', `/${contentType}/${id}`, { as: 'user' })
        t.equal(answer.status, 200)
        t.equal(answer.headers.get('etag'), null)
        t.strictSame(await answer.json(), { items: [] })
      }
    },
  )

  onEachStore(
    t,
    `conventions: lang restricts ${contentType} items to one language, by default all; the shape stays`,
    async (t, fixture) => {
      for (const lang of ['en', 'fr', 'fr']) await createLive(fixture, contentType, { lang, itemTitle: lang })
      t.strictSame(await titles(fixture, `/${contentType}/`, {}, 'user'), ['fr', 'fr', 'en'])
      t.strictSame(
        await titles(fixture, `/${contentType}/`, { lang: '' }, 'user'),
        ['fr', 'fr', 'en'],
        'empty is absent',
      )
      for (const lang of ['fr', 'FR', 'Fr'])
        t.strictSame(await titles(fixture, `/${contentType}/`, { lang }, 'user'), ['fr', 'fr'], lang)
      const [one] = await list(fixture, `/${contentType}/`, { lang: 'EN' }, 'user')
      const all = await list(fixture, `/${contentType}/`, {}, 'user')
      t.strictSame(one, all[2], 'the same item in the same shape')
      for (const lang of ['de', 'e', 'en,fr', '*'])
        t.strictSame(
          fieldsOf(
            await seeProblem(
              t,
              await fixture.call('GET', `/${contentType}/`, { as: 'user', query: { lang } }),
              'invalid_request',
            ),
          ),
          ['lang'],
        )
    },
  )

  onEachStore(
    t,
    `conventions: lim is the maximum number of ${contentType} items, offset the number skipped`,
    async (t, fixture) => {
      const made: Array<string> = []
      for (const n of [0, 1, 2, 3, 4])
        made.unshift((await createLive(fixture, contentType, { itemTitle: `${n}` })).itemTitle)
      for (const lim of [1, 2, 4, 5, 6, 2147483647])
        for (const offset of [undefined, 0, 1, 4, 5, 6, 2147483647]) {
          const query = { lim: `${lim}`, ...(offset === undefined ? {} : { offset: `${offset}` }) }
          t.strictSame(
            await titles(fixture, `/${contentType}/`, query, 'user'),
            made.slice(offset ?? 0, (offset ?? 0) + lim),
            JSON.stringify(query),
          )
        }
      t.strictSame(
        await titles(fixture, `/${contentType}/`, { lim: '002', offset: '01' }),
        made.slice(1, 3),
        'B4: leading zeros',
      )
      t.strictSame(
        await titles(fixture, `/${contentType}/`, { lim: '', offset: 'x' }),
        made,
        'an empty lim is absent',
      )
    },
  )

  onEachStore(
    t,
    `conventions: an offset beyond the end of the ${contentType} returns an empty collection`,
    async (t, fixture) => {
      await createLive(fixture, contentType)
      for (const offset of ['1', '2', '20000', '20001', '2147483647']) {
        const answer = await fixture.call('GET', `/${contentType}/`, {
          as: 'user',
          query: { lim: '1', offset },
        })
        t.equal(answer.headers.get('link'), null)
        t.strictSame(await answer.json(), { items: [] }, offset)
      }
    },
  )

  onEachStore(
    t,
    `conventions: without lim, offset is ignored on the ${contentType}, even if it is malformed`,
    async (t, fixture) => {
      await createLive(fixture, contentType)
      for (const offset of ['1', '-1', 'x', '99999999999', ''])
        t.equal((await list(fixture, `/${contentType}/`, { offset }, 'user')).length, 1, offset)
    },
  )

  onEachStore(
    t,
    `limits: lim is absent or greater than 0, offset absent or at least 0 (${contentType}, B4)`,
    async (t, fixture) => {
      const refused = async (query: Record<string, string>) => {
        const answer = await fixture.call('GET', `/${contentType}/`, { as: 'user', query })
        return fieldsOf(await seeProblem(t, answer, 'invalid_request', JSON.stringify(query)))
      }
      const junk = ['-1', 'x', '1.5', '+1', ' 1', '1e3', '0x1', '2147483648', '٣']
      for (const lim of ['0', '00', ...junk]) t.strictSame(await refused({ lim }), ['lim'])
      for (const offset of junk) t.strictSame(await refused({ lim: '1', offset }), ['offset'])
      t.strictSame(await refused({ lim: '0', offset: '-1', lang: 'x', after: '?' }), [
        'after',
        'lang',
        'lim',
        'offset',
      ])
      for (const after of ['x', '~', '2026-05-01', '2026-02-30~id', 'x~id', '~1'])
        t.strictSame(await refused({ lim: '1', after }), ['after'])
      for (const name of ['lim', 'offset', 'lang', 'after', 'itemId']) {
        const twice = new URLSearchParams([
          ['lim', '1'],
          [name, '1'],
          [name, '1'],
        ])
        const answer = await fixture.call('GET', `/${contentType}/?${twice}`, { as: 'user' })
        t.strictSame(fieldsOf(await seeProblem(t, answer, 'invalid_request', `${name} twice`)), [name])
      }
    },
  )

  onEachStore(
    t,
    `B3: HEAD of /${contentType}/ and /${contentType}/<itemId> has the headers of GET and no body`,
    async (t, fixture) => {
      const { itemId } = await createLive(fixture, contentType)
      await createLive(fixture, contentType)
      for (const path of [
        `/${contentType}/`,
        `/${contentType}/?lim=1`,
        `/${contentType}/${itemId}`,
        `/${contentType}/none`,
      ]) {
        const got = await fixture.call('GET', path, { as: 'user' })
        const head = await fixture.call('HEAD', path, { as: 'user' })
        const lasting = ({ headers }: Response) => [...headers].filter(([name]) => !PASSING.has(name))
        t.equal(head.status, 200)
        t.strictSame(lasting(head), lasting(got), path)
        t.equal(await head.text(), '')
        t.not(await got.text(), '')
      }
    },
  )
}

onEachStore(
  t,
  'C3: the library is ordered by itemPublicationDate, newest first, ties by itemId, newest first',
  async (t, fixture) => {
    const days = ['2026-04-01', '2026-06-01', '2026-05-01', '2026-06-01', '2026-04-01', '2027-01-01']
    for (const [n, itemPublicationDate] of days.entries())
      await createLive(fixture, 'library', { itemPublicationDate, itemTitle: `${n}` })
    const expected = ['5', '3', '1', '2', '4', '0']
    for (const as of ['user', 'manager'] as const) {
      t.strictSame(await titles(fixture, '/library/', {}, as), expected)
      t.strictSame(await titles(fixture, '/library/', { lim: '6' }, as), expected)
    }
    const [first] = await list(fixture, '/library/', { lim: '1', offset: '5' })
    t.equal(
      (
        await update(fixture, 'library', first?.itemId ?? '', {
          itemPublicationDate: '2028-01-01',
          itemTitle: '0',
        })
      ).status,
      200,
    )
    t.strictSame(
      await titles(fixture, '/library/'),
      ['0', '5', '3', '1', '2', '4'],
      'a new date is a new position',
    )
  },
)

onEachStore(
  t,
  'C3: the feed is ordered by creation, newest first, ties by itemId, newest first',
  async (t, fixture) => {
    const made = []
    for (const n of [0, 1, 2, 3, 4, 5]) {
      made.push(await createLive(fixture, 'feed', { itemTitle: `${n}` }))
      // Two posts in one moment, then a moment later, so that time and identifier both decide.
      if (n % 2 === 1) fixture.clock.advance(1000)
    }
    t.strictSame(await titles(fixture, '/feed/', {}, 'user'), ['5', '4', '3', '2', '1', '0'])
    await update(fixture, 'feed', made[0]?.itemId ?? '', { status: 'Live', itemTitle: '0' })
    t.strictSame(
      await titles(fixture, '/feed/', {}, 'user'),
      ['5', '4', '3', '2', '1', '0'],
      'an edit does not move a post',
    )
  },
)

onEachStore(
  t,
  'interface, GET /feed/: itemType is optional and filters, matched exactly',
  async (t, fixture) => {
    const vlink = 'https://example.org/film'
    for (const itemType of ['photo', 'link', 'vlink', 'photo'])
      for (const lang of ['en', 'fr'])
        await createLive(fixture, 'feed', { itemType, vlink, lang, itemTitle: `${itemType} ${lang}` })
    for (const [itemType, count] of [
      ['photo', 4],
      ['link', 2],
      ['vlink', 2],
    ] as const) {
      const found = await list(fixture, '/feed/', { itemType }, 'user')
      t.strictSame(
        found.map((item) => item.itemType),
        Array.from({ length: count }, () => itemType),
      )
      const french = await titles(fixture, '/feed/', { itemType, lang: 'fr', lim: '9' }, 'user')
      t.strictSame(
        french,
        Array.from({ length: count / 2 }, () => `${itemType} fr`),
        'with lang',
      )
    }
    t.equal((await list(fixture, '/feed/', { itemType: '' }, 'user')).length, 8, 'empty is absent')
    for (const itemType of ['Photo', 'video', 'photo,link']) {
      const answer = await fixture.call('GET', '/feed/', { as: 'user', query: { itemType } })
      t.strictSame(fieldsOf(await seeProblem(t, answer, 'invalid_request')), ['itemType'])
    }
    t.equal((await list(fixture, '/library/', { itemType: 'x' }, 'user')).length, 0, 'the library ignores it')
  },
)
