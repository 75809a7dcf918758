import { seeded, spellDevices } from '@almoner/testkit/contracts'
import t from 'tap'
import { ENCODING_NAMES, ENCODINGS } from '../support/encodings.ts'
import type { Who } from '../support/fixture.ts'
import { onEachStore } from '../support/items.ts'
import { AMINA, attach, BRUNO, detach, preferenceOf, tokenPath, tokensOf } from '../support/people.ts'
import { asResponse, fieldsOf, seeProblem } from '../support/problems.ts'

// The interface's section *User notification token*, with F1, F4 and F5. Who acts for whom is in people-identity.test.ts.

const TOKEN = 'fcm:a-token-of-a-phone'
const JSON_TYPE = 'application/json; charset=utf-8'

onEachStore(
  t,
  'interface, GET tokens: an object with key tokens, of objects with key token',
  async (t, fixture) => {
    const none = await fixture.call('GET', tokenPath(AMINA), { as: 'donor' })
    t.equal(none.status, 200)
    t.equal(none.headers.get('content-type'), JSON_TYPE)
    t.equal(await none.text(), '{"tokens":[]}', 'an unknown user has none')
    await attach(fixture, AMINA, TOKEN)
    const one = await fixture.call('GET', tokenPath(AMINA), { as: 'donor' })
    t.strictSame(await one.json(), { tokens: [{ token: { email: AMINA, device_token: TOKEN } }] })
    t.equal(one.headers.get('link'), null)
    t.equal(one.headers.get('cache-control'), 'private, no-cache')
  },
)

onEachStore(
  t,
  'interface, POST token: an object with key token that has email and device_token',
  async (t, fixture) => {
    const answer = await attach(fixture, BRUNO, TOKEN)
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('content-type'), JSON_TYPE)
    t.strictSame(await answer.json(), { token: { email: BRUNO, device_token: TOKEN } })
  },
)

onEachStore(t, 'interface, DELETE token: the JSON string success', async (t, fixture) => {
  await attach(fixture, AMINA, TOKEN)
  const answer = await detach(fixture, AMINA, TOKEN, 'donor')
  t.equal(answer.status, 200)
  t.equal(answer.headers['content-type'], JSON_TYPE)
  t.equal(answer.body, '"success"')
  t.strictSame(await tokensOf(fixture, AMINA), [])
})

onEachStore(
  t,
  'interface: a user may have several device tokens, listed in the order of attachment',
  async (t, fixture) => {
    const tokens = ['z', 'a', 'fid:m', 'Z', 'z ']
    for (const token of tokens) t.equal((await attach(fixture, AMINA, token)).status, 200)
    t.strictSame(await tokensOf(fixture, AMINA), tokens)
    await detach(fixture, AMINA, 'a')
    await attach(fixture, AMINA, 'a')
    t.strictSame(
      await tokensOf(fixture, AMINA),
      ['z', 'fid:m', 'Z', 'z ', 'a'],
      'attached again, it is listed last',
    )
    t.strictSame(
      await tokensOf(fixture, AMINA, { query: { lim: '1', offset: 'x' } }),
      ['z', 'fid:m', 'Z', 'z ', 'a'],
      'it takes no parameters',
    )
  },
)

onEachStore(t, 'interface: all three operations require scope user-donor', async (t, fixture) => {
  for (const [method, path, send] of [
    ['GET', tokenPath(AMINA), {}],
    ['POST', tokenPath(AMINA), { json: { device_token: TOKEN } }],
    ['DELETE', tokenPath(AMINA, TOKEN), {}],
  ] as const) {
    await seeProblem(t, await fixture.call(method, path, send), 'invalid_token', method)
    const answer = await fixture.call(method, path, { ...send, as: 'user' })
    await seeProblem(t, answer, 'insufficient_scope', method)
    t.match(answer.headers.get('www-authenticate'), /scope="user-donor"/)
  }
  t.strictSame(await tokensOf(fixture, AMINA), [])
})

