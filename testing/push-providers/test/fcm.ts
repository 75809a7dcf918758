import type { Test } from 'tap'
import { type FcmOptions, makeAuthority, openFcm } from '../src/index.ts'
import { type Asked, ask, dial } from './clients.ts'
import { assertionOf } from './tokens.ts'

const authority = await makeAuthority()

/** FCM with a client that is connected and has an access token. */
export const withFcm = async (t: Test, options: Partial<FcmOptions> = {}) => {
  const fcm = await openFcm({ certificate: await authority.leaf(), ...options })
  const session = await dial(fcm.origin, authority.ca)
  t.teardown(async () => {
    session.destroy()
    await fcm.stop()
  })
  const askToken = (form: Readonly<Record<string, string>> = {}) =>
    ask(session, {
      path: '/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: assertionOf(fcm.account),
        ...form,
      }).toString(),
    })
  const accessToken = String((await askToken()).json['access_token'])
  const send = (message: unknown, asked: Partial<Asked> = {}, more = {}) =>
    ask(session, {
      path: `/v1/projects/${fcm.account.project_id}/messages:send`,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message, ...more }),
      ...asked,
    })
  return { fcm, session, ca: authority.ca, accessToken, askToken, send }
}
