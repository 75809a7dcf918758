import type { Colour, WebUrl } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { ENCODING_NAMES, ENCODINGS } from '../support/encodings.ts'
import { create, createLive, IMAGES, onEachStore, SENT, update } from '../support/items.ts'
import { listed, notificationIn, notify, post, seconds } from '../support/notifications.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import { NOTIFICATION } from '../support/samples.ts'

// POST and DELETE of the interface's section *Notification*, with G1, G2 and G6.

const FIELDS = [
  'id',
  'title',
  'subtitle',
  'description',
  'date',
  'lang',
  'visualUrl',
  'iconUrl',
  'actionUrl',
  'color',
]

onEachStore(t, 'interface: a created notification is an object with key notification', async (t, fixture) => {
  const answer = await post(fixture)
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  const body = (await answer.json()) as { notification: Record<string, unknown> }
  t.strictSame(Object.keys(body), ['notification'])
  t.strictSame(Object.keys(body.notification), FIELDS, 'G1: exactly the fields of the interface')
  for (const [name, value] of Object.entries(body.notification)) t.type(value, 'string', name)
  const { id, ...rest } = body.notification
  t.strictSame(rest, {
    title: NOTIFICATION.title,
    subtitle: '',
    description: '',
    date: '',
    lang: 'en',
    visualUrl: '',
    iconUrl: '',
    actionUrl: '',
    color: '#1F4E79',
  })
  t.strictSame(await listed(fixture, `/notification/${id}`), [body.notification], 'and is listed unchanged')
})

onEachStore(t, 'interface, POST: lang, title and resource_type are required', async (t, fixture) => {
  const problem = await seeProblem(
    t,
    await fixture.call('POST', '/notification', { as: 'manager', json: {} }),
    'invalid_request',
  )
  t.strictSame(fieldsOf(problem), ['lang', 'resource_type', 'title'])
  for (const field of ['lang', 'title', 'resource_type'])
    for (const nothing of [undefined, '', null])
      t.strictSame(
        fieldsOf(await seeProblem(t, await post(fixture, { [field]: nothing }), 'invalid_request')),
        [field],
      )
  t.strictSame(await listed(fixture), [], 'nothing was created')
})

onEachStore(t, 'interface, POST: every parameter is in the response', async (t, fixture) => {
  const sent = {
    lang: 'FR',
    title: 'Titre \u{1F600}',
    subtitle: 'Sous-titre',
    description: ' Une ligne\net une autre ',
    date: '1893456000',
  }
  t.match(await notify(fixture, sent), {
    ...sent,
    lang: 'fr',
    date: '2030-01-01 00:00:00',
  })
})

onEachStore(t, 'B1: POST /notification takes JSON, form and multipart, and the query', async (t, fixture) => {
  const pairs = Object.entries({ ...NOTIFICATION, subtitle: 'é & "q"', date: '1893456000' })
  for (const send of [
    ...ENCODING_NAMES.map((name) => ENCODINGS[name](pairs)),
    { query: Object.fromEntries(pairs) },
  ])
    t.match(await notificationIn(await fixture.call('POST', '/notification', { as: 'manager', ...send })), {
      subtitle: 'é & "q"',
      date: '2030-01-01 00:00:00',
    })
})

onEachStore(
  t,
  'B6: text is normalised to NFC, keeps its blanks, and blank-only text is empty',
  async (t, fixture) => {
    const { title, subtitle, description } = await notify(fixture, {
      title: ' Cafe\u0301 ',
      subtitle: ' \u200B\t',
      description: '  ',
    })
    t.strictSame([title, subtitle, description], [' Caf\u00e9 ', '', ''])
    for (const bad of ['a\u0000b', '\uD83D']) {
      const over = { title: bad, subtitle: bad, description: bad, resource_id: bad }
      t.strictSame(fieldsOf(await seeProblem(t, await post(fixture, over), 'invalid_request')), [
        'description',
        'resource_id',
        'subtitle',
        'title',
      ])
    }
    t.strictSame(
      fieldsOf(await seeProblem(t, await post(fixture, { title: ' \u00AD ' }), 'invalid_request')),
      ['title'],
    )
  },
)

