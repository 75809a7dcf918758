import { done } from '@almoner/testkit/contracts'
import t, { type Test } from 'tap'
import { EDITOR, enter, linkFor, OWN_PAGE, signIn, startConsole } from '../support/console.ts'
import type { FixtureOptions } from '../support/fixture.ts'
import { seeProblem } from '../support/problems.ts'
import { LIBRARY_ITEM } from '../support/samples.ts'

const HOUR = 3_600_000

const start = async (t: Test, options?: FixtureOptions) => {
  const fixture = await startConsole(t.testdir(), options)
  t.teardown(fixture.stop)
  return fixture
}

t.test('M5: the API never accepts the cookie, the console’s API never accepts a token', async (t) => {
  const fixture = await start(t)
  const cookie = await signIn(fixture, 'editor')
  const token = await fixture.token('manager')
  const status = async (path: string, headers: Record<string, string>, query = {}) =>
    (await fixture.call('GET', path, { headers, query })).status
  t.equal(await status('/console/api/library/', { cookie }), 200)
  t.equal(await status('/library/', { cookie }), 401, 'cookie on the API')
  t.equal(await status('/library/', { authorization: `Bearer ${cookie.split('=')[1]}` }), 401)
  t.equal(await status('/console/api/library/', { authorization: `Bearer ${token}` }), 401)
  t.equal(await status('/console/api/library/', {}, { access_token: token }), 401)
  const response = await fixture.call('POST', '/console/api/library/', {
    json: { ...LIBRARY_ITEM, access_token: token },
    headers: OWN_PAGE,
  })
  await seeProblem(t, response, 'invalid_session')
})

