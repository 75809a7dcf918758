import { makeLoadLabels } from '@almoner/domain/content'
import { done } from '@almoner/testkit/contracts'
import t from 'tap'
import { ENCODING_NAMES, ENCODINGS } from '../support/encodings.ts'
import { type Fixture, LABELS, type Send } from '../support/fixture.ts'
import { onEachStore } from '../support/items.ts'
import { AMINA, BRUNO, preferenceOf, preferencePath } from '../support/people.ts'

import { fieldsOf, seeProblem } from '../support/problems.ts'

// F2: GET and PUT /user/<email>/notification/preference. Who acts for whom is in people-identity.test.ts.

const put = (fixture: Fixture, json: unknown, send: Send = {}): Promise<Response> =>
  fixture.call('PUT', preferencePath(AMINA), { as: 'donor', json, ...send })

onEachStore(
  t,
  'F2: GET returns the preference of a known user, and 404 for an unknown one',
  async (t, fixture) => {
    const unknown = await fixture.call('GET', preferencePath(AMINA), { as: 'donor' })
    t.match((await seeProblem(t, unknown, 'not_found')).detail, /user/)
    await put(fixture, { lang: 'fr' })
    const answer = await fixture.call('GET', preferencePath(AMINA), { as: 'donor' })
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    t.strictSame(await answer.json(), {
      preference: { email: AMINA, lang: 'fr', subscribed: true, topics: [] },
    })
  },
)

onEachStore(
  t,
  'F2: PUT creates the user, may be partial, and returns the whole preference',
  async (t, fixture) => {
    for (const [json, preference] of [
      [{}, { lang: 'en', subscribed: true }],
      [{ subscribed: false }, { lang: 'en', subscribed: false }],
      [{ lang: 'fr' }, { lang: 'fr', subscribed: false }],
      [
        { lang: '', subscribed: null },
        { lang: 'fr', subscribed: false },
      ],
      [{}, { lang: 'fr', subscribed: false }],
      [
        { lang: 'en', subscribed: true, email: BRUNO, unknown: 1 },
        { lang: 'en', subscribed: true },
      ],
    ] as const) {
      const answer = await put(fixture, json)
      t.equal(answer.status, 200)
      t.strictSame(
        await answer.json(),
        { preference: { email: AMINA, ...preference, topics: [] } },
        JSON.stringify(json),
      )
      t.strictSame(await preferenceOf(fixture, AMINA), { email: AMINA, ...preference, topics: [] })
    }
    t.equal(await preferenceOf(fixture, BRUNO), undefined)
  },
)

onEachStore(t, 'F2: PUT without a body creates the user too', async (t, fixture) => {
  const answer = await fixture.call('PUT', preferencePath(BRUNO), { as: 'userManager' })
  t.strictSame(await answer.json(), {
    preference: { email: BRUNO, lang: 'en', subscribed: true, topics: [] },
  })
})

onEachStore(t, 'B1: PUT takes JSON, form and multipart with the same meaning', async (t, fixture) => {
  for (const name of ENCODING_NAMES)
    for (const [lang, subscribed] of [
      ['FR', 'false'],
      ['en', 'TRUE'],
      ['Fr', '0'],
      ['eN', '1'],
    ] as const) {
      const send = ENCODINGS[name]([
        ['lang', lang],
        ['subscribed', subscribed],
      ])
      const answer = await fixture.call('PUT', preferencePath(AMINA), { as: 'donor', ...send })
      t.strictSame(
        await answer.json(),
        {
          preference: {
            email: AMINA,
            lang: lang.toLowerCase(),
            subscribed: ['TRUE', '1'].includes(subscribed),
            topics: [],
          },
        },
        `${name}: ${lang} ${subscribed}`,
      )
    }
})

onEachStore(t, 'B1: JSON may send subscribed as a boolean or a number', async (t, fixture) => {
  for (const [sent, meant] of [
    [false, false],
    [true, true],
    [0, false],
    [1, true],
    ['False', false],
  ] as const)
    t.match(await (await put(fixture, { subscribed: sent })).json(), { preference: { subscribed: meant } })
})

onEachStore(t, 'B2: PUT accepts parameters in the query too, and the body wins', async (t, fixture) => {
  const query = { lang: 'fr', subscribed: 'false' }
  const answer = await fixture.call('PUT', preferencePath(AMINA), { as: 'donor', query })
  t.match(await answer.json(), { preference: { lang: 'fr', subscribed: false, topics: [] } })
  const both = await fixture.call('PUT', preferencePath(AMINA), { as: 'donor', query, json: { lang: 'en' } })
  t.match(await both.json(), { preference: { lang: 'en', subscribed: false, topics: [] } })
})

