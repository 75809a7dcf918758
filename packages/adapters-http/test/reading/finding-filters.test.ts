import { instant } from '@almoner/domain/values'
import { done, sampleFeedItem } from '@almoner/testkit/contracts'
import t from 'tap'
import { attach, getList, type Query, titlesOf } from '../support/finding.ts'
import type { Fixture } from '../support/fixture.ts'
import { create, createIn, createLive, itemsIn, onEachStore, onServer, update } from '../support/items.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'

// Rulings J1 to J3 over HTTP. The contract of the stores compares each of them with the rule of what matches.

const CONTENT_TYPES = ['library', 'feed'] as const

for (const contentType of CONTENT_TYPES) {
  onEachStore(
    t,
    `J2: every word of q begins a word of the title or description (${contentType})`,
    async (t, fixture) => {
      const [first, second] = ['L’École d’été', 'Straße']
      await create(fixture, contentType, { itemTitle: first, itemDescription: 'Œuvre à İstanbul' })
      const { itemId } = await create(fixture, contentType, {
        itemTitle: second,
        itemDescription: 'ﬁnance 日本語 😀 m²',
      })
      const expected: Readonly<Record<string, string>> = {
        ecole: first,
        'ÉCO oeu': first,
        "l'ete d'istanbul": first,
        cole: '',
        'strasse FIN': second,
        日本: second,
        本: '',
        m2: second,
        'ecole strasse': '',
        '%': `${second} | ${first}`,
        '😀’': `${second} | ${first}`,
      }
      for (const [q, titles] of Object.entries(expected))
        t.equal(await titlesOf(fixture, contentType, { q }), titles, q)
      await update(fixture, contentType, itemId, { itemTitle: 'Eau', itemDescription: 'pure' })
      t.equal(await titlesOf(fixture, contentType, { q: 'strasse' }), '', 'the words of before are gone')
      t.equal(await titlesOf(fixture, contentType, { q: 'pure e' }), 'Eau')
    },
  )

  onEachStore(
    t,
    `J1, J3: filters combine and narrow what the caller may see (${contentType})`,
    async (t, fixture) => {
      for (const status of ['Draft', 'Live', 'Archived'])
        for (const isDonorRestricted of ['0', '1']) {
          const itemTitle = `${status} ${isDonorRestricted}`
          const { itemId } = await createIn(fixture, contentType, status, { itemTitle, isDonorRestricted })
          if (isDonorRestricted === '1') await attach(fixture, contentType, itemId, 'water')
        }
      const titles = async (query: Query, as: 'manager' | 'donor' | 'user' = 'manager') =>
        (await titlesOf(fixture, contentType, query, as)).split(' | ').sort().join(' | ')
      t.equal(await titles({ status: 'Draft' }), 'Draft 0 | Draft 1')
      t.equal(await titles({ status: 'Draft', isDonorRestricted: 'yes' }), 'Draft 1')
      t.equal(await titles({ isDonorRestricted: 'False' }), 'Archived 0 | Draft 0 | Live 0')
      t.equal(await titles({ labelId: 'water' }), 'Archived 1 | Draft 1 | Live 1')
      t.equal(await titles({ labelId: 'water', status: 'Live', q: 'liv' }), 'Live 1')
      t.equal(await titles({ labelId: 'health' }), '')
      t.equal(await titles({ labelId: 'nowhere' }), '', 'an unknown label matches none')
      t.equal(await titles({ status: 'Draft' }, 'user'), '', 'a user sees no Drafts, filter or not')
      t.equal(await titles({ isDonorRestricted: '1' }, 'user'), '')
      t.equal(await titles({ isDonorRestricted: '1' }, 'donor'), 'Live 1')
      t.equal(await titles({ status: 'Live', labelId: '', isDonorRestricted: '', q: '' }), 'Live 0 | Live 1')
    },
  )

  onEachStore(
    t,
    `J1: filters apply to an item that a parameter names, and not by path (${contentType})`,
    async (t, fixture) => {
      const { itemId } = await createLive(fixture, contentType, { itemTitle: 'Water' })
      await attach(fixture, contentType, itemId, 'water')
      const counts = async (query: Query) => {
        const response = await getList(fixture, contentType, { itemId, count: 'true', ...query })
        return [(await itemsIn(response)).length, response.headers.get('x-total-count')]
      }
      t.strictSame(await counts({ q: 'wat', labelId: 'water' }), [1, '1'])
      t.strictSame(await counts({ lim: '1', offset: '1' }), [0, '1'])
      for (const query of [
        { q: 'other' },
        { labelId: 'health' },
        { status: 'Draft' },
        { from: '2099-01-01' },
      ])
        t.strictSame(await counts(query), [0, '0'], JSON.stringify(query))
      const query = { q: 'other', status: 'nonsense', include: 'nonsense', count: 'nonsense', from: 'x' }
      const byPath = await fixture.call('GET', `/${contentType}/${itemId}`, { as: 'user', query })
      t.equal(byPath.headers.get('x-total-count'), null)
      t.strictSame(
        await byPath.json(),
        await (await fixture.call('GET', `/${contentType}/${itemId}`, { as: 'user' })).json(),
      )
    },
  )
}