onEachStore(t, 'G2: date is UNIX seconds, as string or number', async (t, fixture) => {
  for (const [date, shown] of [
    [0, '1970-01-01 00:00:00'],
    ['0', '1970-01-01 00:00:00'],
    [1700000000, '2023-11-14 22:13:20'],
    ['1700000000', '2023-11-14 22:13:20'],
    ['0001700000000', '2023-11-14 22:13:20'],
    [253402300799, '9999-12-31 23:59:59'],
    [951782400, '2000-02-29 00:00:00'],
  ] as const)
    t.equal((await notify(fixture, { date })).date, shown, `${typeof date} ${date}`)
  for (const nothing of ['', null, undefined]) t.equal((await notify(fixture, { date: nothing })).date, '')
})

onEachStore(t, 'G2: a date past the year 9999, negative or fractional is 400', async (t, fixture) => {
  for (const date of [
    253402300800,
    '1700000000000',
    -1,
    '-0',
    1.5,
    '1700000000.0',
    1e21,
    '1e9',
    ' 1700000000',
    '+1700000000',
    '2026-05-01',
    'now',
    true,
    '٣',
  ]) {
    const problem = await seeProblem(t, await post(fixture, { date }), 'invalid_request', `date ${date}`)
    t.strictSame(fieldsOf(problem), ['date'])
  }
  t.strictSame(await listed(fixture), [])
})

onEachStore(
  t,
  'G1: date is returned in UTC, in any time zone of the service',
  async (t, fixture) => {
    t.equal((await notify(fixture, { date: seconds('2026-07-01T22:30:00Z') })).date, '2026-07-01 22:30:00')
  },
  { policy: { timeZone: 'Pacific/Auckland' as never } },
)

onEachStore(t, 'G2: resource_type other than Library is 400, matched exactly', async (t, fixture) => {
  for (const resource_type of ['library', 'LIBRARY', 'Feed', 'Library ', 'Librar', ['Library'], true])
    t.strictSame(fieldsOf(await seeProblem(t, await post(fixture, { resource_type }), 'invalid_request')), [
      'resource_type',
    ])
})

onEachStore(t, 'G2: resource_id of no library item is 404', async (t, fixture) => {
  const feed = await createLive(fixture, 'feed')
  for (const resource_id of ['unknown', feed.itemId, '0', 'x'.repeat(500)]) {
    const problem = await seeProblem(t, await post(fixture, { resource_id }), 'not_found', 'no library item')
    t.match(problem.detail, /resource_id/)
  }
  t.strictSame(await listed(fixture), [], 'nothing was created')
  const { itemId } = await create(fixture, 'library')
  t.equal((await post(fixture, { resource_id: itemId })).status, 200, 'a Draft is a library item')
  const bad = await post(fixture, { resource_id: 'unknown', lang: 'de' })
  await seeProblem(t, bad, 'invalid_request', 'errors of parameters come first')
})

onEachStore(t, 'G1: visualUrl and actionUrl come from the related item as it is now', async (t, fixture) => {
  const { itemId } = await create(fixture, 'library')
  const { id, visualUrl, actionUrl } = await notify(fixture, { resource_id: itemId })
  t.strictSame([visualUrl, actionUrl], ['', ''], 'none while it is a Draft')
  const links = async () => {
    const [one] = await listed(fixture, `/notification/${id}`)
    const all = await listed(fixture)
    t.strictSame(all, [one], 'the same in the list')
    return [one?.visualUrl, one?.actionUrl]
  }
  await update(fixture, 'library', itemId, { ...IMAGES, status: 'Live' })
  t.strictSame(await links(), [IMAGES.notificationImgUrl, SENT.library['link']])
  await update(fixture, 'library', itemId, { status: 'Live', link: 'https://example.org/moved' })
  t.strictSame(await links(), [IMAGES.notificationImgUrl, 'https://example.org/moved'])
  await update(fixture, 'library', itemId, { status: 'Archived' })
  t.strictSame(await links(), ['', ''])
  const live = await createLive(fixture, 'library')
  t.match(await notify(fixture, { resource_id: live.itemId }), {
    visualUrl: live.notificationImgUrl,
    actionUrl: live.link,
  })
})

onEachStore(
  t,
  'G1: iconUrl and color are settings',
  async (t, fixture) => {
    const look = { iconUrl: 'https://example.org/icon.png', color: '#00FF7F' }
    const made = await notify(fixture)
    t.match(made, look)
    t.match(await listed(fixture), [look])
  },
  {
    policy: {
      look: { iconUrl: O.some('https://example.org/icon.png' as WebUrl), color: '#00FF7F' as Colour },
    },
  },
)

