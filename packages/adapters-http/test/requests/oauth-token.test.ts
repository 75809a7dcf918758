import type { ClientId } from '@almoner/domain'
import { makeAddClient } from '@almoner/domain/access'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { done, type Fixture, startFixture, type Who } from '../support/fixture.ts'
import { onEachStore } from '../support/items.ts'

interface TokenAnswer {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
}

const PATH = '/oauth2/get-token'
const GRANT = { grant_type: 'client_credentials' }

onEachStore(t, 'Authentication, A4: the token request', async (t, fixture) => {
  const secretOf = (who: Who) => fixture.secrets[who] ?? ''
  const own = (who: Who) => ({ ...GRANT, client_id: who, client_secret: secretOf(who) })
  const granted = async (response: Response): Promise<TokenAnswer> => {
    const body = (await response.json()) as TokenAnswer
    if (response.status !== 200) throw new Error(`${response.status}`, { cause: body })
    return body
  }
  const opens = async (token: string): Promise<number> =>
    (await fixture.call('GET', '/library/', { headers: { authorization: `Bearer ${token}` } })).status

  t.test(
    'interface 1: a form with grant_type, client_id and client_secret gives JSON with access_token',
    async (t) => {
      const response = await fixture.call('POST', PATH, { form: own('user') })
      t.equal(response.status, 200)
      t.match(response.headers.get('content-type'), /^application\/json/)
      const { access_token } = await granted(response)
      t.equal(await opens(access_token), 200, 'the token allows what its scope allows')
    },
  )

  t.test(
    'A4: the response has access_token, token_type, expires_in and scope, and must not be stored',
    async (t) => {
      const response = await fixture.call('POST', PATH, { form: own('donor') })
      t.equal(response.headers.get('cache-control'), 'no-store')
      t.equal(response.headers.get('pragma'), 'no-cache')
      const { access_token, ...rest } = await granted(response)
      t.type(access_token, 'string')
      t.same(rest, { token_type: 'Bearer', expires_in: 3600, scope: 'user user-donor' })
    },
  )

  t.test('A4: JSON is accepted too', async (t) => {
    const { access_token } = await granted(await fixture.call('POST', PATH, { json: own('user') }))
    t.equal(await opens(access_token), 200)
  })

  t.test(
    'A4: credentials may be HTTP Basic, with the scheme in any case and the grant in form or JSON',
    async (t) => {
      const basic = Buffer.from(`user:${secretOf('user')}`).toString('base64')
      for (const scheme of ['Basic', 'basic', 'BASIC']) {
        const headers = { authorization: `${scheme} ${basic}` }
        for (const send of [{ form: GRANT }, { json: GRANT }, { form: { ...GRANT, client_id: 'user' } }]) {
          const answer = await granted(await fixture.call('POST', PATH, { headers, ...send }))
          t.equal(answer.scope, 'user')
        }
      }
    },
  )

  t.test('A4: every request returns another token', async (t) => {
    const tokens = await Promise.all(
      [1, 2, 3].map(
        async () => (await granted(await fixture.call('POST', PATH, { form: own('user') }))).access_token,
      ),
    )
    t.equal(new Set(tokens).size, 3)
    for (const token of tokens) t.equal(await opens(token), 200, 'all of them are valid')
  })

  t.test('A4: without scope the response lists the scopes as registered', async (t) => {
    for (const [who, scope] of [
      ['user', 'user'],
      ['donor', 'user user-donor'],
      ['manager', 'content-manager'],
      ['admin', 'user'],
      ['userManager', 'user-donor'],
    ] as const) {
      const answer = await granted(await fixture.call('POST', PATH, { form: own(who) }))
      t.equal(answer.scope, scope, who)
    }
  })

  t.test('A4: scope may be a subset, or an implied scope', async (t) => {
    for (const [who, asked, scope] of [
      ['donor', 'user', 'user'],
      ['donor', 'user-donor user', 'user-donor user'],
      ['manager', 'user', 'user'],
      ['manager', 'user user-donor content-manager', 'user user-donor content-manager'],
      ['userManager', 'user', 'user'],
      ['admin', 'content-manager', 'content-manager'],
      ['user', '', 'user'],
    ] as const) {
      const answer = await granted(await fixture.call('POST', PATH, { form: { ...own(who), scope: asked } }))
      t.equal(answer.scope, scope, `${who} requests "${asked}"`)
    }
  })

  t.test('A4: a scope that is unknown, malformed or not the client’s is invalid_scope', async (t) => {
    for (const [who, scope] of [
      ['user', 'user-donor'],
      ['user', 'user content-manager'],
      ['donor', 'content-manager'],
      ['manager', 'super-admin'],
      ['manager', 'everything'],
      ['manager', 'User'],
      ['manager', 'user,user-donor'],
      ['manager', ' '],
    ] as const) {
      const response = await fixture.call('POST', PATH, { form: { ...own(who), scope } })
      t.match([response.status, await response.json()], [400, { error: 'invalid_scope' }], `${who}: ${scope}`)
    }
  })

  t.test('A4: a token with a narrower scope allows only that', async (t) => {
    const narrow = await granted(
      await fixture.call('POST', PATH, { form: { ...own('manager'), scope: 'user' } }),
    )
    const headers = { authorization: `Bearer ${narrow.access_token}` }
    t.equal((await fixture.call('GET', '/library/', { headers })).status, 200)
    t.equal((await fixture.call('POST', '/library/', { headers, json: {} })).status, 403)
  })

  t.test('A4: a token has all roles of its client, whichever scope is requested', async (t) => {
    const narrow = await granted(
      await fixture.call('POST', PATH, { form: { ...own('admin'), scope: 'user' } }),
    )
    t.equal(narrow.scope, 'user')
    const headers = { authorization: `Bearer ${narrow.access_token}` }
    t.equal(
      (await fixture.call('POST', '/library/', { headers, json: {} })).status,
      400,
      'past the scope check',
    )
  })

  t.test('A4: unknown parameters are ignored, and an empty scope counts as omitted', async (t) => {
    const form = { ...own('user'), scope: '', resource: 'x', access_token: 'y' }
    t.equal((await granted(await fixture.call('POST', PATH, { form }))).scope, 'user')
    const json = { ...own('user'), scope: null, nested: { a: [1] } }
    t.equal((await granted(await fixture.call('POST', PATH, { json }))).scope, 'user')
  })

  t.test('B3: the token endpoint works with and without the trailing slash', async (t) => {
    t.equal((await granted(await fixture.call('POST', `${PATH}/`, { form: own('user') }))).scope, 'user')
  })
})

