import type { ClientId } from '@almoner/domain'
import { makeRotateSecret } from '@almoner/domain/access'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { BASE_URL, done, STORES, startFixture, type Who } from '../support/fixture.ts'

const REVOKE = '/oauth2/revoke'

for (const store of STORES)
  t.test(`A6: tokens can be revoked and expire; disabling and rotating a client (${store})`, async (t) => {
    const fixture = await startFixture(t.testdir(), { store })
    t.teardown(fixture.stop)
    const own = (who: Who) => ({ client_id: who, client_secret: fixture.secrets[who] ?? '' })
    const fresh = async (who: Who): Promise<string> => {
      const form = { grant_type: 'client_credentials', ...own(who) }
      const answer = await (await fixture.call('POST', '/oauth2/get-token', { form })).json()
      return (answer as { access_token: string }).access_token
    }
    const status = async (token: string): Promise<number> =>
      (await fixture.call('GET', '/library/', { headers: { authorization: `Bearer ${token}` } })).status
    const revoke = (who: Who, token: string, more: Readonly<Record<string, string>> = {}) =>
      fixture.call('POST', REVOKE, { form: { ...own(who), token, ...more } })

    t.test(
      'RFC 7009: a revoked token is 401 afterwards, and the response to the revocation is an empty 200',
      async (t) => {
        const [one, other] = [await fresh('user'), await fresh('user')]
        const response = await revoke('user', one)
        t.same([response.status, await response.text()], [200, ''])
        t.equal(response.headers.get('cache-control'), 'no-store')
        t.equal(await status(one), 401)
        t.equal(await status(other), 200, 'its other tokens stay')
        t.equal((await revoke('user', one)).status, 200, 'revoking again has the same response')
      },
    )

    t.test('RFC 7009 §2.2: an unknown token is 200, and so is an unknown hint', async (t) => {
      t.equal((await revoke('user', 'no such token')).status, 200)
      const token = await fresh('user')
      t.equal((await revoke('user', token, { token_type_hint: 'refresh_token' })).status, 200)
      t.equal(await status(token), 401, 'a wrong hint does not prevent the revocation')
    })

    t.test("RFC 7009 §2.1: another client's token stays valid", async (t) => {
      const token = await fresh('donor')
      t.equal((await revoke('user', token)).status, 200, 'the response does not reveal its owner')
      t.equal(await status(token), 200)
    })

    t.test('RFC 7009 §2.1: revocation needs client authentication', async (t) => {
      const token = await fresh('user')
      for (const form of [
        { token },
        { token, client_id: 'user' },
        { ...own('user'), client_secret: 'x', token },
      ]) {
        const response = await fixture.call('POST', REVOKE, { form })
        t.match([response.status, await response.json()], [401, { error: 'invalid_client' }])
        t.match(response.headers.get('www-authenticate'), /^Basic /)
      }
      const bearer = await fixture.call('POST', REVOKE, {
        headers: { authorization: `Bearer ${token}` },
        form: { token },
      })
      t.equal(bearer.status, 401, 'the token itself is not a credential')
      t.equal(await status(token), 200)
    })

    t.test('RFC 7009 §2.2.1: token is required; JSON and HTTP Basic are accepted too', async (t) => {
      const missing = await fixture.call('POST', REVOKE, { form: own('user') })
      t.match([missing.status, await missing.json()], [400, { error: 'invalid_request' }])
      const token = await fresh('user')
      const { client_id, client_secret } = own('user')
      const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
      t.equal(
        (await fixture.call('POST', REVOKE, { headers: { authorization }, json: { token } })).status,
        200,
      )
      t.equal(await status(token), 401)
      const text = await fixture.call('POST', REVOKE, {
        headers: { 'content-type': 'text/plain' },
        body: 'token=x',
      })
      t.match([text.status, await text.json()], [400, { error: 'invalid_request' }])
    })

    t.test('A6: a token expires', async (t) => {
      const token = await fresh('user')
      fixture.clock.advance(3_599_999)
      t.equal(await status(token), 200)
      fixture.clock.advance(1)
      t.equal(await status(token), 401)
    })

    t.test(
      "A6: a disabled client's tokens are 401 at once, and it gets no new ones; enabled again they are valid",
      async (t) => {
        const token = await fresh('donor')
        await done(fixture.ports.clients.setDisabled('donor' as ClientId, true))
        t.equal(await status(token), 401)
        const form = { grant_type: 'client_credentials', ...own('donor') }
        const refused = await fixture.call('POST', '/oauth2/get-token', { form })
        t.match([refused.status, await refused.json()], [401, { error: 'invalid_client' }])
        await done(fixture.ports.clients.setDisabled('donor' as ClientId, false))
        t.equal(await status(token), 200)
      },
    )

    t.test(
      'A6: tokens stay valid after a rotation; the old secret ends at once, or at the given time',
      async (t) => {
        const token = await fresh('userManager')
        const old = own('userManager')
        const rotate = async (until: O.Option<number>) =>
          (await done(makeRotateSecret(fixture.ports)('userManager' as ClientId, until as never))).secret
        const works = async (client_secret: string): Promise<boolean> =>
          (
            await fixture.call('POST', '/oauth2/get-token', {
              form: { grant_type: 'client_credentials', client_id: 'userManager', client_secret },
            })
          ).ok
        const second = await rotate(O.none)
        t.equal(await status(token), 200)
        t.same([await works(old.client_secret), await works(second)], [false, true])
        const third = await rotate(O.some(fixture.clock.now() + 1000))
        t.same([await works(second), await works(third)], [true, true], 'both secrets, for a while')
        fixture.clock.advance(1000)
        t.same([await works(second), await works(third)], [false, true])
        t.equal(await status(token), 200, 'until the token itself expires')
      },
    )
  })

t.test('RFC 8414: the metadata that a client may discover', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const response = await fixture.call('GET', '/.well-known/oauth-authorization-server')
  t.equal(response.status, 200)
  t.match(response.headers.get('content-type'), /^application\/json/)
  t.match(await response.json(), {
    issuer: BASE_URL,
    token_endpoint: `${BASE_URL}/oauth2/get-token`,
    revocation_endpoint: `${BASE_URL}/oauth2/revoke`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    scopes_supported: ['user', 'user-donor', 'content-manager'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  })
  const head = await fixture.call('HEAD', '/.well-known/oauth-authorization-server')
  t.same([head.status, await head.text()], [200, ''])
  t.equal((await fixture.call('POST', '/.well-known/oauth-authorization-server')).status, 405)
})
