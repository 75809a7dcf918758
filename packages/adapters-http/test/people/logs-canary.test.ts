import t, { type Test } from 'tap'
import { API_ROUTES } from '../../src/index.ts'
import { type Canaries, coreOf, newCanaries, seenIn } from '../support/canaries.ts'
import { CLIENTS, type Fixture, type Send, startFixture, type Who } from '../support/fixture.ts'
import { basic, formData, loadedPaths, type Sent, waysOf } from '../support/loaded.ts'
import { asResponse } from '../support/problems.ts'
import { exchange, send as sendRaw } from '../support/raw.ts'
import { LEAST, newFeedItem, newLibraryItem, PARAMETERS } from '../support/samples.ts'
import { seenInSinks } from '../support/sinks.ts'

/** The parts of a response in which canaries may occur. */
const textOf = async (response: Response): Promise<string> =>
  [JSON.stringify([...response.headers]), response.status, await response.text()].join('\n')

/** What an answer gives back because it is the caller's own: the texts of items and notifications, an address and devices of a user. */
const ECHOES: Readonly<Partial<Record<keyof Canaries, RegExp>>> = {
  text: /^(?:create|update|get|list)(?:LibraryItems?|FeedItems?|Notifications?)$|Token/,
  device: /Token/,
  email: /Token|Preference/,
}

/** The canaries that no successful response of an operation may contain. */
const hiddenIn = (operation: string, canaries: Canaries): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(canaries).filter(([name]) => ECHOES[name as keyof Canaries]?.test(operation) !== true),
  )

/** Sends one request with canaries. Returns the ones that its response contains and must not. */
const leaksOf = async (
  fixture: Fixture,
  { operation, method, path, send }: Sent & { readonly operation: string },
  canaries: Canaries,
  right: string,
): Promise<ReadonlyArray<string>> => {
  const bodyless = method === 'GET' ? { query: send.query ?? {}, headers: send.headers ?? {} } : send
  const response = await fixture.call(method, path, bodyless)
  const link = response.headers.get('link') ?? ''
  const isError = response.status >= 400
  const text = await textOf(response)
  return [
    ...seenIn(text, isError ? { ...canaries } : hiddenIn(operation, canaries)),
    ...seenIn(text, { right }),
    ...seenIn(link, { ...canaries }),
  ]
}

/** A server with items in it. Its own secrets are random where they matter. */
const begin = async (t: Test, realSecrets = true) => {
  const fixture = await startFixture(t.testdir(), { store: 'sqlite', realSecrets })
  t.teardown(fixture.stop)
  const canaries = newCanaries()
  const ids = { library: await newLibraryItem(fixture), feed: await newFeedItem(fixture) }
  for (const who of ['user', 'donor', 'manager'] as const) await fixture.token(who)
  return { fixture, canaries, ids }
}

/** Sends every request with canaries to every route. Returns the number of requests. */
const sendAll = async (
  t: Test,
  { fixture, canaries, ids }: Awaited<ReturnType<typeof begin>>,
): Promise<number> => {
  let sent = 0
  for (const { method, path, access, operation } of API_ROUTES) {
    const right = await fixture.token(LEAST[access.scope])
    const itemId = path.startsWith('/library') ? ids.library : ids.feed
    const ways = waysOf(canaries, right, PARAMETERS[operation] ?? {})
    for (const [at, { send }] of ways.entries()) {
      const paths = loadedPaths(path, { itemId, labelId: 'water' }, canaries)
      const address = paths[at % paths.length] ?? path
      const leaks = await leaksOf(fixture, { operation, method, path: address, send }, canaries, right)
      if (leaks.length > 0) t.fail(`${method} ${path}, way ${at}, shows ${leaks}`)
      sent += 1
    }
  }
  return sent
}

const tokensOf = async (fixture: Fixture): Promise<Readonly<Record<string, string>>> => {
  const who: ReadonlyArray<Who> = ['user', 'donor', 'manager']
  const entries = await Promise.all(
    who.map(async (name) => [`token of ${name}`, await fixture.token(name)] as const),
  )
  return Object.fromEntries([
    ...entries,
    ['email of donor', CLIENTS.donor.email],
    ...who.map((name) => [`secret of ${name}`, fixture.secrets[name] ?? ''] as const),
  ])
}

/** Asserts that no canary is in the log or in the metrics. */
const isClean = async (t: Test, fixture: Fixture, canaries: Canaries) => {
  const hidden = { ...canaries, core: coreOf(canaries.text), ...(await tokensOf(fixture)) }
  t.same(await seenInSinks(fixture, hidden), [], `${fixture.lines.length} log lines at level trace show none`)
}

