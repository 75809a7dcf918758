import t from 'tap'
import { makeAuthority, oauthError, openFcm } from '../src/index.ts'
import { withFcm } from './fcm.ts'
import { assertionOf, seconds } from './tokens.ts'

t.test('the token endpoint returns an access token for a valid assertion', async (t) => {
  const { fcm, askToken } = await withFcm(t)
  const { status, json } = await askToken()
  t.equal(status, 200)
  t.match(json, { access_token: /^ya29\./, expires_in: 3600, token_type: 'Bearer' })
  t.equal(fcm.oauth.requests.length, 2)
  t.equal(fcm.oauth.requests[0]?.claims['iss'], fcm.account.client_email)
})

t.test('the token endpoint rejects each error of an assertion', async (t) => {
  const { fcm, askToken } = await withFcm(t)
  const other = await openFcm({ certificate: await (await makeAuthority()).leaf() })
  await other.stop()
  const ill = { ...fcm.account, private_key: other.account.private_key }
  const rows = [
    [assertionOf(ill), 'invalid_grant', /Signature/],
    [assertionOf(fcm.account, { iss: 'else@example.org' }), 'invalid_grant', /account not found/],
    [assertionOf(fcm.account, { aud: 'https://oauth2.googleapis.com/token' }), 'invalid_grant', /audience/],
    [assertionOf(fcm.account, { iat: seconds() - 3600, exp: seconds() - 1 }), 'invalid_grant', /short-lived/],
    [assertionOf(fcm.account, { exp: seconds() + 7200 }), 'invalid_grant', /short-lived/],
    [assertionOf(fcm.account, { scope: 'email' }), 'invalid_scope', /scope/],
    ['no token', 'invalid_grant', /Invalid JWT/],
  ] as const
  for (const [assertion, error, description] of rows) {
    const { status, json } = await askToken({ assertion })
    t.equal(status, 400)
    t.match(json, { error, error_description: description })
  }
  t.match((await askToken({ grant_type: 'password' })).json, { error: 'unsupported_grant_type' })
})

t.test('the token endpoint can be scripted to reject', async (t) => {
  const { fcm, askToken } = await withFcm(t)
  fcm.oauth.next(fcm.account.client_email, oauthError('invalid_grant', 'Invalid grant: account not found'))
  t.match(await askToken(), { status: 400, json: { error: 'invalid_grant' } })
  t.equal((await askToken()).status, 200)
})

t.test('a token is valid until it expires or is revoked', async (t) => {
  let now = Date.now()
  const { fcm, askToken, send } = await withFcm(t, { now: () => now })
  const message = { token: 'a' }
  t.equal((await send(message)).status, 200)
  now += 3_600_000
  t.match(await send(message), { status: 401, json: { error: { status: 'UNAUTHENTICATED' } } })
  now -= 3_600_000
  fcm.revokeTokens()
  t.equal((await send(message)).status, 401, 'with any script')
  fcm.setTokenLife(0)
  const { json } = await askToken()
  t.equal(json['expires_in'], 0)
  const headers = { authorization: `Bearer ${json['access_token']}` }
  t.equal((await send(message, { headers })).status, 401, 'one that expires at once')
})
