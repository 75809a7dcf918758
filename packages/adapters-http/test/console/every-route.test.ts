import type { ClientId, Email, Ports } from '@almoner/domain'
import type { Grant } from '@almoner/domain/access'
import type { ActiveSession } from '@almoner/domain/managers'
import { done } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t, { type Test } from 'tap'
import { CONSOLE_ROUTES, contentSecurity } from '../../src/console/index.ts'
import { PAGE_PATHS } from '../../src/console/pages.ts'
import { API_ROUTES } from '../../src/index.ts'
import { EDITOR, enter, linkFor, OWN_PAGE, signIn, startConsole } from '../support/console.ts'
import { bodyOf, hold } from '../support/held.ts'
import { filled, LIBRARY_ITEM, leastFor } from '../support/samples.ts'

const OPERATOR = 'operator@example.org' as Email

const EVERYTHING = [...API_ROUTES, ...CONSOLE_ROUTES].map(({ method, path }) => ({
  method,
  path: `/console/api${filled(path)}`,
}))

const OF_SESSIONS = [
  { method: 'GET', path: '/console/api/session' },
  { method: 'DELETE', path: '/console/api/session' },
  { method: 'PUT', path: '/console/api/session/language' },
  { method: 'PUT', path: '/console/api/session/time-zone' },
  { method: 'GET', path: '/console/api/sessions' },
  { method: 'DELETE', path: '/console/api/sessions' },
  { method: 'GET', path: '/console/api/passkeys' },
  { method: 'POST', path: '/console/api/passkeys' },
  { method: 'PUT', path: '/console/api/passkeys/options' },
  { method: 'PUT', path: '/console/api/passkeys/id' },
  { method: 'DELETE', path: '/console/api/passkeys/id' },
  { method: 'GET', path: '/console/api/password' },
  { method: 'PUT', path: '/console/api/password' },
  { method: 'DELETE', path: '/console/api/password' },
  { method: 'PUT', path: '/console/api/password/secret' },
  { method: 'PUT', path: '/console/api/password/text' },
  { method: 'PUT', path: '/console/api/password/recovery-codes' },
  { method: 'GET', path: '/console/api/events' },
]

const start = async (t: Test, options: Parameters<typeof startConsole>[1] = {}) => {
  const fixture = await startConsole(t.testdir(), options)
  t.teardown(fixture.stop)
  return fixture
}

t.test(
  'M5: no route of the console’s API is open to a token, to nothing, or to an ended session',
  async (t) => {
    const fixture = await start(t)
    const ended = await signIn(fixture, 'editor')
    await done(fixture.ports.sessions.endAll(EDITOR))
    const token = await fixture.token('manager')
    for (const { method, path } of [...EVERYTHING, ...OF_SESSIONS])
      for (const headers of [{}, { authorization: `Bearer ${token}` }, { cookie: ended }]) {
        const response = await fixture.call(method, path, { headers: { ...headers, ...OWN_PAGE } })
        t.equal(response.status, 401, `${method} ${path} ${Object.keys(headers)}`)
        t.equal(response.headers.get('cache-control'), 'no-store')
      }
  },
)

t.test(
  'A9: no route runs for a session that ended, or a client that was disabled, before the body',
  async (t) => {
    const fixture = await start(t, { store: 'sqlite' })
    const { headers: type, body } = await bodyOf({ some: 'text' })
    const see = async (
      method: string,
      path: string,
      headers: Record<string, string>,
      end: () => Promise<unknown>,
    ) => {
      const rest = await hold(fixture, { method, path, headers: { ...type, ...headers }, body })
      await end()
      t.equal((await rest()).status, 401, `${method} ${path}`)
    }
    for (const { method, path } of [...EVERYTHING, ...OF_SESSIONS].filter(({ method }) => method !== 'GET')) {
      const cookie = await signIn(fixture, 'operator')
      await see(method, path, { cookie, ...OWN_PAGE }, () => done(fixture.ports.sessions.endAll(OPERATOR)))
    }
    for (const route of API_ROUTES.filter(({ method }) => method !== 'GET')) {
      const client = leastFor(route)
      const set = (disabled: boolean) =>
        done(fixture.ports.clients.setDisabled(client as string as ClientId, disabled))
      const authorization = `Bearer ${await fixture.token(client)}`
      await see(route.method, filled(route.path), { authorization }, () => set(true))
      await set(false)
    }
  },
)