t.test('the search covers all encoded forms', async (t) => {
  const { text, secret } = newCanaries()
  const found = (haystack: string) => seenIn(haystack, { text })
  for (const haystack of [
    `a${text}b`,
    `a${encodeURIComponent(text)}`,
    new URLSearchParams({ q: text }).toString(),
    JSON.stringify({ a: text }),
    JSON.stringify({ a: JSON.stringify({ b: text }) }),
    Buffer.from(`xy${text}z`).toString('base64'),
    Buffer.from(`x${text}zz`).toString('base64url'),
  ])
    t.same(found(haystack), ['text'], haystack)
  t.same(seenIn(basic('user', secret), { secret }), ['secret'])
  t.same(found('nothing of the kind'), [])
})

t.test('A5, I1: tokens, secrets, emails and texts are in no log line, error, metric or Link', async (t) => {
  const setup = await begin(t)
  const sent = await sendAll(t, setup)
  t.pass(`${sent} requests`)
  await isClean(t, setup.fixture, setup.canaries)
})

t.test('A5, I1: nor when the database fails and every request is an internal error', async (t) => {
  const setup = await begin(t)
  await setup.fixture.closeStore()
  const sent = await sendAll(t, setup)
  t.pass(`${sent} requests`)
  t.ok(
    setup.fixture.lines.some((line) => line.includes('"failed"')),
    'internal errors were logged',
  )
  const hidden = { ...setup.canaries, core: coreOf(setup.canaries.text), ...(await tokensOf(setup.fixture)) }
  t.same(seenIn(setup.fixture.lines.join(''), hidden), [])
})

const PUBLIC_KEY = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'

/** What a user-manager may ask about a user, rightly and wrongly; every address and most bodies hold what no log may. */
const aboutUser = ({ email, device, text }: Canaries): ReadonlyArray<Sent> => {
  const user = `/user/${encodeURIComponent(email)}/notification`
  const malformed = `/user/${encodeURIComponent(text)}/notification`
  const subscription = (host: string) =>
    JSON.stringify({
      endpoint: `https://${host}/${device}`,
      keys: { p256dh: PUBLIC_KEY, auth: coreOf(text).padEnd(22, 'A') },
    })
  const attach = (path: string, device_token: unknown): Sent => ({
    method: 'POST',
    path: `${path}/token`,
    send: { json: { device_token } },
  })
  return [
    attach(user, device),
    attach(user, text),
    attach(user, subscription('fcm.googleapis.com')),
    attach(user, subscription(`${coreOf(text)}.example.org`)),
    attach(user, [device]),
    attach(user, device.repeat(200)),
    attach(malformed, device),
    { method: 'GET', path: `${user}/token`, send: {} },
    { method: 'GET', path: `${malformed}/token`, send: { query: { email, device_token: device } } },
    { method: 'PUT', path: `${user}/preference`, send: { json: { lang: 'fr', subscribed: false } } },
    { method: 'PUT', path: `${user}/preference`, send: { form: { lang: email, subscribed: device } } },
    { method: 'GET', path: `${user}/preference`, send: {} },
    { method: 'PATCH', path: `${user}/preference`, send: {} },
    { method: 'GET', path: `${user}/${device}`, send: {} },
    { method: 'DELETE', path: `${user}/token/${encodeURIComponent(text)}`, send: {} },
    { method: 'DELETE', path: `${user}/token/${device}`, send: {} },
    { method: 'DELETE', path: `${user}/token/${device}`, send: {} },
    { method: 'DELETE', path: `${user}/token/${'x'.repeat(5_000)}${device}`, send: {} },
  ]
}

t.test('F3, F4, I1: device tokens and emails are in no log line, error or metric', async (t) => {
  const { fixture, canaries } = await begin(t, false)
  const hidden = { ...canaries, core: coreOf(canaries.text) }
  const ask = async ({ method, path, send }: Sent) => {
    const response = await fixture.call(method, path, { ...send, as: 'userManager' })
    const text = await textOf(response)
    if (response.status >= 400) t.same(seenIn(text, hidden), [], `${method}: ${response.status}`)
    return response.status
  }
  const asked = aboutUser(canaries)
  const statuses = []
  for (const one of asked) statuses.push(await ask(one))
  t.same([...new Set(statuses)].sort(), [200, 400, 404, 405])
  await isClean(t, fixture, canaries)
  await fixture.closeStore()
  for (const one of asked) await ask(one)
  t.ok(fixture.lines.some((line) => line.includes('"failed"')))
  t.same(seenIn(fixture.lines.join(''), hidden), [], 'nor when every request is an internal error')
})

