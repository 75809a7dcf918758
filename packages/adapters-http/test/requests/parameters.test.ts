import t, { type Test } from 'tap'
import { API_ROUTES } from '../../src/index.ts'
import { ENCODING_NAMES, ENCODINGS } from '../support/encodings.ts'
import { type Fixture, type Send, startFixture } from '../support/fixture.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import { send as sendRaw } from '../support/raw.ts'
import {
  concretePaths,
  FEED_ITEM,
  LIBRARY_ITEM,
  leastFor,
  newFeedItem,
  newInboxEntry,
  newLibraryItem,
  newNotification,
  parametersFor,
} from '../support/samples.ts'

const start = async (t: Test) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  return fixture
}

interface Item {
  readonly itemId: string
  readonly itemTitle: string
  readonly lang: string
  readonly isDonorRestricted: string
}

/** The item that an answer holds, alone or in a collection of one. */
const itemIn = async (response: Response): Promise<Item> => {
  const body = (await response.json()) as { item?: Item; items?: ReadonlyArray<{ item: Item }> }
  const item = body.item ?? body.items?.[0]?.item
  if (item === undefined) throw new Error('expected an item', { cause: body })
  return item
}

const create = (fixture: Fixture, send: Send) => fixture.call('POST', '/library/', { as: 'manager', ...send })

t.test('B2: parameters may be in the query of a POST, with each encoding of its body or none', async (t) => {
  const fixture = await start(t)
  t.equal((await itemIn(await create(fixture, { query: LIBRARY_ITEM }))).itemTitle, LIBRARY_ITEM.itemTitle)
  for (const name of ENCODING_NAMES) {
    const { itemTitle, ...query } = LIBRARY_ITEM
    const response = await create(fixture, { query, ...ENCODINGS[name]([['itemTitle', 'In the body']]) })
    t.equal((await itemIn(response)).itemTitle, 'In the body', name)
    t.equal(itemTitle, LIBRARY_ITEM.itemTitle)
  }
})

t.test('B2: the body wins over the query', async (t) => {
  const fixture = await start(t)
  for (const name of ENCODING_NAMES) {
    const query = { ...LIBRARY_ITEM, itemTitle: 'Query', lang: 'fr' }
    const item = await itemIn(await create(fixture, { query, ...ENCODINGS[name]([['itemTitle', 'Body']]) }))
    t.same([item.itemTitle, item.lang], ['Body', 'fr'], name)
    const bad = await create(fixture, {
      query: LIBRARY_ITEM,
      ...ENCODINGS[name]([
        ['lang', 'xx'],
        ['link', 'nonsense'],
      ]),
    })
    t.same(
      fieldsOf(await seeProblem(t, bad, 'invalid_request')),
      ['lang', 'link'],
      'a bad value in the body is not skipped',
    )
  }
})

t.test('B2: a value in the path wins over both, everywhere', async (t) => {
  const fixture = await start(t)
  const [mine, other] = [await newLibraryItem(fixture), await newLibraryItem(fixture, { itemTitle: 'Other' })]
  const decoy = { itemId: other, labelId: 'health', image: 'notification' }
  const read = await fixture.call('GET', `/library/${mine}`, { as: 'manager', query: { itemId: other } })
  t.equal((await itemIn(read)).itemId, mine, 'GET')
  for (const name of ENCODING_NAMES) {
    const pairs = Object.entries({ ...LIBRARY_ITEM, status: 'Draft', itemId: other })
    const updated = await fixture.call('POST', `/library/${mine}`, {
      as: 'manager',
      query: { itemId: other },
      ...ENCODINGS[name](pairs),
    })
    t.equal((await itemIn(updated)).itemId, mine, `POST ${name}`)
  }
  const label = await fixture.call('GET', '/library/label/water', {
    as: 'user',
    query: { labelId: 'health' },
  })
  t.match(await label.json(), [{ label: { labelId: 'water' } }])
  const attached = await fixture.call('POST', `/library/${mine}/label`, {
    as: 'manager',
    query: decoy,
    json: { ...decoy, labelId: 'water' },
  })
  t.equal(attached.status, 200)
  const labelsOf = async (id: string) =>
    (await fixture.call('GET', `/library/${id}/label`, { as: 'manager' })).json()
  t.match([await labelsOf(mine), await labelsOf(other)], [[{ label: { labelId: 'water' } }], []])
  const detached = await fixture.call('DELETE', `/library/${mine}/label/water`, {
    as: 'manager',
    query: decoy,
    json: decoy,
  })
  t.equal(detached.status, 200)
  const image = await fixture.call('DELETE', `/library/${mine}/media/cover`, { as: 'manager', query: decoy })
  t.match(await seeProblem(t, image, 'not_found'), { detail: 'There is no such image.' }, 'the item exists')
})