onEachStore(t, 'F2, I1: invalid languages and booleans are 400, and all are named', async (t, fixture) => {
  for (const [json, fields] of [
    [{ lang: 'de' }, ['lang']],
    [{ subscribed: 'yes' }, ['subscribed']],
    [{ subscribed: 2 }, ['subscribed']],
    [{ subscribed: ' true' }, ['subscribed']],
    [{ lang: 1, subscribed: 'maybe' }, ['lang', 'subscribed']],
    [{ lang: ['en'], subscribed: {} }, ['lang', 'subscribed']],
    [{ lang: 'fr', subscribed: 'maybe' }, ['subscribed']],
  ] as const)
    t.strictSame(
      fieldsOf(await seeProblem(t, await put(fixture, json), 'invalid_request', JSON.stringify(json))),
      fields,
    )
  t.equal(await preferenceOf(fixture, AMINA), undefined, 'nothing was written')
  const twice = await fixture.call('PUT', `${preferencePath(AMINA)}?lang=en&lang=fr`, { as: 'donor' })
  t.strictSame(fieldsOf(await seeProblem(t, twice, 'invalid_request')), ['lang'])
})

const topicsIn = async (answer: Response): Promise<unknown> => {
  const { preference } = (await answer.json()) as { readonly preference: { readonly topics: unknown } }
  return preference.topics
}

onEachStore(
  t,
  'F6: topics are an array in JSON and a comma list in forms; repeats count once',
  async (t, fixture) => {
    const sent = async (json: unknown) => topicsIn(await put(fixture, { topics: json }))
    t.strictSame(await sent(['water', 'health', 'water']), ['water', 'health'])
    t.strictSame(await topicsIn(await put(fixture, { lang: 'fr' })), ['water', 'health'], 'left out')
    t.strictSame(await sent(null), ['water', 'health'], 'B2: null is absent')
    for (const name of ENCODING_NAMES) {
      const pairs = async (topics: string) => {
        const send = ENCODINGS[name]([['topics', topics]])
        return topicsIn(await fixture.call('PUT', preferencePath(AMINA), { as: 'donor', ...send }))
      }
      t.strictSame(await pairs('health,water,health'), ['health', 'water'], name)
      t.strictSame(await pairs(''), [], `everything, by ${name}`)
    }
    t.strictSame(await sent('water'), ['water'])
    t.strictSame(await sent([]), [])
    const query = { topics: 'health,water' }
    const answer = await fixture.call('PUT', preferencePath(AMINA), { as: 'donor', query })
    t.strictSame(await topicsIn(answer), ['health', 'water'], 'B2: in the query')
    t.match(await preferenceOf(fixture, AMINA), { topics: ['health', 'water'] })
  },
)

onEachStore(t, 'F6: unknown topics, and what is no list, are 400 and change nothing', async (t, fixture) => {
  await put(fixture, { topics: ['water'] })
  const many = Array.from({ length: 1001 }, (_, n) => `topic-${n}`)
  const refused = async (answer: Response, about: string) =>
    t.strictSame(fieldsOf(await seeProblem(t, answer, 'invalid_request', about)), ['topics'], about)
  for (const topics of [
    ['water', 'unknown'],
    'water,unknown',
    'water,,health',
    ' water',
    many,
    [['water']],
    [{}],
    {},
    [null],
  ])
    await refused(await put(fixture, { topics, lang: 'fr' }), JSON.stringify(topics).slice(0, 40))
  t.strictSame(
    fieldsOf(await seeProblem(t, await put(fixture, { topics: {}, lang: 'xx' }), 'invalid_request')),
    ['lang', 'topics'],
  )
  const call = (path: string, send: object) => fixture.call('PUT', path, { as: 'donor', ...send })
  for (const name of ENCODING_NAMES) {
    const send = ENCODINGS[name]([
      ['topics', 'water'],
      ['topics', 'health'],
    ])
    await refused(await call(preferencePath(AMINA), send), `B2: given twice by ${name}`)
  }
  await refused(
    await call(`${preferencePath(AMINA)}?topics=water&topics=health`, {}),
    'B2: twice in the query',
  )
  t.match(await preferenceOf(fixture, AMINA), { lang: 'en', topics: ['water'] })
})