/** Makes a fixture whose callers can do less from a moment on. */
const startWithChange = async (t: Test, change: (ports: Ports) => Partial<Ports>) => {
  const changed: Partial<Ports> = {}
  const wrap = (ports: Ports): Ports => {
    const names = Object.keys(change(ports)) as ReadonlyArray<keyof Ports>
    const through = (name: keyof Ports) =>
      new Proxy(ports[name], { get: (port, call) => Reflect.get(changed[name] ?? port, call) })
    return Object.assign({}, ports, ...names.map((name) => ({ [name]: through(name) })))
  }
  const fixture = await start(t, { store: 'sqlite', keep: 1024 * 1024, wrap })
  return { fixture, apply: () => Object.assign(changed, change(fixture.ports)) }
}

t.test(
  'A9: a scope and a duty that shrink before the body are 403, though the caller is still known',
  async (t) => {
    const less = ({ accessTokens, sessions }: Ports) => ({
      accessTokens: {
        ...accessTokens,
        grantOf: (...given: Parameters<Ports['accessTokens']['grantOf']>) =>
          TE.map(O.map((grant: Grant): Grant => ({ ...grant, scopes: ['user'], roles: [] })))(
            accessTokens.grantOf(...given),
          ),
      },
      sessions: {
        ...sessions,
        find: (...given: Parameters<Ports['sessions']['find']>) =>
          TE.map(
            O.map(
              (active: ActiveSession): ActiveSession => ({
                ...active,
                manager: { ...active.manager, duty: 'editor' },
              }),
            ),
          )(sessions.find(...given)),
      },
    })
    const { fixture, apply } = await startWithChange(t, less)
    const authorization = `Bearer ${await fixture.token('manager')}`
    const cookie = await signIn(fixture, 'operator')
    const { headers: type, body } = await bodyOf(LIBRARY_ITEM)
    const held = [
      { path: '/library/', headers: { ...type, authorization } },
      { path: '/console/api/clients', headers: { ...type, cookie, ...OWN_PAGE } },
    ]
    const rests = await Promise.all(
      held.map((request) => hold(fixture, { ...request, method: 'POST', body })),
    )
    apply()
    const codes = []
    for (const rest of rests) codes.push(JSON.parse((await rest()).body).code)
    t.same(codes, ['insufficient_scope', 'insufficient_role'])
  },
)

t.test('M5: no route that changes something takes requests of other sites', async (t) => {
  const fixture = await start(t)
  const cookie = await signIn(fixture, 'operator')
  for (const { method, path } of [...EVERYTHING, ...OF_SESSIONS].filter(({ method }) => method !== 'GET'))
    for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      const response = await fixture.call(method, path, { headers: { cookie, ...headers } })
      t.equal(response.status, 403, `${method} ${path} ${Object.keys(headers)}`)
    }
  t.equal((await fixture.call('GET', '/console/api/session', { headers: { cookie } })).status, 200)
})

t.test('M5: no route of the API takes the cookie', async (t) => {
  const fixture = await start(t)
  const cookie = await signIn(fixture, 'operator')
  for (const { method, path } of API_ROUTES) {
    const response = await fixture.call(method, filled(path), { headers: { cookie, ...OWN_PAGE } })
    t.equal(response.status, 401, `${method} ${path}`)
  }
})