t.test(
  'B2: unknown parameters are ignored; itemId in POST /library/ and POST /feed/ has no effect',
  async (t) => {
    const fixture = await start(t)
    const known = await newLibraryItem(fixture)
    for (const name of ENCODING_NAMES) {
      const pairs = Object.entries({
        ...LIBRARY_ITEM,
        itemId: known,
        status: 'Live',
        createdAt: 'x',
        colour: 'red',
        '': 'y',
      })
      const item = await itemIn(
        await create(fixture, { query: { itemId: known, nonsense: '1' }, ...ENCODINGS[name](pairs) }),
      )
      t.not(item.itemId, known, name)
      t.match(item, { status: 'Draft' }, 'a new item is a Draft, with any status in the request')
    }
    const feed = await newFeedItem(fixture)
    t.not(await newFeedItem(fixture, { itemId: feed }), feed)
    const odd = '{"__proto__":{"lang":"fr"},"constructor":{"a":[1]},"toString":1,"hasOwnProperty":2,'
    const body = odd + JSON.stringify(LIBRARY_ITEM).slice(1)
    const item = await itemIn(
      await create(fixture, { headers: { 'content-type': 'application/json' }, body }),
    )
    t.equal(item.lang, 'en', 'inherited properties are not parameters')
  },
)

t.test('B2: an unknown parameter is ignored, also if it is repeated or has any value', async (t) => {
  const fixture = await start(t)
  const pairs = [...Object.entries(LIBRARY_ITEM), ['unknown', 'a'], ['unknown', 'b']] as const
  for (const name of ENCODING_NAMES)
    t.equal((await create(fixture, ENCODINGS[name](pairs))).status, 200, name)
  t.equal((await create(fixture, { json: { ...LIBRARY_ITEM, unknown: { deep: [[{}]] } } })).status, 200)
  t.equal((await fixture.call('GET', '/library/?x=1&x=2', { as: 'user' })).status, 200)
})

t.test('B2: an empty value counts as absent', async (t) => {
  const fixture = await start(t)
  for (const name of ENCODING_NAMES) {
    const problem = await seeProblem(
      t,
      await create(fixture, ENCODINGS[name](Object.entries({ ...LIBRARY_ITEM, itemTitle: '', link: '' }))),
      'invalid_request',
    )
    t.same(fieldsOf(problem), ['itemTitle', 'link'], name)
    t.ok((problem.errors ?? []).every(({ message }) => message === 'is required'))
    const item = await itemIn(
      await create(fixture, ENCODINGS[name](Object.entries({ ...LIBRARY_ITEM, lang: '' }))),
    )
    t.equal(item.lang, 'en', 'the default')
    const query = { ...LIBRARY_ITEM, lang: 'fr' }
    t.equal(
      (await itemIn(await create(fixture, { query, ...ENCODINGS[name]([['lang', '']]) }))).lang,
      'fr',
      'then the query counts',
    )
  }
  for (const query of ['?lim=', '?lang=', '?itemId=', '?lim&lang', '?after=', '?'])
    t.equal((await fixture.call('GET', `/library/${query}`, { as: 'user' })).status, 200, query)
})

t.test('B2: JSON null counts as absent, also where an empty value has a meaning', async (t) => {
  const fixture = await start(t)
  const nulls = { lang: null, isDonorRestricted: null, unknown: null }
  const item = await itemIn(await create(fixture, { json: { ...LIBRARY_ITEM, ...nulls } }))
  t.match(item, { lang: 'en', isDonorRestricted: '0' })
  const required = await create(fixture, { json: { ...LIBRARY_ITEM, itemTitle: null } })
  t.same((await seeProblem(t, required, 'invalid_request')).errors, [
    { field: 'itemTitle', message: 'is required' },
  ])

  const cover = 'https://example.org/c.png'
  const update = (json: object) =>
    fixture.call('POST', `/library/${item.itemId}`, {
      as: 'manager',
      json: { ...LIBRARY_ITEM, status: 'Draft', ...json },
    })
  t.match(await itemIn(await update({ coverImgUrl: cover, isDonorRestricted: '1' })), {
    coverImgUrl: cover,
    isDonorRestricted: '1',
  })
  t.match(
    await itemIn(await update({ coverImgUrl: null, isDonorRestricted: null })),
    { coverImgUrl: cover, isDonorRestricted: '1' },
    'null means absent',
  )
  t.match(
    await itemIn(await update({ coverImgUrl: '', isDonorRestricted: '0' })),
    { coverImgUrl: '', isDonorRestricted: '0' },
    'empty clears (C6)',
  )
  t.match(
    await itemIn(await update({ isDonorRestricted: '' })),
    { isDonorRestricted: '1' },
    'empty restricts (B9)',
  )
})