onEachStore(t, 'J3: from and to are days of publication, both included', async (t, fixture) => {
  for (const day of ['2025-01-01', '2025-01-02', '2025-01-03'])
    await create(fixture, 'library', { itemTitle: day, itemPublicationDate: day })
  const titles = (query: Query) => titlesOf(fixture, 'library', query)
  t.equal(await titles({ from: '2025-01-02' }), '2025-01-03 | 2025-01-02')
  t.equal(await titles({ to: '2025-01-02' }), '2025-01-02 | 2025-01-01')
  t.equal(await titles({ from: '2025-01-02', to: '2025-01-02', q: '2025' }), '2025-01-02')
  t.equal(await titles({ from: '2025-01-03', to: '2025-01-01' }), '', 'from after to matches nothing')
  t.equal(await titles({ from: '0000-01-01', to: '9999-12-31', lim: '1' }), '2025-01-03')
})

const createdAt = async ({ ports }: Fixture, ...moments: ReadonlyArray<string>): Promise<void> => {
  for (const [n, moment] of moments.entries()) {
    const item = sampleFeedItem(n, { title: moment as never, createdAt: instant(Date.parse(moment)) })
    await done(ports.feedItems.add({ item, linksToImages: [] }))
  }
}

onEachStore(
  t,
  'J3: in the feed they are days of creation in the time zone of the service',
  async (t, fixture) => {
    // Summer time began in Paris on 2025-03-30 at 01:00 UTC.
    const moments = [
      ...['2025-03-29T22:59:59.999Z', '2025-03-29T23:00:00.000Z'],
      ...['2025-03-30T21:59:59.999Z', '2025-03-30T22:00:00.000Z'],
    ] as const
    await createdAt(fixture, ...moments)
    const day = { from: '2025-03-30', to: '2025-03-30' }
    t.equal(await titlesOf(fixture, 'feed', day), `${moments[2]} | ${moments[1]}`)
    t.equal(await titlesOf(fixture, 'feed', { to: '2025-03-29' }), moments[0])
    t.equal(await titlesOf(fixture, 'feed', { from: '2025-03-31', to: '9999-12-31' }), moments[3])
  },
  { policy: { timeZone: 'Europe/Paris' as never } },
)

onServer(t, 'J1, J2, J3, J4, I1: invalid values are 400, all named at once', async (t, fixture) => {
  const refused = async (query: Query, ...fields: ReadonlyArray<string>) =>
    t.strictSame(
      fieldsOf(await seeProblem(t, await getList(fixture, 'library', query), 'invalid_request')),
      fields,
      JSON.stringify(query),
    )
  const all = { status: 'live', from: '2023-02-30', to: 'x', include: 'author', count: 'yes' }
  await refused(all, ...Object.keys(all).sort())
  await refused({ q: 'a'.repeat(201) }, 'q')
  await refused({ q: 'a b c d e f g h i j a' }, 'q')
  await refused({ q: 'a\u0000' }, 'q')
  for (const include of ['Labels', 'labels,', ' labels', 'labels, labels', ',', 'labels,author'])
    await refused({ include }, 'include')
  await refused({ count: 'TRUE' }, 'count')
  const twice = await fixture.call('GET', '/feed/?q=a&q=b', { as: 'user' })
  t.strictSame(fieldsOf(await seeProblem(t, twice, 'invalid_request')), ['q'])
  for (const q of ['é'.repeat(200), 'e\u0301'.repeat(200), 'a b c d e f g h i j', '. . . . . . . . . . . .'])
    t.equal((await getList(fixture, 'feed', { q })).status, 200, q)
})
