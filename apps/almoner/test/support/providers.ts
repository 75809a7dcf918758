import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  makeApnsKey,
  makeAuthority,
  makeVapidKeys,
  openApns,
  openFcm,
  openWebPush,
} from '@almoner/push-providers'
import type { Test } from 'tap'

const TOPIC = 'org.example.app'

/** What a deployment would hold of the three providers, with the providers themselves on loopback. */
export const withProviders = async (t: Test, folder: string) => {
  const authority = await makeAuthority()
  const certificate = await authority.leaf()
  const key = makeApnsKey()
  const vapid = makeVapidKeys()
  const [fcm, apns, webpush] = await Promise.all([
    openFcm({ certificate }),
    openApns({ certificate, key, topic: TOPIC }),
    openWebPush({ certificate }),
  ])
  t.teardown(() => Promise.all([fcm, apns, webpush].map(({ stop }) => stop())))

  /** Writes a file beside the database, as an operator would. */
  const write = (name: string, text: string): string => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }

  /** The settings of all three. */
  const variables = {
    ALMONER_PUSH: 'fcm,apns,webpush',
    ALMONER_PUSH_CA: write('ca.pem', authority.ca),
    ALMONER_FCM_CREDENTIALS: write('fcm.json', JSON.stringify(fcm.account)),
    ALMONER_FCM_URL: fcm.origin,
    ALMONER_APNS_KEY: write('key.p8', key.p8),
    ALMONER_APNS_KEY_ID: key.keyId,
    ALMONER_APNS_TEAM_ID: key.teamId,
    ALMONER_APNS_TOPIC: TOPIC,
    ALMONER_APNS_URL: apns.origin,
    ALMONER_APNS_SANDBOX_URL: apns.origin,
    ALMONER_VAPID_PUBLIC_KEY: vapid.publicKey,
    ALMONER_VAPID_PRIVATE_KEY: vapid.privateKey,
    ALMONER_VAPID_SUBJECT: 'mailto:push@example.org',
    ALMONER_WEBPUSH_HOSTS: new URL(webpush.origin).host,
  } as const
  const subscription = webpush.subscribe(vapid.publicKey)
  /** A device token of each kind. */
  const tokens = {
    fcm: 'fcm:a-secret-registration',
    apns: `apns:${'0badc0de'.repeat(8)}`,
    webpush: JSON.stringify(subscription),
  } as const
  /** What must be in no log, no line and no document. */
  const secrets = [
    'a-secret-registration',
    '0badc0de',
    subscription.keys.auth,
    new URL(subscription.endpoint).pathname,
    vapid.privateKey,
    key.p8.split('\n')[1] ?? '',
    fcm.account.private_key.split('\n')[1] ?? '',
  ]
  return { fcm, apns, webpush, subscription, variables, tokens, secrets, write, vapid }
}
