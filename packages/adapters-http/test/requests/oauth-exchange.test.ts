import type { Client, ClientId } from '@almoner/domain'
import { makeAddClient, type PeopleAccess, type Role, type Scope } from '@almoner/domain/access'
import type { MemoryIdTokens } from '@almoner/testkit/memory'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { done, type Fixture, type FixtureOptions } from '../support/fixture.ts'
import { itemIn, onEachStore, onServer } from '../support/items.ts'
import { FEED_ITEM } from '../support/samples.ts'
import { fileForm } from '../support/uploads.ts'

// A10: tokens for people.

const PATH = '/oauth2/get-token'
const ISSUER = 'https://id.example.org'
const ADA = 'ada@example.org'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token'
const EMAIL = 'urn:almoner:params:oauth:token-type:email'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

const OPTIONS: FixtureOptions = {
  policy: {
    idTokens: O.some({
      issuer: ISSUER,
      audiences: ['app', 'page'],
      donorClaim: O.some({ name: 'donor', value: O.none }),
    }),
  },
}

interface Shape {
  readonly scopes?: ReadonlyArray<Scope>
  readonly roles?: ReadonlyArray<Role>
  readonly forPeople?: Partial<PeopleAccess> | 'no'
}

/** Registers a client for people, which holds `user` and `user-donor` unless told otherwise. Returns its credentials. */
const register = async (fixture: Fixture, id: string, { scopes, roles = [], forPeople = {} }: Shape = {}) => {
  const client: Client = {
    ...{ id: id as ClientId, name: id, scopes: scopes ?? ['user', 'user-donor'], roles },
    ...{ email: O.none, disabled: false },
    ...(forPeople !== 'no' && { forPeople: { isPublic: false, audience: O.none, ...forPeople } }),
  }
  const { secret } = await done(makeAddClient(fixture.ports)(client))
  return { client_id: id, ...(secret !== '' && { client_secret: secret }) }
}

const PUBLIC: Shape = { forPeople: { isPublic: true } }

const providerOf = ({ ports }: Fixture) => (ports.idTokens as MemoryIdTokens).provider

/** Returns an ID token of a donor. */
const idToken = (fixture: Fixture, over: object = {}): Promise<string> => {
  const now = Math.floor(fixture.clock.now() / 1000)
  const times = { iat: now - 10, exp: now + 300 }
  const person = { sub: 'ada-1', email: 'Ada@Example.org', email_verified: true, donor: true }
  return providerOf(fixture).sign({ iss: ISSUER, aud: 'app', ...times, ...person, ...over }, 'key', 'key')
}

type Form = Readonly<Record<string, string>>

const exchange = async (fixture: Fixture, client: Form, form: Form, from = '192.0.2.1') =>
  fixture.call('POST', PATH, {
    headers: { 'x-forwarded-for': from },
    form: { grant_type: EXCHANGE, subject_token_type: ID_TOKEN, ...client, ...form },
  })

const tokenFor = async (fixture: Fixture, client: Form, form: Form) => {
  const answer = await exchange(fixture, client, form)
  if (answer.status !== 200) throw new Error(`${answer.status}`, { cause: await answer.text() })
  return (await answer.json()) as { readonly access_token: string; readonly scope: string }
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

const errorOf = async (answer: Response): Promise<readonly [number, unknown]> => [
  answer.status,
  ((await answer.json()) as { readonly error?: string }).error,
]

onEachStore(
  t,
  'A10: an ID token is exchanged for a token whose user is the person',
  async (t, fixture) => {
    const app = await register(fixture, 'app')
    const subject_token = await idToken(fixture)
    const answer = await exchange(fixture, app, { subject_token })
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('cache-control'), 'no-store')
    const { access_token, ...rest } = (await answer.json()) as { readonly access_token: string }
    t.strictSame(rest, {
      issued_token_type: ACCESS_TOKEN,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'user user-donor',
    })
    const preference = await fixture.call('PUT', '/user/other@example.org/notification/preference', {
      ...bearer(access_token),
      json: { lang: 'fr' },
    })
    t.match(
      await preference.json(),
      { preference: { email: ADA, lang: 'fr' } },
      'A1, F3: the user is the person',
    )
    const post = await itemIn(
      await fixture.call('POST', '/feed/', { json: FEED_ITEM, ...bearer(access_token) }),
    )
    const own = await fixture.call('GET', `/user/${ADA}/feed`, bearer(access_token))
    t.match(await own.json(), { items: [{ item: { itemId: post.itemId } }] }, 'L3: the author is the person')
    const listed = await fixture.call('GET', '/feed/?include=author', { as: 'manager' })
    t.match(await listed.text(), `"author":{"clientId":"app","email":"${ADA}"}`)
    const history = await fixture.call('GET', `/feed/${post.itemId}/history`, { as: 'manager' })
    t.match(await history.text(), '"actor":{"kind":"client","id":"app"}', 'K1: the actor is the client')
    t.equal((await fixture.call('GET', '/portfolio', bearer(access_token))).status, 200)
  },
  OPTIONS,
)

