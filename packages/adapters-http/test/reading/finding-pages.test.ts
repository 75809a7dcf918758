import { makeLoadLabels } from '@almoner/domain/content'
import t from 'tap'
import { attach, getList, titlesOf } from '../support/finding.ts'
import { BASE_URL, done, LABELS } from '../support/fixture.ts'
import { create, createLive, onEachStore, onServer } from '../support/items.ts'

// Rulings J4 to J6 over HTTP: members of items, counts, and links between pages.

const CONTENT_TYPES = ['library', 'feed'] as const
const [WATER, HEALTH] = LABELS.map((label) => ({ label }))

interface WithLabels {
  readonly items: ReadonlyArray<{ readonly item: { readonly itemTitle: string; readonly labels?: unknown } }>
}

const labelsIn = async (response: Response): Promise<ReadonlyArray<unknown>> =>
  ((await response.json()) as WithLabels).items.map(({ item }) => item.labels)

for (const contentType of CONTENT_TYPES) {
  onEachStore(
    t,
    `J4: include adds the labels of each item, as they are now (${contentType})`,
    async (t, fixture) => {
      const [bare, both] = [await create(fixture, contentType), await create(fixture, contentType)]
      const labels = async (query = {}) =>
        labelsIn(await getList(fixture, contentType, { include: 'labels,labels', ...query }))
      t.strictSame(await labels(), [[], []])
      for (const labelId of ['health', 'water']) await attach(fixture, contentType, both.itemId, labelId)
      t.strictSame(await labels(), [[WATER, HEALTH], []], 'in the order of the file')
      t.strictSame(await labels({ lim: '1', offset: '1' }), [[]])
      t.strictSame(await labels({ itemId: both.itemId }), [[WATER, HEALTH]])
      const plain = (await (await getList(fixture, contentType)).json()) as WithLabels
      const included = (await (
        await getList(fixture, contentType, { include: 'labels' })
      ).json()) as WithLabels
      t.strictSame(
        included.items.map(({ item: { labels: _, ...item } }) => ({ item })),
        plain.items,
        'nothing else differs',
      )
      await done(makeLoadLabels(fixture.ports)([{ labelId: 'water', en: 'W', fr: 'E' }, LABELS[1]]))
      const renamed = { label: { labelId: 'water', en: 'W', fr: 'E' } }
      t.strictSame(await labels(), [[renamed, HEALTH], []], 'a label that was renamed')
      await fixture.call('DELETE', `/${contentType}/${both.itemId}/label/health`, { as: 'manager' })
      t.strictSame(await labels(), [[renamed], []], 'a label that was detached')
      t.strictSame(await labels({ itemId: bare.itemId }), [[]])
    },
  )

  onEachStore(
    t,
    `J5: count counts what matches and the caller sees, on any page (${contentType})`,
    async (t, fixture) => {
      for (let n = 0; n < 5; n += 1) {
        await createLive(fixture, contentType, {
          itemTitle: `eau ${n}`,
          isDonorRestricted: n === 0 ? '1' : '0',
        })
        await create(fixture, contentType, { itemTitle: `eau ${n}` })
      }
      const count = async (
        query: Record<string, string>,
        as: 'user' | 'donor' | 'manager',
        method = 'GET',
      ) => {
        const asked = { as, query: { count: 'true', ...query } }
        return (await fixture.call(method, `/${contentType}/`, asked)).headers.get('x-total-count')
      }
      for (const [as, total] of Object.entries({ user: '4', donor: '5', manager: '10' } as const))
        for (const page of [{}, { lim: '2' }, { lim: '2', offset: '50' }])
          for (const method of ['GET', 'HEAD']) {
            t.equal(await count(page, as as 'user', method), total, `${method} ${as} ${JSON.stringify(page)}`)
            t.equal(await count({ q: 'ea', ...page }, as as 'user', method), total)
          }
      t.equal(await count({ q: 'eau 3' }, 'manager'), '2')
      t.equal(await count({ status: 'Draft' }, 'user'), '0')
      t.equal(await count({ count: 'false' }, 'user'), null)
      t.equal(await count({ count: '' }, 'user'), null)
    },
  )

  onEachStore(
    t,
    `J6: Link carries every parameter but the token, and walks what matches (${contentType})`,
    async (t, fixture) => {
      for (let n = 0; n < 7; n += 1) {
        const { itemId } = await createLive(fixture, contentType, { itemTitle: `L’eau ${n}` })
        await attach(fixture, contentType, itemId, 'water')
        await createLive(fixture, contentType, { itemTitle: 'other' })
      }
      const query = {
        ...{ q: "l'eau", labelId: 'water', status: 'Live', isDonorRestricted: '0', lang: 'en', lim: '3' },
        ...{ from: '2000-01-01', to: '2100-01-01', include: 'labels', count: 'true' },
      }
      let path = `/${contentType}/?${new URLSearchParams(query)}&offset=1`
      const titles: Array<string> = []
      for (let page = 0; page < 2; page += 1) {
        const response = await fixture.call('GET', path, { as: 'user' })
        t.equal(response.headers.get('x-total-count'), '7')
        const { items } = (await response.json()) as WithLabels
        titles.push(...items.map(({ item }) => item.itemTitle))
        t.strictSame(
          items.map(({ item }) => item.labels),
          [[WATER], [WATER], [WATER]],
        )
        const link = response.headers.get('link')
        if (link === null) break
        const url = new URL(link.slice(1, link.indexOf('>')))
        const { after, ...sent } = Object.fromEntries(url.searchParams)
        t.strictSame(sent, query)
        t.ok(after)
        path = url.href.slice(BASE_URL.length)
      }
      t.equal(titles.join(' | '), [5, 4, 3, 2, 1, 0].map((n) => `L’eau ${n}`).join(' | '))
      const token = await fixture.token('user')
      const shown = await fixture.call('GET', `/${contentType}/?lim=1&q=eau&access_token=${token}`)
      t.equal(shown.status, 200)
      t.notMatch(shown.headers.get('link'), token)
    },
  )
}

const reads: Array<number> = []

onServer(
  t,
  'J4: the labels of a page cost one more read, not one an item',
  async (t, fixture) => {
    for (let n = 0; n < 5; n += 1) await create(fixture, 'library', { itemTitle: `${n}` })
    t.equal(await titlesOf(fixture, 'library', { include: 'labels', lim: '5' }), '4 | 3 | 2 | 1 | 0')
    t.strictSame(reads, [5])
  },
  {
    wrap: (ports) => ({
      ...ports,
      labels: {
        ...ports.labels,
        ofItems: (contentType, ids) => {
          reads.push(ids.length)
          return ports.labels.ofItems(contentType, ids)
        },
      },
    }),
  },
)
