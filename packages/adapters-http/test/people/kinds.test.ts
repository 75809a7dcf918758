import { BROWSER_PUSH_HOSTS, type DeviceKind } from '@almoner/domain/people'
import type { Language } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { done, type Fixture } from '../support/fixture.ts'
import { onEachStore } from '../support/items.ts'
import { AMINA, attach, BRUNO, tokensOf } from '../support/people.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'

// F5: the token determines the kind of device, and is stored as sent.

const KEYS =
  '"keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}'

const webPush = (endpoint: string): string => `{"endpoint":${JSON.stringify(endpoint)},${KEYS}}`

/** The kinds that a user's devices are recorded as. */
const kinds = async (
  { ports }: Fixture,
  lang: Language = 'en',
): Promise<Partial<Record<DeviceKind, number>>> =>
  Object.fromEntries(
    Object.entries(await done(ports.devices.audience({ lang, labelId: O.none }))).filter(
      ([, count]) => count > 0,
    ),
  )

/** One token of each form, in the order of the ruling. */
const FORMS: ReadonlyArray<readonly [string, DeviceKind]> = [
  ['fcm:anything at all', 'fcm'],
  ['fid:anything at all', 'fcm'],
  ['apns:anything at all', 'apns'],
  ['apns-sandbox:anything at all', 'apns'],
  [`webpush:${webPush('https://fcm.googleapis.com/fcm/send/a')}`, 'webpush'],
  [webPush('https://fcm.googleapis.com/fcm/send/a'), 'webpush'],
  ['a1'.repeat(32), 'apns'],
  ['A1'.repeat(100), 'apns'],
  ['cRt5_-7890123456789012', 'fcm'],
  ['cRt5_-7890123456789012:APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv3hVZjC9KtT8OvPVGJ', 'fcm'],
  ['APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv3hVZjC9KtT8OvPVGJ', 'fcm'],
  ['a1'.repeat(31), 'unroutable'],
  ['a1'.repeat(101), 'unroutable'],
  ['a'.repeat(65), 'unroutable'],
  ['gRt5_-7890123456789012', 'unroutable'],
  ['{"endpoint":"https://fcm.googleapis.com/a"}', 'unroutable'],
  [webPush('http://fcm.googleapis.com/fcm/send/a'), 'unroutable'],
  ['webpush:nothing', 'unroutable'],
  ['anything at all', 'unroutable'],
]

onEachStore(
  t,
  'F5: each form of token is recorded with its kind, and returned as sent',
  async (t, fixture) => {
    for (const [token, kind] of FORMS) {
      t.equal((await attach(fixture, AMINA, token)).status, 200, token)
      t.strictSame(await tokensOf(fixture, AMINA), [token])
      t.strictSame(await kinds(fixture), { [kind]: 1 }, token)
      await fixture.call('DELETE', `/user/x/notification/token/${encodeURIComponent(token)}`, { as: 'donor' })
    }
    t.strictSame(await kinds(fixture), {})
  },
)

onEachStore(
  t,
  'F5: ALMONER_PUSH_DEFAULT is the kind of tokens of unknown form, and of no others',
  async (t, fixture) => {
    await attach(fixture, AMINA, 'anything at all')
    t.strictSame(await kinds(fixture), { apns: 1 })
    await attach(fixture, BRUNO, 'webpush:nothing')
    t.strictSame(await kinds(fixture), { apns: 1, unroutable: 1 }, 'a prefix decides')
    await attach(fixture, BRUNO, 'fcm:one')
    t.strictSame(await kinds(fixture), { apns: 1, unroutable: 1, fcm: 1 })
  },
  { policy: { pushDefault: O.some('apns') } },
)

/** Endpoints on the browsers' push services. */
const ALLOWED = [
  'https://fcm.googleapis.com/fcm/send/abc:def',
  'https://jmt17.google.com/fcm/send/abc:def',
  'https://FCM.googleapis.com:443/wp/abc',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://wns2-par02p.notify.windows.com/w/?token=abc',
  'https://web.push.apple.com/abc',
]

const REFUSED = [
  'https://push.example.org/abc',
  'https://fcm.googleapis.com.example.org/abc',
  'https://notfcm.googleapis.com/abc',
  'https://push.services.mozilla.com/abc',
  'https://fcm.googleapis.com:8443/abc',
  'https://fcm.googleapis.com@example.org/abc',
  'https://127.0.0.1/abc',
  'https://localhost:8443/abc',
  'https://[::1]/abc',
  'https://169.254.169.254/latest/meta-data',
]

onEachStore(
  t,
  "F5: a Web Push endpoint's host must be on the allow-list, by default the browsers' push services",
  async (t, fixture) => {
    t.ok(BROWSER_PUSH_HOSTS.length > 0)
    for (const endpoint of ALLOWED) {
      const answer = await attach(fixture, AMINA, webPush(endpoint))
      t.match(await answer.json(), { token: { device_token: webPush(endpoint) } }, endpoint)
    }
    for (const endpoint of REFUSED)
      for (const token of [webPush(endpoint), `webpush:${webPush(endpoint)}`]) {
        const problem = await seeProblem(t, await attach(fixture, BRUNO, token), 'invalid_request', endpoint)
        t.strictSame(fieldsOf(problem), ['device_token'])
        t.notOk(
          JSON.stringify([problem.detail, problem.errors]).includes('abc'),
          'the rejected value is not repeated',
        )
      }
    t.strictSame(await tokensOf(fixture, BRUNO), [])
    t.strictSame(await kinds(fixture), { webpush: ALLOWED.length }, 'no user was created')
  },
)

onEachStore(
  t,
  'F5: entries of the allow-list are host or *.host, each with an optional port; loopback only if listed',
  async (t, fixture) => {
    for (const [endpoint, status] of [
      ['https://push.example.org/abc', 200],
      ['https://push.example.org:8443/abc', 400],
      ['https://a.push.example.org/abc', 400],
      ['https://a.b.wild.example.org/abc', 200],
      ['https://wild.example.org/abc', 400],
      ['https://localhost:9443/abc', 200],
      ['https://localhost/abc', 400],
      ['https://127.0.0.1:9443/abc', 400],
      ['https://fcm.googleapis.com/abc', 400],
    ] as const)
      t.equal((await attach(fixture, AMINA, webPush(endpoint))).status, status, endpoint)
  },
  { policy: { webPushHosts: ['push.example.org', '*.wild.example.org', 'localhost:9443'] } },
)