onEachStore(
  t,
  'F2, A10: a preference needs the scope user only, attaching a device user-donor',
  async (t, fixture) => {
    const app = await register(fixture, 'app', { scopes: ['user'] })
    const { access_token, scope } = await tokenFor(fixture, app, { subject_token: await idToken(fixture) })
    t.equal(scope, 'user')
    const path = `/user/${ADA}/notification`
    t.equal((await fixture.call('GET', `${path}/preference`, bearer(access_token))).status, 404)
    const send = { json: { subscribed: false }, ...bearer(access_token) }
    t.equal((await fixture.call('PUT', `${path}/preference`, send)).status, 200)
    t.equal((await fixture.call('GET', `${path}/preference`, bearer(access_token))).status, 200)
    t.equal((await fixture.call('GET', `${path}/token`, bearer(access_token))).status, 403)
    t.equal(
      (await fixture.call('GET', `${path}/preference`, { as: 'user' })).status,
      403,
      'a client needs more',
    )
    const bad = { json: { lang: 'de' }, ...bearer(access_token) }
    t.equal((await fixture.call('PUT', `${path}/preference`, bad)).status, 400)
  },
  OPTIONS,
)

onEachStore(
  t,
  'D4, A10: a person adds an image to an own Draft, others are not found',
  async (t, fixture) => {
    const app = await register(fixture, 'app')
    const ada = await tokenFor(fixture, app, { subject_token: await idToken(fixture) })
    const ben = await tokenFor(fixture, app, {
      subject_token: await idToken(fixture, { email: 'ben@example.org' }),
    })
    const create = async (token: string) =>
      (await itemIn(await fixture.call('POST', '/feed/', { json: FEED_ITEM, ...bearer(token) }))).itemId
    const upload = async (itemId: string, token: string) =>
      (await fixture.call('POST', `/feed/${itemId}/media`, { multipart: fileForm(), ...bearer(token) }))
        .status
    const post = await create(ada.access_token)
    t.equal(await upload(post, ben.access_token), 404)
    t.equal(await upload(post, ada.access_token), 200)
    t.equal(await upload(post, ada.access_token), 404, 'it has an image')
  },
  OPTIONS,
)

onEachStore(
  t,
  'I4, A10: an idempotency key belongs to client and person',
  async (t, fixture) => {
    const app = await register(fixture, 'app')
    const people = await Promise.all(
      [ADA, 'ben@example.org'].map(async (email) =>
        tokenFor(fixture, app, { subject_token: await idToken(fixture, { email }) }),
      ),
    )
    const own = await fixture.call('POST', PATH, { form: { grant_type: 'client_credentials', ...app } })
    const tokens = [...people, (await own.json()) as { readonly access_token: string }]
    const post = async (token: string, itemTitle: string) => {
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'one' }
      const answer = await fixture.call('POST', '/feed/', { json: { ...FEED_ITEM, itemTitle }, headers })
      return { status: answer.status, isReplayed: answer.headers.has('idempotency-replayed') }
    }
    for (const [n, { access_token }] of tokens.entries()) {
      t.strictSame(await post(access_token, `${n}`), { status: 200, isReplayed: false })
      t.strictSame(await post(access_token, `${n}`), { status: 200, isReplayed: true })
      t.equal((await post(access_token, 'another')).status, 422)
    }
    const again = await tokenFor(fixture, app, { subject_token: await idToken(fixture) })
    t.strictSame(
      await post(again.access_token, '0'),
      { status: 200, isReplayed: true },
      'another token of hers',
    )
    t.equal((await fixture.call('DELETE', `/user/${ADA}`, { as: 'userManager' })).status, 200)
    const later = await tokenFor(fixture, app, { subject_token: await idToken(fixture) })
    t.strictSame(await post(later.access_token, '0'), { status: 200, isReplayed: false }, 'L1')
  },
  OPTIONS,
)

