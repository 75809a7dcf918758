import t from 'tap'
import { BASE_URL, type Fixture } from '../support/fixture.ts'
import { onEachStore } from '../support/items.ts'
import { listed, notificationsIn, notify, type SeenNotification, seconds } from '../support/notifications.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'

// GET of the interface's section *Notification*, with G3 and C11.

const titles = (notifications: ReadonlyArray<SeenNotification>): ReadonlyArray<string> =>
  notifications.map(({ title }) => title)

/** Notifications in the order in which they are made; named by the order in which they are listed. */
const fill = async (fixture: Fixture) => {
  const at = (day: string) => seconds(`2026-06-${day}T08:00:00Z`)
  for (const [title, lang, date] of [
    ['6 undated', 'en', undefined],
    ['3 the 20th, earlier made', 'fr', at('20')],
    ['4 the 10th', 'en', at('10')],
    ['1 the 30th', 'fr', at('30')],
    ['2 the 20th, later made', 'en', at('20')],
    ['5 undated, later made', 'fr', undefined],
  ] as const)
    await notify(fixture, { title, lang, date })
}

/** The collection by following Link, page by page, and the addresses followed. */
const walk = async (fixture: Fixture, query: string) => {
  const pages: Array<ReadonlyArray<string>> = []
  const addresses: Array<URL> = []
  for (let next: string | undefined = `/notification?${query}`; next !== undefined; ) {
    const answer: Response = await fixture.call('GET', next, { as: 'manager' })
    const [, link] = /^<([^<>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? []
    pages.push(titles(await notificationsIn(answer)))
    if (link !== undefined) addresses.push(new URL(link))
    next = link?.slice(BASE_URL.length)
    if (pages.length > 20) throw new Error('the walk does not end')
  }
  return { pages, addresses }
}

onEachStore(t, 'interface: a collection is an object with key notifications', async (t, fixture) => {
  const empty = await fixture.call('GET', '/notification', { as: 'manager' })
  t.equal(empty.headers.get('content-type'), 'application/json; charset=utf-8')
  t.equal(await empty.text(), '{"notifications":[]}')
  const notification = await notify(fixture)
  const answer = await fixture.call('GET', '/notification', { as: 'manager' })
  t.strictSame(await answer.json(), { notifications: [{ notification }] })
})

onEachStore(t, 'G3: listed by date, latest first, undated last; ties newest first', async (t, fixture) => {
  await fill(fixture)
  const all = titles(await listed(fixture))
  t.strictSame(all, [...all].sort())
  t.equal(all.length, 6)
})

onEachStore(
  t,
  'interface: the id parameter and the path form are equivalent, the path wins',
  async (t, fixture) => {
    const [one, other] = [
      await notify(fixture, { title: 'one' }),
      await notify(fixture, { title: 'other', lang: 'fr' }),
    ]
    t.strictSame(await listed(fixture, `/notification/${one.id}`), [one])
    t.strictSame(await listed(fixture, '/notification', { id: one.id }), [one])
    t.strictSame(await listed(fixture, `/notification/${one.id}`, { id: other.id }), [one], 'the path wins')
    t.strictSame(await listed(fixture, `/notification/${one.id}`, { id: '' }), [one])
    t.equal((await listed(fixture, '/notification', { id: '' })).length, 2, 'empty is absent (B2)')
    for (const query of [
      { lang: 'en' },
      { lim: '1' },
      { offset: '5' },
      { lim: '1', offset: '1' },
      { lang: 'fr' },
    ]) {
      const byPath = await listed(fixture, `/notification/${one.id}`, query as Record<string, string>)
      t.strictSame(
        await listed(fixture, '/notification', { ...(query as Record<string, string>), id: one.id }),
        byPath,
      )
      const isOut = 'lang' in query ? query.lang === 'fr' : 'lim' in query && 'offset' in query
      t.equal(byPath.length, isOut ? 0 : 1, JSON.stringify(query))
    }
  },
)

onEachStore(t, 'G3: an unknown id is an empty collection', async (t, fixture) => {
  await notify(fixture)
  for (const id of ['unknown', '01900000-0000-7000-8000-000000000001', '\u{1F600}', 'a/b', 'x'.repeat(900)]) {
    t.strictSame(await listed(fixture, `/notification/${encodeURIComponent(id)}`), [])
    t.strictSame(await listed(fixture, '/notification', { id }), [])
  }
})

onEachStore(
  t,
  'conventions: lang restricts to one language, in any case, by default all',
  async (t, fixture) => {
    await fill(fixture)
    for (const lang of ['fr', 'FR', 'Fr'])
      t.strictSame(titles(await listed(fixture, '/notification', { lang })), [
        '1 the 30th',
        '3 the 20th, earlier made',
        '5 undated, later made',
      ])
    t.equal((await listed(fixture, '/notification', { lang: '' })).length, 6)
    const refused = await fixture.call('GET', '/notification', { as: 'manager', query: { lang: 'de' } })
    t.strictSame(fieldsOf(await seeProblem(t, refused, 'invalid_request')), ['lang'])
  },
)

onEachStore(
  t,
  'conventions: lim and offset; an offset beyond the end returns an empty collection',
  async (t, fixture) => {
    await fill(fixture)
    const all = await listed(fixture)
    for (const [query, from, to] of [
      [{ lim: '2' }, 0, 2],
      [{ lim: '2', offset: '0' }, 0, 2],
      [{ lim: '2', offset: '3' }, 3, 5],
      [{ lim: '99', offset: '4' }, 4, 6],
      [{ lim: '1', offset: '6' }, 6, 6],
      [{ lim: '2147483647', offset: '2147483647' }, 6, 6],
      [{ offset: '3' }, 0, 6],
      [{ offset: 'x' }, 0, 6],
    ] as const)
      t.strictSame(await listed(fixture, '/notification', query), all.slice(from, to), JSON.stringify(query))
    for (const [query, fields] of [
      [{ lim: '0' }, ['lim']],
      [{ lim: '-1', offset: '-1' }, ['lim', 'offset']],
      [{ lim: 'x', lang: 'x', after: 'x' }, ['after', 'lang', 'lim']],
      [{ lim: '1', offset: '+1' }, ['offset']],
    ] as const) {
      const answer = await fixture.call('GET', '/notification', { as: 'manager', query })
      t.strictSame(fieldsOf(await seeProblem(t, answer, 'invalid_request', JSON.stringify(query))), fields)
    }
  },
)

onEachStore(t, 'C11: following Link visits the whole collection, in full pages', async (t, fixture) => {
  await fill(fixture)
  const all = titles(await listed(fixture))
  for (const lim of [1, 2, 3, 4, 5, 6, 7]) {
    const { pages } = await walk(fixture, `lim=${lim}`)
    t.strictSame(pages.flat(), all, `lim ${lim}: each once, in order`)
    for (const page of pages.slice(0, -1)) t.equal(page.length, lim, 'full')
    t.equal(pages.length, Math.ceil(all.length / lim))
  }
  t.strictSame((await walk(fixture, 'lim=2&offset=3')).pages.flat(), all.slice(3), 'from an offset on')
  const whole = await fixture.call('GET', '/notification', { as: 'manager' })
  t.equal(whole.headers.get('link'), null, 'a whole collection has no next page')
})

onEachStore(t, 'C11: Link has the path itself, lang and lim, and never the token', async (t, fixture) => {
  await fill(fixture)
  const token = await fixture.token('manager')
  const { pages, addresses } = await walk(fixture, `lim=1&lang=FR&offset=1&unknown=x`)
  t.strictSame(pages.flat(), ['3 the 20th, earlier made', '5 undated, later made'])
  for (const { origin, pathname, searchParams } of addresses) {
    t.strictSame([origin, pathname], [BASE_URL, '/notification'])
    t.strictSame([...searchParams.keys()], ['lim', 'lang', 'after'])
    t.strictSame([searchParams.get('lim'), searchParams.get('lang')], ['1', 'FR'])
  }
  const query = { lim: '1', access_token: token }
  const byQuery = await fixture.call('GET', '/notification/', { query })
  const link = byQuery.headers.get('link') ?? ''
  t.match(link, /\/notification\?lim=1&after=/)
  t.notOk(link.includes(token))
})

onEachStore(
  t,
  'C11: a Link still works after the notification at its cursor is deleted',
  async (t, fixture) => {
    await fill(fixture)
    const all = await listed(fixture)
    const first = await fixture.call('GET', '/notification?lim=2', { as: 'manager' })
    const [, next = ''] = /^<([^<>]+)>/.exec(first.headers.get('link') ?? '') ?? []
    await fixture.call('DELETE', `/notification/${all[1]?.id}`, { as: 'manager' })
    t.strictSame(await listed(fixture, next.slice(BASE_URL.length)), all.slice(2, 4))
  },
)

onEachStore(t, 'B3: notifications with a trailing slash, HEAD, OPTIONS and 405', async (t, fixture) => {
  const { id } = await notify(fixture)
  for (const [path, allow] of [
    ['/notification', 'GET, HEAD, POST, OPTIONS'],
    [`/notification/${id}`, 'GET, HEAD, POST, DELETE, OPTIONS'],
    [`/notification/${id}/delivery`, 'GET, HEAD, OPTIONS'],
  ] as const)
    for (const url of [path, `${path}/`]) {
      const get = await fixture.call('GET', url, { as: 'manager' })
      const head = await fixture.call('HEAD', url, { as: 'manager' })
      t.same([get.status, head.status, await head.text()], [200, 200, ''], url)
      t.equal(head.headers.get('content-length'), String((await get.text()).length))
      const told = await fixture.call('OPTIONS', url)
      t.same([told.status, told.headers.get('allow')], [204, allow])
      const refused = await fixture.call('PUT', url, { as: 'manager', json: {} })
      t.equal(refused.headers.get('allow'), allow)
      await seeProblem(t, refused, 'method_not_allowed', url)
    }
  for (const path of [
    '/notifications',
    `/notification/${id}/x`,
    '/notification//delivery',
    '/notification//',
  ])
    await seeProblem(t, await fixture.call('GET', path, { as: 'manager' }), 'not_found', path)
})