onEachStore(t, 'F6: a thousand topics are stored, and leave with a load of labels', async (t, fixture) => {
  const topics = Array.from({ length: 1000 }, (_, n) => `topic-${n}`)
  const load = makeLoadLabels(fixture.ports)
  await done(load([...LABELS, ...topics.map((labelId) => ({ labelId, en: labelId, fr: labelId }))]))
  t.strictSame(await topicsIn(await put(fixture, { topics: [...topics, ...topics] })), topics)
  await put(fixture, { topics: [] })
  await fixture.call('PUT', preferencePath(BRUNO), {
    as: 'userManager',
    json: { topics: ['topic-7', 'water'] },
  })
  t.strictSame(await done(load(LABELS)), { labels: LABELS.length, people: 1, everything: 0 })
  t.match(await preferenceOf(fixture, BRUNO), { topics: ['water'] })
})

onEachStore(t, 'B1, A5, I1: PUT rejects other bodies as POST does', async (t, fixture) => {
  const text = { headers: { 'content-type': 'text/plain' }, body: 'lang=fr' }
  const asDonor = { authorization: `Bearer ${await fixture.token('donor')}` }
  const sent = (headers: Readonly<Record<string, string>>, body: string) =>
    fixture.call('PUT', preferencePath(AMINA), { headers: { ...headers, ...asDonor }, body })
  await seeProblem(t, await sent(text.headers, text.body), 'unsupported_media_type')
  await seeProblem(t, await sent({ 'content-type': 'application/json' }, '{"lang":'), 'invalid_request')
  await seeProblem(
    t,
    await sent({ 'content-type': 'application/json' }, `{"a":"${'x'.repeat(1_100_000)}"}`),
    'content_too_large',
  )
  const inBody = { lang: 'fr', access_token: await fixture.token('donor') }
  t.equal(
    (await fixture.call('PUT', preferencePath(AMINA), { form: inBody })).status,
    200,
    'the token in the body',
  )
  await seeProblem(t, await put(fixture, inBody), 'invalid_request', 'the token in two places')
  await seeProblem(t, await fixture.call('PUT', preferencePath(AMINA), { json: {} }), 'invalid_token')
})

onEachStore(t, 'F2: preferences require the scope user-donor', async (t, fixture) => {
  for (const method of ['GET', 'PUT'])
    await seeProblem(
      t,
      await fixture.call(method, preferencePath(AMINA), { as: 'user' }),
      'insufficient_scope',
    )
})

onEachStore(t, 'B3: preferences with a trailing slash, HEAD, OPTIONS and 405', async (t, fixture) => {
  const path = preferencePath(AMINA)
  t.equal((await fixture.call('PUT', `${path}/`, { as: 'donor', json: { lang: 'fr' } })).status, 200)
  const head = await fixture.call('HEAD', `${path}/`, { as: 'donor' })
  t.same([head.status, await head.text()], [200, ''])
  const allow = 'GET, HEAD, PUT, OPTIONS'
  const told = await fixture.call('OPTIONS', path)
  t.same([told.status, told.headers.get('allow')], [204, allow])
  for (const method of ['POST', 'DELETE', 'PATCH']) {
    const refused = await fixture.call(method, path, { as: 'donor' })
    t.equal(refused.headers.get('allow'), allow)
    await seeProblem(t, refused, 'method_not_allowed', method)
  }
})

onEachStore(t, 'F2: concurrent changes lose nothing', async (t, fixture) => {
  await put(fixture, {})
  await Promise.all([put(fixture, { lang: 'fr' }), put(fixture, { subscribed: false })])
  t.strictSame(await preferenceOf(fixture, AMINA), {
    email: AMINA,
    lang: 'fr',
    subscribed: false,
    topics: [],
  })
})

onEachStore(
  t,
  'F1: forms of an address in paths are one person, whose address is shown in Unicode',
  async (t, fixture) => {
    const forms = ['Ada@BÜCHER.example', 'ada@xn--bcher-kva.example', '\u00a0ada@bücher.example\u2009']
    for (const [n, form] of forms.entries()) {
      const path = `/user/${encodeURIComponent(form)}/notification/preference`
      const answer = await fixture.call('PUT', path, {
        as: 'userManager',
        json: n === 0 ? { lang: 'fr' } : {},
      })
      t.strictSame(await answer.json(), {
        preference: { email: 'ada@bücher.example', lang: 'fr', subscribed: true, topics: [] },
      })
    }
    let count = 0
    for await (const some of fixture.ports.users.all()) count += some.length
    t.equal(count, 1)
  },
)