onEachStore(
  t,
  'L1, A6, A10: tokens of a person end with erasure, revocation and the client',
  async (t, fixture) => {
    const app = await register(fixture, 'app')
    const page = await register(fixture, 'page', PUBLIC)
    const uses = async ({ access_token }: { readonly access_token: string }) =>
      (await fixture.call('GET', '/library/', bearer(access_token))).status
    const [one, two] = [
      await tokenFor(fixture, app, { subject_token: await idToken(fixture) }),
      await tokenFor(fixture, page, { subject_token: await idToken(fixture) }),
    ]
    t.strictSame([await uses(one), await uses(two)], [200, 200])
    t.equal((await fixture.call('DELETE', `/user/${ADA}`, { as: 'userManager' })).status, 200, 'it is known')
    t.strictSame([await uses(one), await uses(two)], [401, 401])
    t.equal((await fixture.call('DELETE', `/user/${ADA}`, { as: 'userManager' })).status, 404)

    const three = await tokenFor(fixture, page, { subject_token: await idToken(fixture) })
    const revoke = (client: Form) =>
      fixture.call('POST', '/oauth2/revoke', { form: { ...client, token: three.access_token } })
    t.equal((await revoke(app)).status, 200)
    t.equal(await uses(three), 200, 'another client revokes nothing')
    t.equal((await revoke(page)).status, 200, 'a public client revokes its own')
    t.equal(await uses(three), 401)

    const four = await tokenFor(fixture, page, { subject_token: await idToken(fixture) })
    await done(fixture.ports.clients.setDisabled('page' as ClientId, true))
    t.equal(await uses(four), 401)
    const refused = await exchange(fixture, page, { subject_token: await idToken(fixture) })
    t.strictSame(await errorOf(refused), [401, 'invalid_client'])
  },
  OPTIONS,
)

onServer(
  t,
  'A10: a backend vouches for addresses; roles never travel',
  async (t, fixture) => {
    const backend = await register(fixture, 'backend', { roles: ['user-manager', 'super-admin'] })
    const subject = { subject_token: ' ADA@example.org ', subject_token_type: EMAIL }
    const { access_token, scope } = await tokenFor(fixture, backend, subject)
    t.equal(scope, 'user user-donor')
    const path = '/user/ben@example.org/notification/preference'
    const preference = await fixture.call('PUT', path, { json: {}, ...bearer(access_token) })
    t.match(await preference.json(), { preference: { email: ADA } })
    t.equal((await fixture.call('DELETE', `/user/${ADA}`, bearer(access_token))).status, 403)
    t.equal((await fixture.call('GET', '/notification', bearer(access_token))).status, 403)
    const bad = await exchange(fixture, backend, { ...subject, subject_token: 'no address' })
    t.strictSame(await errorOf(bad), [400, 'invalid_request'])
    for (const [id, shape] of [
      ['without-role', {}],
      ['public', PUBLIC],
      ['machine', { roles: ['user-manager'], forPeople: 'no' }],
    ] as const) {
      const client = await register(fixture, id, shape)
      t.strictSame(await errorOf(await exchange(fixture, client, subject)), [400, 'unauthorized_client'], id)
    }
  },
  OPTIONS,
)