/** Routes that need no session, and paths of the console that are none. */
const OPEN = [
  ...['link', 'link/person', 'passkey', 'passkey/options', 'password', 'oidc', 'oidc/start'].map((way) => ({
    method: 'POST',
    path: `/console/api/sign-in/${way}`,
  })),
  ...['/sign-in/methods', '/nowhere', ''].map((path) => ({ method: 'GET', path: `/console/api${path}` })),
  ...['/sign-in', '/enter', '/assets/app-1.js', '/nowhere', '/', ''].map((path) => ({
    method: 'GET',
    path: `/console${path}`,
  })),
  { method: 'PATCH', path: '/console/api/session' },
  { method: 'GET', path: '/%63onsole/api/session' },
  { method: 'GET', path: '/console/%61pi/session?a=b' },
]

t.test(
  'M5: no response below /console has a CORS header, where other origins may call the API',
  async (t) => {
    const origin = 'https://app.example.org'
    const fixture = await start(t, { corsOrigins: [origin] })
    const pages = PAGE_PATHS.map((path) => ({ method: 'GET', path: `/console${filled(path)}` }))
    const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-a' }
    const seen = new Set<string>()
    for (const { method, path } of [...OPEN, ...pages, ...EVERYTHING, ...OF_SESSIONS])
      for (const one of [method, 'OPTIONS']) {
        const as = seen.size % 2 === 0 ? { cookie: await signIn(fixture, 'operator') } : {}
        const response = await fixture.app.inject({
          method: one as 'GET',
          url: path,
          headers: { origin, ...OWN_PAGE, ...as, ...(one === 'OPTIONS' && preflight) },
          ...(path.endsWith('/events') && { method: 'HEAD' }),
        })
        const cors = Object.keys(response.headers).filter((name) => name.startsWith('access-control-'))
        t.strictSame(cors, [], `${one} ${path}`)
        seen.add(`${one} ${path}`)
      }
    const allowed = await fixture.call('OPTIONS', '/library/', { headers: { origin, ...preflight } })
    t.equal(allowed.headers.get('access-control-allow-origin'), origin, 'the API still has them')
  },
)

t.test('M6: every page has exactly the policy', async (t) => {
  const fixture = await start(t)
  const cookie = await signIn(fixture, 'editor')
  const own = PAGE_PATHS.map((path) => `/console${filled(path)}`)
  for (const path of [...own, '/console/sign-in', '/console/enter', '/console/nowhere', '/console/desk/x']) {
    const page = await fixture.call('GET', path, { headers: { cookie } })
    t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8', path)
    t.equal(page.headers.get('content-security-policy'), contentSecurity([]), path)
    t.equal(page.headers.get('x-frame-options'), 'DENY')
    t.notMatch(await page.text(), /<script(?![^>]* src=)|<style| style=| on[a-z]+=/, 'nothing inline')
  }
  for (const path of own) {
    const { status, headers } = await fixture.call('GET', path)
    t.equal(status, 303, path)
    t.equal(headers.get('cache-control'), 'no-store')
  }
  t.equal(
    contentSecurity(['https://images.example.org']),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data: https://images.example.org; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
})

t.test('M2: of many requests with one link at a time, one opens a session', async (t) => {
  const fixture = await start(t, { store: 'sqlite' })
  const link = await linkFor(fixture, 'editor')
  const answers = await Promise.all(Array.from({ length: 5 }, () => enter(fixture, link)))
  t.same(answers.map(({ status }) => status).sort(), [200, 401, 401, 401, 401])
})

t.test('M3: an unknown link and one of a disabled manager get the same response', async (t) => {
  const fixture = await start(t)
  const link = await linkFor(fixture, 'editor')
  await done(fixture.ports.managers.change(EDITOR, { disabled: true }))
  const shown = async (token: string) => {
    const response = await enter(fixture, token)
    const { requestId: _, ...problem } = (await response.json()) as { requestId: string }
    const { 'x-request-id': _id, date: _date, ...headers } = Object.fromEntries(response.headers)
    return { status: response.status, problem, headers }
  }
  t.same(await shown(link), await shown('unknown'))
})