t.test('B2: a repeated parameter is 400, in the query, a form, multipart and JSON', async (t) => {
  const fixture = await start(t)
  for (const name of ENCODING_NAMES)
    for (const field of ['itemTitle', 'lang', 'link']) {
      const pairs = [
        ...Object.entries({ ...LIBRARY_ITEM, lang: 'en' }),
        [field, (LIBRARY_ITEM as Record<string, string>)[field] ?? 'en'] as const,
      ]
      const problem = await seeProblem(
        t,
        await create(fixture, ENCODINGS[name](pairs)),
        'invalid_request',
        name,
      )
      t.same(problem.errors, [{ field, message: 'must be given once' }], `${field}, even with equal values`)
    }
  for (const query of ['?lang=en&lang=en', '?lim=1&lim=2', '?itemId=a&lim=1&itemId=a'])
    t.equal(
      fieldsOf(
        await seeProblem(
          t,
          await fixture.call('GET', `/library/${query}`, { as: 'user' }),
          'invalid_request',
          query,
        ),
      ).length,
      1,
    )
  const array = await create(fixture, { json: { ...LIBRARY_ITEM, itemTitle: ['A', 'B'] } })
  t.same(fieldsOf(await seeProblem(t, array, 'invalid_request', 'a JSON array')), ['itemTitle'])
  const one = await create(fixture, { json: { ...LIBRARY_ITEM, itemTitle: ['A'] } })
  t.same(fieldsOf(await seeProblem(t, one, 'invalid_request', 'a JSON array of one element')), ['itemTitle'])
  const object = await create(fixture, { json: { ...LIBRARY_ITEM, itemTitle: { a: 1 } } })
  t.same((await seeProblem(t, object, 'invalid_request')).errors, [
    { field: 'itemTitle', message: 'must be a single value' },
  ])
})

t.test('B2: all repeated parameters are named together with the other errors', async (t) => {
  const fixture = await start(t)
  const pairs = [
    ...Object.entries({ ...LIBRARY_ITEM, lang: 'xx' }),
    ['itemTitle', 'b'],
    ['link', 'c'],
  ] as const
  for (const name of ENCODING_NAMES)
    t.same(
      fieldsOf(await seeProblem(t, await create(fixture, ENCODINGS[name](pairs)), 'invalid_request', name)),
      ['itemTitle', 'lang', 'link'],
    )
})

t.test(
  'B2: a parameter repeated in the query is 400 even if the body has it; once in each is allowed',
  async (t) => {
    const fixture = await start(t)
    const token = await fixture.token('manager')
    const json = JSON.stringify(LIBRARY_ITEM)
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const twice = await sendRaw(fixture.url, 'POST', '/library/?itemTitle=a&itemTitle=b', headers, json)
    t.equal(twice.status, 400)
    const once = await sendRaw(fixture.url, 'POST', '/library/?itemTitle=a', headers, json)
    t.equal(once.status, 200)
  },
)

t.test('B2: every route accepts parameters in the query, and in a body if it has one', async (t) => {
  const fixture = await start(t)
  const ids = {
    library: await newLibraryItem(fixture),
    feed: await newFeedItem(fixture),
    notification: await newNotification(fixture),
    inbox: await newInboxEntry(fixture),
  }
  const routes = concretePaths(ids).filter(
    ({ route }) => route.method !== 'DELETE' && route.upload === undefined,
  )
  const counterpartId = await newLibraryItem(fixture, { lang: 'fr' })
  for (const { route, address } of routes) {
    const query = parametersFor(route, counterpartId)
    const response = await fixture.call(route.method, address, { as: leastFor(route), query })
    t.equal(response.status, 200, route.operation)
  }
  t.equal(
    routes.length +
      API_ROUTES.filter(({ method, upload }) => method === 'DELETE' || upload !== undefined).length,
    API_ROUTES.length,
  )
})

t.test('B2: names are case-sensitive, and text is stored with its blanks', async (t) => {
  const fixture = await start(t)
  const named = await create(fixture, { json: { ...LIBRARY_ITEM, ItemTitle: 'x', itemTitle: undefined } })
  t.same(fieldsOf(await seeProblem(t, named, 'invalid_request')), ['itemTitle'])
  for (const name of ENCODING_NAMES) {
    const pairs = Object.entries({ ...LIBRARY_ITEM, itemTitle: '  a + b & c=d % 100 é \u{1F600} ' })
    t.equal(
      (await itemIn(await create(fixture, ENCODINGS[name](pairs)))).itemTitle,
      '  a + b & c=d % 100 é \u{1F600} ',
      name,
    )
  }
})

t.test(
  'B2: an empty itemType counts as absent: an error where it is required, no filter where it is not',
  async (t) => {
    const fixture = await start(t)
    const missing = await fixture.call('POST', '/feed/', {
      as: 'donor',
      json: { ...FEED_ITEM, itemType: '' },
    })
    t.same(fieldsOf(await seeProblem(t, missing, 'invalid_request')), ['itemType'])
    await newFeedItem(fixture)
    const all = await fixture.call('GET', '/feed/?itemType=', { as: 'manager' })
    t.equal(((await all.json()) as { items: ReadonlyArray<unknown> }).items.length, 1)
  },
)