onServer(
  t,
  'A10: scopes are a subset of user and user-donor, which needs the claim',
  async (t, fixture) => {
    const scopeOf = async (client: Form, scope: string | undefined, over: object = {}) => {
      const subject_token = await idToken(fixture, over)
      const answer = await exchange(fixture, client, { subject_token, ...(scope && { scope }) })
      const { scope: granted, error } = (await answer.json()) as Form
      return granted ?? error
    }
    const [app, office, reader] = [
      await register(fixture, 'app', { scopes: ['user-donor'] }),
      await register(fixture, 'office', { scopes: ['content-manager'] }),
      await register(fixture, 'reader', { scopes: ['user'] }),
    ]
    const guest = { donor: false }
    t.equal(await scopeOf(app, undefined), 'user user-donor')
    t.equal(await scopeOf(office, undefined), 'user user-donor')
    t.equal(await scopeOf(reader, undefined), 'user')
    t.equal(await scopeOf(app, undefined, guest), 'user')
    t.equal(await scopeOf(app, 'user', guest), 'user')
    t.equal(await scopeOf(app, 'user-donor'), 'user-donor')
    for (const [client, scope, over] of [
      [office, 'content-manager', {}],
      [reader, 'user-donor', {}],
      [app, 'user-donor', guest],
      [app, 'user user-donor', { donor: 'yes' }],
      [app, 'other', {}],
    ] as const)
      t.equal(await scopeOf(client, scope, over), 'invalid_scope', scope)
  },
  OPTIONS,
)

onServer(
  t,
  'A10: bad subject tokens are invalid_request with one description, the reason only in the log',
  async (t, fixture) => {
    const app = await register(fixture, 'app', { forPeople: { audience: O.some('app') } })
    const now = Math.floor(fixture.clock.now() / 1000)
    const cases: ReadonlyArray<readonly [string, object]> = [
      ['other-issuer', { iss: `${ISSUER}/` }],
      ['other-audience', { aud: 'elsewhere' }],
      ['other-audience', { aud: 'page' }],
      ['other-audience', { aud: ['app', 'page'] }],
      ['other-audience', { aud: ['app', 'page'], azp: 'page' }],
      ['claims', { sub: undefined }],
      ['claims', { exp: undefined }],
      ['claims', { iat: undefined }],
      ['claims', { nbf: 'soon' }],
      ['expired', { exp: now - 60 }],
      ['not-yet-valid', { nbf: now + 61 }],
      ['not-yet-valid', { iat: now + 61 }],
      ['no-address', { email: undefined }],
      ['address-not-verified', { email_verified: false }],
      ['address-not-verified', { email_verified: undefined, xms_edov: true }],
    ]
    const bodies = new Set<string>()
    for (const [reason, over] of cases) {
      const subject_token = await idToken(fixture, over)
      const answer = await exchange(fixture, app, { subject_token })
      t.equal(answer.status, 400, reason)
      bodies.add(await answer.text())
      const line = fixture.lines.find(
        (one) => one.includes('refused a subject token') && one.includes(reason),
      )
      t.ok(line, `${reason} is in the log`)
      t.notOk(
        fixture.lines.some((one) => one.includes(ADA) || one.includes('ada-1')),
        'no claim is',
      )
    }
    t.equal(bodies.size, 1)
    t.match([...bodies][0], '"error":"invalid_request"')
    for (const over of [
      { exp: now - 59 },
      { iat: now + 60, nbf: now + 60 },
      { email_verified: 'true' },
      { aud: ['app', 'page'], azp: 'app' },
      { aud: ['app'], azp: 'page' },
    ])
      await tokenFor(fixture, app, { subject_token: await idToken(fixture, over) })
  },
  OPTIONS,
)