onEachStore(
  t,
  'G1: resource_id, resource_type and unknown parameters are not part of the response',
  async (t, fixture) => {
    const { itemId } = await createLive(fixture, 'library')
    const own = { id: 'mine', iconUrl: 'https://example.org/i', color: '#000000', visualUrl: 'x' }
    const made = await notify(fixture, { resource_id: itemId, ...own })
    t.strictSame(Object.keys(made), FIELDS)
    t.not(made.id, 'mine')
    t.match(made, { iconUrl: '', color: '#1F4E79' })
  },
)

onEachStore(
  t,
  "G6: a payload over the providers' limit is 400 and names the texts in it",
  async (t, fixture) => {
    const long = 'x'.repeat(4096)
    for (const [over, fields] of [
      [{ title: long }, ['title']],
      [{ subtitle: long }, ['subtitle', 'title']],
      [{ description: long }, ['description', 'title']],
      [
        { title: 'é'.repeat(1000), subtitle: 'é'.repeat(500), description: 'é'.repeat(500) },
        ['description', 'subtitle', 'title'],
      ],
      [{ title: long, lang: 'de', date: 'x' }, ['date', 'lang', 'title']],
    ] as const) {
      const problem = await seeProblem(t, await post(fixture, over), 'invalid_request')
      t.strictSame(fieldsOf(problem), fields)
      t.match(problem.errors?.find(({ field }) => field === 'title')?.message, /4096 bytes/)
    }
    t.strictSame(await listed(fixture), [])
    t.equal((await notify(fixture, { description: 'x'.repeat(3000) })).description.length, 3000)
  },
)

onEachStore(t, 'G6: the largest accepted message has 4096 bytes', async (t, fixture) => {
  let low = 3000
  let high = 4096
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((await post(fixture, { description: 'x'.repeat(middle) })).status === 200) low = middle
    else high = middle
  }
  const data = { notificationId: 'x'.repeat(36), lang: 'en', resourceType: 'Library', resourceId: '' }
  const links = { actionUrl: '', visualUrl: '', iconUrl: '', color: '#1F4E79' }
  const message = { title: NOTIFICATION.title, subtitle: '', body: '', data: { ...data, ...links } }
  t.equal(low + JSON.stringify(message).length, 4096)
})

onEachStore(t, 'interface: all operations require scope content-manager', async (t, fixture) => {
  const { id } = await notify(fixture)
  for (const [method, path, send] of [
    ['GET', '/notification', {}],
    ['GET', `/notification/${id}`, {}],
    ['POST', '/notification', { json: NOTIFICATION }],
    ['GET', `/notification/${id}/delivery`, {}],
    ['DELETE', `/notification/${id}`, {}],
  ] as const) {
    await seeProblem(t, await fixture.call(method, path, send), 'invalid_token', `${method} ${path}`)
    for (const as of ['user', 'donor', 'userManager'] as const) {
      const refused = await fixture.call(method, path, { ...send, as })
      await seeProblem(t, refused, 'insufficient_scope', `${as}: ${method} ${path}`)
    }
    const allowed = await fixture.call(method, path, { ...send, as: 'admin' })
    t.equal(allowed.status, 200, 'A2: super-admin counts as content-manager')
  }
})

onEachStore(
  t,
  'interface, DELETE: returns the JSON string success; deleting an unknown one is 404',
  async (t, fixture) => {
    const { id } = await notify(fixture)
    const other = await notify(fixture, { title: 'stays' })
    const answer = await fixture.call('DELETE', `/notification/${id}`, { as: 'manager' })
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    t.equal(await answer.text(), '"success"')
    t.strictSame(await listed(fixture), [other])
    t.strictSame(await listed(fixture, `/notification/${id}`), [])
    for (const unknown of [id, 'unknown', '%F0%9F%98%80', 'a%2Fb']) {
      const refused = await fixture.call('DELETE', `/notification/${unknown}`, { as: 'manager' })
      t.match((await seeProblem(t, refused, 'not_found', unknown)).detail, /notification/)
    }
  },
)

onEachStore(t, 'G3: of concurrent deletions one succeeds', async (t, fixture) => {
  const { id } = await notify(fixture)
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => fixture.call('DELETE', `/notification/${id}`, { as: 'manager' })),
  )
  t.strictSame(answers.map(({ status }) => status).sort(), [200, 404, 404, 404, 404, 404])
})