/** A client whose id and secret need the form encoding of RFC 6749 §2.3.1 to pass through HTTP Basic. */
const withSecret = (fixture: Fixture, id: string, secret: string) =>
  done(
    makeAddClient({ ...fixture.ports, secrets: { ...fixture.ports.secrets, mint: () => secret } })({
      id: id as ClientId,
      name: id,
      scopes: ['user'],
      roles: [],
      email: O.none,
      disabled: false,
    }),
  )

onEachStore(
  t,
  'A4, RFC 6749 §2.3.1: id and secret are form-encoded before they go into HTTP Basic',
  async (t, fixture) => {
    const secrets = {
      colon: 'a:b:c',
      percent: '100%',
      plus: 'a+b c',
      accents: 'é€\u{1F600}',
      marks: '~!*\'()&=?#/"',
    }
    for (const [id, secret] of Object.entries(secrets)) {
      await withSecret(fixture, id, secret)
      const encoded = new URLSearchParams({ v: secret }).toString().slice(2)
      for (const text of [encoded, encodeURIComponent(secret)]) {
        const headers = { authorization: `Basic ${Buffer.from(`${id}:${text}`).toString('base64')}` }
        const response = await fixture.call('POST', PATH, { headers, form: GRANT })
        t.equal(response.status, 200, `${id} as ${text}`)
      }
      const form = { ...GRANT, client_id: id, client_secret: secret }
      t.equal((await fixture.call('POST', PATH, { form })).status, 200, `${id} in the form`)
      t.equal((await fixture.call('POST', PATH, { json: form })).status, 200, `${id} in JSON`)
    }
  },
)

t.test('A4: expires_in is the configured lifetime, after which the token is invalid', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory', policy: { tokenTtl: 60 } })
  t.teardown(fixture.stop)
  const form = { ...GRANT, client_id: 'user', client_secret: fixture.secrets.user ?? '' }
  const answer = (await (await fixture.call('POST', PATH, { form })).json()) as TokenAnswer
  t.equal(answer.expires_in, 60)
  const status = async () =>
    (await fixture.call('GET', '/library/', { headers: { authorization: `Bearer ${answer.access_token}` } }))
      .status
  fixture.clock.advance(59_999)
  t.equal(await status(), 200, 'a millisecond before')
  fixture.clock.advance(1)
  t.equal(await status(), 401, 'at that moment')
})