onServer(
  t,
  'RFC 8693, A10: malformed exchanges are invalid_request',
  async (t, fixture) => {
    const app = await register(fixture, 'app')
    const subject_token = await idToken(fixture)
    for (const form of [
      { subject_token: '' },
      { subject_token, subject_token_type: '' },
      { subject_token, subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' },
      { subject_token, subject_token_type: '__proto__' },
      { subject_token, actor_token: subject_token },
      { subject_token, actor_token_type: ID_TOKEN },
      { subject_token, requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' },
    ])
      t.strictSame(await errorOf(await exchange(fixture, app, form)), [400, 'invalid_request'])
    await tokenFor(fixture, app, { subject_token, requested_token_type: ACCESS_TOKEN })
    const machine = await register(fixture, 'machine', { forPeople: 'no' })
    t.strictSame(await errorOf(await exchange(fixture, machine, { subject_token })), [
      400,
      'unauthorized_client',
    ])
  },
  OPTIONS,
)

onServer(
  t,
  'A10: a public client sends client_id alone, and gets no token for itself',
  async (t, fixture) => {
    const page = await register(fixture, 'page', PUBLIC)
    t.notOk('client_secret' in page)
    const grant = { grant_type: 'client_credentials', ...page }
    t.strictSame(await errorOf(await fixture.call('POST', PATH, { form: grant })), [
      400,
      'unauthorized_client',
    ])
    const subject_token = await idToken(fixture)
    const wrong = await exchange(fixture, { ...page, client_secret: 'guessed' }, { subject_token })
    t.strictSame(await errorOf(wrong), [401, 'invalid_client'])
    const { client_id } = await register(fixture, 'app')
    t.strictSame(await errorOf(await exchange(fixture, { client_id }, { subject_token })), [
      401,
      'invalid_client',
    ])
    await tokenFor(fixture, page, { subject_token })
  },
  OPTIONS,
)

onServer(t, 'A10: without an issuer ID tokens are invalid_request', async (t, fixture) => {
  const app = await register(fixture, 'app')
  const answer = await exchange(fixture, app, { subject_token: await idToken(fixture) })
  t.strictSame(await errorOf(answer), [400, 'invalid_request'])
})

onServer(
  t,
  'A10: keys that cannot be had are 503 with Retry-After, and count nowhere',
  async (t, fixture) => {
    const page = await register(fixture, 'page', PUBLIC)
    const subject_token = await idToken(fixture)
    providerOf(fixture).setDown(true)
    for (let n = 0; n < 101; n += 1) {
      const answer = await exchange(fixture, page, { subject_token })
      t.equal(answer.headers.get('retry-after'), '5')
      t.strictSame(await errorOf(answer), [503, 'temporarily_unavailable'])
    }
    providerOf(fixture).setDown(false)
    fixture.clock.advance(1000)
    await tokenFor(fixture, page, { subject_token })
  },
  OPTIONS,
)

onServer(
  t,
  'A8, A10: bad ID tokens of public clients count by address, those of other clients nowhere',
  async (t, fixture) => {
    const [page, app] = [await register(fixture, 'page', PUBLIC), await register(fixture, 'app')]
    const bad = await providerOf(fixture).sign({}, 'other', 'key')
    const good = await idToken(fixture)
    const status = async (client: Form, subject_token: string) =>
      (await exchange(fixture, client, { subject_token })).status
    for (let n = 0; n < 110; n += 1) t.equal(await status(app, bad), 400)
    t.equal(await status(app, good), 200)
    for (let n = 0; n < 100; n += 1) t.equal(await status(page, bad), 400)
    t.equal(await status(page, bad), 429)
    t.equal(await status(page, good), 429)
    fixture.clock.advance(60_000)
    t.equal(await status(page, good), 200)
  },
  OPTIONS,
)

onServer(
  t,
  'A10: neither subject tokens nor tokens of people reach the log',
  async (t, fixture) => {
    const app = await register(fixture, 'app')
    const subject_token = await idToken(fixture)
    const { access_token } = await tokenFor(fixture, app, { subject_token })
    await exchange(fixture, app, { subject_token: `${subject_token}x` })
    await fixture.call('GET', '/library/', bearer(access_token))
    const written = fixture.lines.join('\n')
    for (const secret of [subject_token, access_token, ADA, JSON.stringify(subject_token).slice(1, -1)])
      t.notOk(written.includes(secret))
  },
  OPTIONS,
)