t.test('A5, A8: secrets are not logged by the OAuth endpoints, right or wrong', async (t) => {
  const { fixture, canaries } = await begin(t)
  const { token, secret, email, text } = canaries
  const own = { client_id: 'user', client_secret: fixture.secrets.user ?? '' }
  const grant = { grant_type: 'client_credentials' }
  const given: Array<string> = []
  const ways: ReadonlyArray<Send> = [
    { form: { ...grant, ...own } },
    { json: { ...grant, ...own } },
    { form: grant, headers: { authorization: basic(own.client_id, own.client_secret) } },
    { form: { ...grant, client_id: email, client_secret: secret } },
    { form: { ...grant, client_id: 'user', client_secret: secret } },
    { json: { ...grant, client_id: text, client_secret: secret, scope: text } },
    { form: { ...grant, ...own, scope: text } },
    { form: { grant_type: text, ...own } },
    { form: grant, headers: { authorization: basic(email, secret) } },
    { form: { ...own, token } },
    { form: { client_id: email, client_secret: secret, token } },
    { query: { ...grant, ...own, token }, form: {} },
    { headers: { 'content-type': 'application/json' }, body: `{"client_secret":"${own.client_secret}",` },
    { headers: { 'content-type': 'text/plain' }, body: own.client_secret },
    { multipart: formData({ ...grant, ...own, token }) },
  ]
  for (const path of ['/oauth2/get-token', '/oauth2/revoke'])
    for (const [at, way] of ways.entries()) {
      const response = await fixture.call('POST', path, way)
      const body = await textOf(response)
      const { access_token } =
        response.ok && path.endsWith('token') ? JSON.parse(body.split('\n')[2] ?? '') : {}
      if (typeof access_token === 'string') given.push(access_token)
      t.same(
        seenIn(body, { ...canaries, secretOfUser: own.client_secret }),
        [],
        `${path}, way ${at}: ${response.status}`,
      )
    }
  t.ok(given.length >= 3)
  t.same(
    seenIn(fixture.lines.join(''), Object.fromEntries(given.map((value, at) => [`given ${at}`, value]))),
    [],
  )
  await isClean(t, fixture, canaries)
})

t.test('A5: tokens are not logged for unknown paths, undecodable paths and broken HTTP', async (t) => {
  const { fixture, canaries } = await begin(t, false)
  const { token, secret, email, text } = canaries
  const core = coreOf(text)
  const answers = [
    ...(await Promise.all(
      [
        `/${core}/${token}`,
        `/library/%ZZ${core}`,
        `/${'x'.repeat(6_000)}${core}`,
        `/static/media/${core}.png`,
        `/docs/${core}?mail=${email}`,
        `/library/${core}/media/${secret}`,
      ].flatMap((path) =>
        ['GET', 'POST', 'PROPFIND', 'OPTIONS'].map((method) =>
          sendRaw(fixture.url, method, path, { 'X-Core': core }),
        ),
      ),
    )),
    await exchange(fixture.url, `${core} ${token} ${secret}\r\n\r\n`),
    await exchange(fixture.url, `GET /?${token} HTTP/1.1\r\nHost : ${core}\r\n\r\n`),
    await sendRaw(fixture.url, 'GET', '/library/', { 'X-Long': core.repeat(2_000) }),
    await sendRaw(fixture.url, core.toUpperCase().slice(0, 12), `/library/${token}`),
    await exchange(
      fixture.url,
      `POST /library/ HTTP/1.1\r\nHost: ${core}\r\nContent-Length: 1\r\nTransfer-Encoding: ${core}\r\n\r\n${token}`,
    ),
  ]
  for (const answer of answers) {
    t.ok(answer.status >= 400 || answer.status === 204, `${answer.status}`)
    t.same(seenIn(await textOf(asResponse(answer)), { ...canaries, core }), [])
  }
  await isClean(t, fixture, canaries)
})

t.test(
  'A5, C11: a Link has the parameters of its page, and neither the token nor unknown parameters',
  async (t) => {
    const { fixture, canaries } = await begin(t, false)
    const { secret, email, text } = canaries
    await newLibraryItem(fixture)
    await newFeedItem(fixture)
    const access_token = await fixture.token('manager')
    for (const contentType of ['/library/', '/feed/']) {
      const query = {
        lim: '1',
        lang: 'en',
        offset: '0',
        access_token,
        password: secret,
        mail: email,
        [coreOf(text)]: text,
      }
      const response = await fixture.call('GET', contentType, { query })
      const link = response.headers.get('link') ?? ''
      t.match(link, /^<https:\/\/[^>]*>; rel="next"$/)
      const next = new URL(link.slice(1, link.indexOf('>')))
      t.same([...next.searchParams.keys()].sort(), ['after', 'lang', 'lim'])
      t.same(seenIn(link, { ...canaries, access_token }), [])
    }
  },
)