t.test('M5: requests of other sites change nothing', async (t) => {
  const fixture = await start(t)
  const cookie = await signIn(fixture, 'editor')
  const create = (headers: Record<string, string>) =>
    fixture.call('POST', '/console/api/library/', { json: LIBRARY_ITEM, headers: { cookie, ...headers } })
  const own = { origin: 'https://almoner.example.org' }
  for (const headers of [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', ...own },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ])
    await seeProblem(t, await create(headers), 'cross_site', JSON.stringify(headers))
  t.equal((await enter(fixture, 'x', { 'sec-fetch-site': 'cross-site' })).status, 403, 'signing in too')
  const signOut = await fixture.call('DELETE', '/console/api/session', { headers: { cookie } })
  t.equal(signOut.status, 403)
  t.equal((await create(OWN_PAGE)).status, 200)
  t.equal((await create(own)).status, 200, 'a browser without Fetch Metadata')
})

t.test('M2, M3: a link works once, until it expires, for a manager who is enabled', async (t) => {
  const fixture = await start(t)
  const link = await linkFor(fixture, 'editor')
  const first = await enter(fixture, link)
  t.equal(first.status, 200)
  const body = await first.json()
  t.match(body, { session: { manager: { email: EDITOR, name: 'editor', language: 'fr', duty: 'editor' } } })
  const refusals = [await enter(fixture, link), await enter(fixture, 'unknown')]
  const late = await linkFor(fixture, 'editor', 60)
  fixture.clock.advance(60_000)
  refusals.push(await enter(fixture, late))
  const disabled = await linkFor(fixture, 'editor')
  await done(fixture.ports.managers.change(EDITOR, { disabled: true }))
  refusals.push(await enter(fixture, disabled))
  for (const refusal of refusals) {
    t.equal(refusal.headers.get('set-cookie'), null)
    await seeProblem(t, refusal, 'invalid_link')
  }
})

t.test('M2: a link is looked at without being used up, and says who is signed in already', async (t) => {
  const fixture = await start(t)
  const link = await linkFor(fixture, 'editor')
  const look = (token: string, headers: Record<string, string> = {}) =>
    fixture.call('POST', '/console/api/sign-in/link/person', {
      json: { token },
      headers: { ...OWN_PAGE, ...headers },
    })
  for (const method of ['GET', 'HEAD'])
    for (const path of ['/console/enter', '/console/api/sign-in/link', '/console/api/sign-in/link/person']) {
      const response = await fixture.call(method, path, { query: { token: link } })
      t.equal(response.headers.get('set-cookie'), null, `${method} ${path}`)
    }
  const shown = await look(link)
  t.equal(shown.headers.get('set-cookie'), null)
  t.same(await shown.json(), { link: { email: EDITOR, name: 'editor', signedInAs: '' } })
  const [own, other] = [await signIn(fixture, 'editor'), await signIn(fixture, 'operator')]
  t.match(await (await look(link, { cookie: own })).json(), { link: { signedInAs: '' } })
  t.match(await (await look(link, { cookie: other })).json(), { link: { signedInAs: 'operator' } })
  t.equal((await fixture.call('GET', '/console/api/session', { headers: { cookie: other } })).status, 200)
  t.equal((await look(link, { 'sec-fetch-site': 'cross-site' })).status, 403)
  t.equal((await enter(fixture, link)).status, 200)
  await seeProblem(t, await look(link), 'invalid_link')
  const from = { 'x-forwarded-for': '192.0.2.9' }
  for (let n = 0; n < 10; n += 1) t.equal((await look(`guess ${n}`, from)).status, 401)
  t.equal((await look('guess', from)).status, 429, 'A8: guesses count as those of signing in')
  t.equal((await enter(fixture, 'guess', from)).status, 429)
})

t.test('M4: the cookie is bound to the host, and the session is new at each sign-in', async (t) => {
  const fixture = await start(t)
  const fixed = '__Host-almoner=fixed-by-another'
  const response = await enter(fixture, await linkFor(fixture, 'editor'), { cookie: fixed })
  const set = response.headers.get('set-cookie') ?? ''
  t.match(set, /^__Host-almoner=[^;]+; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
  t.notMatch(set, /fixed-by-another/)
  const mine = set.split(';')[0] ?? ''
  const status = async (cookie: string) =>
    (await fixture.call('GET', '/console/api/session', { headers: { cookie } })).status
  t.same([await status(fixed), await status(mine)], [401, 200], 'session fixation')
  const again = await enter(fixture, await linkFor(fixture, 'editor'), { cookie: mine })
  const next = (again.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  t.same([await status(mine), await status(next)], [401, 200], 'the earlier session has ended')
  t.equal(await status(`${next}; ${mine}`), 401, 'a cookie that comes twice')
})

t.test('M4: on http the cookie has no prefix and is not Secure', async (t) => {
  const fixture = await start(t, { baseUrl: 'http://127.0.0.1' })
  const response = await enter(fixture, await linkFor(fixture, 'editor'))
  t.match(response.headers.get('set-cookie'), /^almoner=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/)
})

t.test('M4: sessions end by time, sign-out, disabling and a change of duty', async (t) => {
  const fixture = await start(t)
  const status = async (cookie: string, headers = {}) =>
    (await fixture.call('GET', '/console/api/library/', { headers: { cookie, ...headers } })).status

  t.test('idle and absolute end', async (t) => {
    const idle = await signIn(fixture, 'editor')
    fixture.clock.advance(8 * HOUR - 1)
    t.equal(await status(idle), 200)
    fixture.clock.advance(8 * HOUR - 1)
    t.equal(await status(idle), 200, 'use puts the end off')
    fixture.clock.advance(4 * HOUR)
    t.equal(await status(idle, { 'almoner-unattended': '?1' }), 200, 'a forgotten page does not')
    fixture.clock.advance(4 * HOUR)
    t.equal(await status(idle), 401, 'idle')
    const used = await signIn(fixture, 'editor')
    for (let hours = 0; hours < 14 * 24 - 6; hours += 6) {
      t.equal(await status(used), 200)
      fixture.clock.advance(6 * HOUR)
    }
    fixture.clock.advance(6 * HOUR)
    t.equal(await status(used), 401, 'after 14 days')
  })
  t.test('sign-out', async (t) => {
    const cookie = await signIn(fixture, 'editor')
    const out = await fixture.call('DELETE', '/console/api/session', { headers: { cookie, ...OWN_PAGE } })
    t.equal(out.status, 200)
    t.match(out.headers.get('set-cookie'), /^__Host-almoner=; .*Max-Age=0$/)
    t.equal(await status(cookie), 401)
  })
  for (const change of [{ disabled: true }, { duty: 'operator' }] as const)
    t.test(JSON.stringify(change), async (t) => {
      await done(fixture.ports.managers.change(EDITOR, { disabled: false }))
      const cookie = await signIn(fixture, 'editor')
      t.equal(await status(cookie), 200)
      await done(fixture.ports.managers.change(EDITOR, change))
      t.equal(await status(cookie), 401)
    })
})

t.test('A8: guessing of links is limited by address', async (t) => {
  const fixture = await start(t)
  const from = { 'x-forwarded-for': '192.0.2.1' }
  for (let n = 0; n < 10; n += 1) t.equal((await enter(fixture, `guess ${n}`, from)).status, 401)
  const link = await linkFor(fixture, 'editor')
  const limited = await enter(fixture, link, from)
  t.same([limited.status, limited.headers.get('retry-after')], [429, '60'])
  t.equal((await enter(fixture, 'guess', { 'x-forwarded-for': '192.0.2.2' })).status, 401, 'another address')
  fixture.clock.advance(60_000)
  t.equal((await enter(fixture, link, from)).status, 200, 'the link is still good')
})

t.test('M5: no response of the console is in the response cache', async (t) => {
  const fixture = await start(t, { store: 'sqlite' })
  const cookie = await signIn(fixture, 'editor')
  const create = { json: LIBRARY_ITEM, headers: { cookie, ...OWN_PAGE } }
  await fixture.call('POST', '/console/api/library/', create)
  for (let n = 0; n < 3; n += 1) {
    const response = await fixture.call('GET', '/console/api/library/', { headers: { cookie } })
    t.equal(response.headers.get('cache-control'), 'private, no-cache')
    t.equal(response.headers.get('vary'), 'Cookie')
    t.equal(((await response.json()) as { items: [] }).items.length, 1)
    t.equal((await fixture.call('GET', '/console/api/library/')).status, 401, 'without the cookie')
  }
  const seen = await fixture.call('GET', '/library/', { as: 'user' })
  t.same(await seen.json(), { items: [] }, 'a Draft is for managers only')
})

t.test('C11: a page of the console’s API leads to the next one below /console/api', async (t) => {
  const fixture = await start(t)
  const cookie = await signIn(fixture, 'editor')
  for (let n = 0; n < 2; n += 1)
    await fixture.call('POST', '/console/api/library/', {
      json: LIBRARY_ITEM,
      headers: { cookie, ...OWN_PAGE },
    })
  const page = await fixture.call('GET', '/console/api/library/', {
    query: { lim: '1' },
    headers: { cookie },
  })
  t.match(
    page.headers.get('link'),
    /^<https:\/\/almoner\.example\.org\/console\/api\/library\/?\?lim=1&after=/,
  )
})

t.test('M6: pages, files and unknown paths', async (t) => {
  const fixture = await start(t)
  const cookie = await signIn(fixture, 'editor')
  const page = await fixture.call('GET', '/console/library/some-id', { headers: { cookie } })
  t.equal(page.status, 200)
  t.equal(
    page.headers.get('content-security-policy'),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
  t.match(await page.text(), /App/)
  const without = await fixture.call('GET', '/console/desk')
  t.same([without.status, without.headers.get('location')], [303, '/console/sign-in?to=%2Fconsole%2Fdesk'])
  for (const path of ['/console/sign-in', '/console/enter'])
    t.match(await (await fixture.call('GET', path)).text(), /Sign in/)
  const unknown = await fixture.call('GET', '/console/nowhere', { headers: { cookie } })
  t.same([unknown.status, unknown.headers.get('content-type')], [404, 'text/html; charset=utf-8'])
  t.match(await unknown.text(), /App/, 'B3: the application says it, in the language of the person')
  const stranger = await fixture.call('GET', '/console/nowhere')
  t.equal(stranger.status, 404)
  t.match(await stranger.text(), /There is no such page/)
  await seeProblem(t, await fixture.call('GET', '/console/api/nowhere', { headers: { cookie } }), 'not_found')
  for (const [accepted, text] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const file = await fixture.app.inject({
      url: '/console/assets/app-1.js',
      headers: { 'accept-encoding': accepted },
    })
    t.equal(file.headers['content-encoding'] ?? null, text)
    t.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable')
  }
})

t.test('M2: a manager chooses the language of the console', async (t) => {
  const fixture = await start(t)
  const cookie = await signIn(fixture, 'operator')
  const changed = await fixture.call('PUT', '/console/api/session/language', {
    json: { lang: 'en' },
    headers: { cookie, ...OWN_PAGE },
  })
  t.match(await changed.json(), { session: { manager: { language: 'en', duty: 'operator' } } })
  const shown = await fixture.call('GET', '/console/api/session', { headers: { cookie } })
  t.match(await shown.json(), { session: { manager: { language: 'en' }, timeZone: 'UTC' } })
})

t.test('M2, B8: a manager chooses a time zone for the console, or that of the service', async (t) => {
  const fixture = await start(t)
  const cookie = await signIn(fixture, 'editor')
  const choose = (timeZone: string) =>
    fixture.call('PUT', '/console/api/session/time-zone', {
      json: { timeZone },
      headers: { cookie, ...OWN_PAGE },
    })
  const shown = async () =>
    (await fixture.call('GET', '/console/api/session', { headers: { cookie } })).json()
  await choose('Africa/Bamako')
  t.match(await shown(), {
    session: { manager: { timeZone: 'Africa/Bamako' }, timeZone: 'Africa/Bamako', serviceTimeZone: 'UTC' },
  })
  const refused = await choose('Africa/Nowhere')
  t.match([refused.status, await refused.json()], [400, { errors: [{ field: 'timeZone' }] }])
  await choose('')
  t.match(await shown(), { session: { manager: { timeZone: '' }, timeZone: 'UTC' } })
})

t.test('addresses of managers and secrets are in no log line', async (t) => {
  const fixture = await start(t)
  const link = await linkFor(fixture, 'editor')
  const cookie = (await enter(fixture, link)).headers.get('set-cookie')?.split(/[=;]/)[1] ?? ''
  await fixture.call('GET', '/console/api/library/', { headers: { cookie: `__Host-almoner=${cookie}` } })
  for (const secret of ['editor@example.org', link, cookie])
    t.notOk(
      fixture.lines.some((line) => line.includes(secret)),
      secret,
    )
})
