import type { Test } from 'tap'
import { type ApnsOptions, makeApnsKey, makeAuthority, openApns } from '../src/index.ts'
import { type Asked, ask, dial } from './clients.ts'
import { providerTokenOf } from './tokens.ts'

const authority = await makeAuthority()

export const TOPIC = 'org.example.app'
export const DEVICE = 'a1'.repeat(32)

/** APNs with a client that is connected and has a provider token. */
export const withApns = async (t: Test, options: Partial<ApnsOptions> = {}) => {
  const key = options.key ?? makeApnsKey()
  const apns = await openApns({ certificate: await authority.leaf(), topic: TOPIC, ...options, key })
  const connect = async () => {
    const session = await dial(apns.origin, authority.ca)
    t.teardown(() => session.destroy())
    return session
  }
  const session = await connect()
  t.teardown(apns.stop)
  const headers = {
    authorization: `bearer ${providerTokenOf(key)}`,
    'apns-topic': TOPIC,
    'apns-push-type': 'alert',
  }
  const send = (more: Readonly<Record<string, string>> = {}, asked: Partial<Asked> = {}, by = session) =>
    ask(by, {
      path: `/3/device/${DEVICE}`,
      headers: { ...headers, ...more },
      body: JSON.stringify({ aps: { alert: 'Hello' } }),
      ...asked,
    })
  return { apns, key, session, connect, headers, send }
}