onEachStore(
  t,
  'B1, B2: device_token comes in any encoding, or in the query; the body wins',
  async (t, fixture) => {
    for (const name of ENCODING_NAMES) {
      const token = `apns-sandbox:é & "${name}" + %41`
      const send = { as: 'donor', ...ENCODINGS[name]([['device_token', token]]) } as const
      const answer = await fixture.call('POST', tokenPath(AMINA), send)
      t.match(await answer.json(), { token: { device_token: token } }, name)
    }
    const byQuery = await fixture.call('POST', tokenPath(AMINA), {
      as: 'donor',
      query: { device_token: 'q' },
    })
    t.match(await byQuery.json(), { token: { device_token: 'q' } })
    const both = await fixture.call('POST', tokenPath(AMINA), {
      as: 'donor',
      query: { device_token: 'query' },
      json: { device_token: 'body', email: BRUNO, token: 'other' },
    })
    t.match(await both.json(), { token: { device_token: 'body', email: AMINA } })
    const number = await attach(fixture, BRUNO, 12345678901234)
    t.match(
      await number.json(),
      { token: { device_token: '12345678901234' } },
      'a JSON number is converted to text',
    )
    const twice = await fixture.call('POST', `${tokenPath(AMINA)}?device_token=a&device_token=b`, {
      as: 'donor',
    })
    t.strictSame(fieldsOf(await seeProblem(t, twice, 'invalid_request')), ['device_token'])
  },
)

onEachStore(
  t,
  'F4: a device token has 1 to 4096 characters of any kind that a path can contain',
  async (t, fixture) => {
    for (const [token, message] of [
      [undefined, /required/],
      ['', /required/],
      [null, /required/],
      ['x'.repeat(4097), /at most 4096/],
      ['\u{1F600}'.repeat(4097), /at most 4096/],
      ['.', /\. or \.\./],
      ['..', /\. or \.\./],
      ['a\u0000b', /U\+0000/],
      ['\uD83D', /surrogate/],
      [['a'], /once/],
      [{ a: 1 }, /single value/],
    ] as const) {
      const problem = await seeProblem(
        t,
        await attach(fixture, AMINA, token),
        'invalid_request',
        JSON.stringify(token),
      )
      t.strictSame(fieldsOf(problem), ['device_token'])
      t.match(problem.errors?.[0]?.message, message)
    }
    t.strictSame(await tokensOf(fixture, AMINA), [], 'nothing was attached')
    t.equal(await preferenceOf(fixture, AMINA), undefined, 'no user was created')
    for (const token of ['x'.repeat(4096), '\u{1F600}'.repeat(4096), ' ', '...', '0'])
      t.equal((await attach(fixture, AMINA, token)).status, 200)
  },
)

onEachStore(t, 'F5: the token is stored and returned exactly as sent', async (t, fixture) => {
  const tokens = [
    ' both ends ',
    'e\u0301 is not \u00e9',
    '\u00e9 is not e\u0301',
    'ABCDEF'.repeat(12),
    'abcde0'.repeat(12),
    'line\nand\ttab\r\n',
    '%41%2F%',
    '\u{1F468}\u200D\u{1F469}',
    "';--",
    '\u2028\uFEFF',
  ]
  for (const token of tokens) t.equal((await attach(fixture, AMINA, token)).status, 200)
  t.strictSame(await tokensOf(fixture, AMINA), tokens)
})

onEachStore(t, 'F4: a device is moved and detached by any text that leads to it', async (t, fixture) => {
  for (const { texts } of spellDevices(seeded(11), 4)) {
    const [first = '', second = '', third = '', fourth = ''] = texts
    t.equal((await attach(fixture, AMINA, first)).status, 200, first)
    t.equal((await attach(fixture, AMINA, second)).status, 200, second)
    t.strictSame(await tokensOf(fixture, AMINA), [second], 'one device, with the text sent last')
    await attach(fixture, BRUNO, third)
    t.strictSame([await tokensOf(fixture, AMINA), await tokensOf(fixture, BRUNO)], [[], [third]])
    t.equal((await detach(fixture, AMINA, first, 'donor')).status, 404)
    t.equal((await detach(fixture, BRUNO, fourth, 'userManager')).status, 200, fourth)
    t.strictSame(await tokensOf(fixture, BRUNO), [])
  }
})

onEachStore(
  t,
  'F1: the first attached device creates the user, subscribed, language en',
  async (t, fixture) => {
    t.equal(await preferenceOf(fixture, BRUNO), undefined)
    await attach(fixture, 'Bruno@Example.ORG', TOKEN)
    t.strictSame(await preferenceOf(fixture, BRUNO), {
      email: BRUNO,
      lang: 'en',
      subscribed: true,
      topics: [],
    })
    await fixture.call('PUT', `/user/${BRUNO}/notification/preference`, {
      as: 'userManager',
      json: { lang: 'fr', subscribed: false },
    })
    await attach(fixture, BRUNO, 'fcm:a-second')
    const kept = { email: BRUNO, lang: 'fr', subscribed: false, topics: [] }
    t.strictSame(await preferenceOf(fixture, BRUNO), kept, 'a further device changes nothing')
    for (const token of await tokensOf(fixture, BRUNO)) await detach(fixture, BRUNO, token)
    t.strictSame(await preferenceOf(fixture, BRUNO), kept, 'a user without devices still exists')
  },
)

onEachStore(t, 'F4: attaching twice has the effect of attaching once', async (t, fixture) => {
  await attach(fixture, AMINA, 'first')
  for (const _ of [1, 2, 3])
    t.strictSame(await (await attach(fixture, AMINA, TOKEN)).json(), {
      token: { email: AMINA, device_token: TOKEN },
    })
  const together = await Promise.all(Array.from({ length: 10 }, () => attach(fixture, AMINA, 'first')))
  for (const { status } of together) t.equal(status, 200)
  t.strictSame(await tokensOf(fixture, AMINA), ['first', TOKEN], 'its position does not change')
})

onEachStore(
  t,
  'F4: a device token belongs to one user at a time; attaching it moves it',
  async (t, fixture) => {
    await attach(fixture, AMINA, 'stays')
    await attach(fixture, AMINA, TOKEN)
    t.strictSame(await (await attach(fixture, BRUNO, TOKEN)).json(), {
      token: { email: BRUNO, device_token: TOKEN },
    })
    t.strictSame(await tokensOf(fixture, AMINA), ['stays'])
    t.strictSame(await tokensOf(fixture, BRUNO), [TOKEN])
    await seeProblem(t, asResponse(await detach(fixture, AMINA, TOKEN)), 'not_found', 'no longer hers')
    const back = await fixture.call('POST', tokenPath(BRUNO), { as: 'donor', json: { device_token: TOKEN } })
    t.match(await back.json(), { token: { email: AMINA } }, 'it moves to the user who attaches it')
    t.strictSame(await tokensOf(fixture, BRUNO), [])
  },
)

onEachStore(
  t,
  'F4: if many users attach a device token concurrently, one of them has it',
  async (t, fixture) => {
    const emails = Array.from({ length: 8 }, (_, n) => `user-${n}@example.org`)
    const answers = await Promise.all(emails.map((email) => attach(fixture, email, TOKEN)))
    for (const { status } of answers) t.equal(status, 200)
    const held = await Promise.all(emails.map((email) => tokensOf(fixture, email)))
    t.strictSame(held.flat(), [TOKEN])
  },
)

onEachStore(t, 'F4: detaching a token that the user does not have is 404', async (t, fixture) => {
  await attach(fixture, AMINA, TOKEN)
  const refused = async (email: string, token: string, as: Who) =>
    seeProblem(t, asResponse(await detach(fixture, email, token, as)), 'not_found', `${email} ${token}`)
  await refused(BRUNO, TOKEN, 'userManager')
  await refused(AMINA, 'another', 'donor')
  await refused(AMINA, TOKEN.toUpperCase(), 'donor')
  await refused(AMINA, `${TOKEN} `, 'donor')
  t.equal((await detach(fixture, AMINA, TOKEN, 'donor')).status, 200)
  await refused(AMINA, TOKEN, 'donor')
})

onEachStore(t, 'B3: tokens with a trailing slash, HEAD, OPTIONS and 405', async (t, fixture) => {
  const path = tokenPath(AMINA)
  const created = await fixture.call('POST', `${path}/`, { as: 'donor', json: { device_token: TOKEN } })
  t.equal(created.status, 200)
  const [get, head] = [
    await fixture.call('GET', `${path}/`, { as: 'donor' }),
    await fixture.call('HEAD', path, { as: 'donor' }),
  ]
  const text = await get.text()
  t.match(text, /a-token-of-a-phone/)
  t.same([head.status, await head.text()], [200, ''])
  t.equal(head.headers.get('content-length'), String(text.length))
  for (const [url, allow] of [
    [path, 'GET, HEAD, POST, OPTIONS'],
    [tokenPath(AMINA, TOKEN), 'DELETE, OPTIONS'],
  ] as const) {
    const told = await fixture.call('OPTIONS', url)
    t.same([told.status, told.headers.get('allow')], [204, allow])
    const refused = await fixture.call('PATCH', url, { as: 'donor' })
    t.equal(refused.headers.get('allow'), allow)
    await seeProblem(t, refused, 'method_not_allowed', url)
  }
  const gone = await fixture.call('DELETE', `${tokenPath(AMINA, TOKEN)}/`, { as: 'donor' })
  t.equal(gone.status, 200)
  await seeProblem(
    t,
    await fixture.call('DELETE', `${path}/`, { as: 'donor' }),
    'method_not_allowed',
    'no token',
  )
})
