import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { MessageText } from '@almoner/domain/notifications'
import {
  apnsError,
  apnsGone,
  fcmError,
  messageTooBig,
  permissionDenied,
  replyJson,
  reset,
  webPushGone,
} from '@almoner/push-providers'
import { done } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { adviceFor } from '../../src/commands/push.ts'
import { DEFAULT_DATABASE, onStore } from '../support/database.ts'
import { inProcess } from '../support/in-process.ts'
import { ownFolder } from '../support/own-folder.ts'
import { withProviders } from '../support/providers.ts'
import { progressIn, schedule, withDevices } from '../support/readers.ts'

type Variables = Readonly<Record<string, string>>

const database = (folder: string): Variables => ({
  ALMONER_DATABASE: `sqlite:${join(folder, DEFAULT_DATABASE)}`,
})

const folder = ownFolder()
const providers = await withProviders(t, folder)
const { fcm, apns, webpush, tokens, secrets, subscription } = providers
const variables = { ...providers.variables, ...database(folder) }

/** Sends to a device, and checks that no output contains the token. */
const tryOut = async (args: ReadonlyArray<string>, over: Variables = {}) => {
  const ended = await inProcess(['notification', 'test', ...args], { ...variables, ...over })
  for (const secret of secrets) t.notOk(`${ended.out}${ended.err}`.includes(secret))
  return ended
}

t.test('notification test: a short English sample is sent to a device of each kind', async (t) => {
  for (const [provider, token] of Object.entries(tokens)) {
    t.strictSame(await tryOut(['--device', token]), { code: 0, out: `${provider}: delivered\n`, err: '' })
    const { code, out, err } = await tryOut(['--device', token, '--json'])
    t.strictSame([code, err], [0, ''])
    t.strictSame(JSON.parse(out), {
      provider,
      by: provider,
      outcome: 'delivered',
      retryAfter: null,
      reason: '',
      topic: null,
    })
  }
  const piped = await inProcess(
    ['notification', 'test', '--device', '-'],
    variables,
    false,
    `${tokens.fcm}\n`,
  )
  t.equal(piped.out, 'fcm: delivered\n', 'a token may come from stdin, where no process list shows it')
  t.match(fcm.requests, [
    { body: { message: { notification: { title: 'A test from Almoner' }, data: { lang: 'en' } } } },
    { refusal: undefined },
    { refusal: undefined },
  ])
  const ids = apns.requests.map(({ body }) => (body as { notificationId: string }).notificationId)
  t.equal(new Set(ids).size, 2, 'a device displays each of them')
  t.equal(webpush.requests.filter(({ text }) => text?.includes('A test from Almoner')).length, 2)
  t.notOk(existsSync(join(folder, DEFAULT_DATABASE)), 'this needs no database')
})

t.test('notification test ID: sends a notification in its real form, and records nothing', async (t) => {
  await withDevices(folder, 1)
  const id = await schedule(folder, 1, { title: 'Wells' as MessageText })
  const before = readFileSync(join(folder, DEFAULT_DATABASE))
  fcm.next('a-secret-registration', fcmError('UNREGISTERED'))
  t.match(await tryOut(['--device', tokens.fcm, id]), {
    code: 1,
    out: '',
    err: 'almoner: fcm: dead: UNREGISTERED: there is no such device any more\n',
  })
  t.match(await tryOut(['--device', tokens.fcm, id]), { code: 0, out: 'fcm: delivered\n' })
  t.match(fcm.requests.at(-1), {
    body: { message: { notification: { title: 'Wells' }, data: { notificationId: id } } },
  })
  t.ok(readFileSync(join(folder, DEFAULT_DATABASE)).equals(before))
  await onStore(folder, async (store) => {
    await t.rejects(progressIn(store, id), 'it was not started')
    t.match(await done(store.devices.audience({ lang: 'en', labelId: O.none })), { fcm: 1 })
  })
  t.match(await tryOut(['--device', tokens.fcm, 'no-such']), {
    code: 1,
    out: '',
    err: 'almoner: there is no such notification\n',
  })
})

const GONE = 'there is no such device any more'
const NEVER = 'this push will never be taken for this device'

t.test(
  'notification test: every other result is exit 1, with a line and a document that name it',
  async (t) => {
    const registration = 'a-secret-registration'
    const { endpoint } = subscription
    const hex = tokens.apns.slice('apns:'.length)
    const repeated = { reason: hex, error: { status: registration, message: registration } }
    const rows = {
      fcm: [
        [fcmError('UNAVAILABLE', 30), 'retry', 'UNAVAILABLE', 'retry after 30 s: UNAVAILABLE', 30],
        [
          fcmError('THIRD_PARTY_AUTH_ERROR'),
          'fault',
          'THIRD_PARTY_AUTH_ERROR',
          `our fault: THIRD_PARTY_AUTH_ERROR; ${adviceFor('fcm', 'THIRD_PARTY_AUTH_ERROR')}`,
        ],
        [reset(), 'retry', '', 'retry: no answer'],
        [messageTooBig(), 'refused', 'INVALID_ARGUMENT', `refused: INVALID_ARGUMENT: ${NEVER}`],
        [
          fcmError('SENDER_ID_MISMATCH'),
          'fault',
          'SENDER_ID_MISMATCH',
          `our fault: SENDER_ID_MISMATCH; ${adviceFor('fcm', 'SENDER_ID_MISMATCH')}`,
        ],
        [replyJson(400, repeated), 'refused', 'HTTP 400', `refused: HTTP 400: ${NEVER}`],
        [
          permissionDenied(registration),
          'fault',
          'PERMISSION_DENIED',
          `our fault: PERMISSION_DENIED; ${adviceFor('fcm', 'PERMISSION_DENIED')}`,
        ],
      ],
      apns: [
        // Long ago by Apple's clock, and yet it is gone: nothing was attached meanwhile.
        [apnsGone(new Date(1)), 'dead', 'Unregistered', `dead: Unregistered: ${GONE}`],
        [apnsError('BadDeviceToken'), 'dead', 'BadDeviceToken', `dead: BadDeviceToken: ${GONE}`],
        [replyJson(400, repeated), 'refused', 'HTTP 400', `refused: HTTP 400: ${NEVER}`],
        [
          apnsError('TopicDisallowed'),
          'fault',
          'TopicDisallowed',
          `our fault: TopicDisallowed; ${adviceFor('apns', 'TopicDisallowed')}`,
        ],
      ],
      webpush: [
        [webPushGone(), 'dead', 'HTTP 410', `dead: HTTP 410: ${GONE}`],
        [replyJson(503, {}), 'retry', 'HTTP 503', 'retry: HTTP 503'],
        [
          replyJson(403, { reason: 'VapidPkHashMismatch', message: endpoint }),
          'refused',
          'HTTP 403 VapidPkHashMismatch',
          `refused: HTTP 403 VapidPkHashMismatch: ${NEVER}`,
        ],
      ],
    } as const
    const endpoints = { fcm: [fcm, registration], apns: [apns, hex], webpush: [webpush, endpoint] } as const
    for (const provider of ['fcm', 'apns', 'webpush'] as const)
      for (const [answer, outcome, reason, line, retryAfter = null] of rows[provider]) {
        const [endpoint, token] = endpoints[provider]
        endpoint.next(token, answer, answer)
        const { code, out, err } = await tryOut(['--device', tokens[provider], '--json'])
        t.equal(code, 1)
        t.strictSame(JSON.parse(out), {
          ...{ provider, by: provider, outcome, retryAfter, reason },
          topic: null,
        })
        t.equal(err, `almoner: ${provider}: ${line}\n`)
        const asText = await tryOut(['--device', tokens[provider]])
        t.strictSame([asText.code, asText.out, asText.err], [1, '', err])
      }
  },
)

t.test('an APNs token that is not hexadecimal is rejected without a request', async (t) => {
  const before = apns.requests.length
  t.strictSame(await tryOut(['--device', 'apns:not-hexadecimal']), {
    code: 1,
    out: '',
    err: `almoner: apns: refused: no hexadecimal digits: ${NEVER}\n`,
  })
  t.equal(apns.requests.length, before)
})

t.test('F5: an unroutable token is wrong usage, and nothing is sent', async (t) => {
  const sent = () => fcm.requests.length + apns.requests.length + webpush.requests.length
  const before = sent()
  const elsewhere = JSON.stringify({ ...subscription, endpoint: 'https://elsewhere.example.org/0badc0de' })
  for (const [token, line] of [
    ['0badc0de', /^almoner: --device is of no known kind: [^\n]+\n$/],
    [elsewhere, /^almoner: --device is a subscription at a host that ALMONER_WEBPUSH_HOSTS does not list\n$/],
    ['', /^almoner: --device must [^\n]+\n$/],
    ['..', /^almoner: --device must [^\n]+\n$/],
  ] as const)
    t.match(await tryOut(['--device', token]), { code: 2, out: '', err: line })
  t.match(await tryOut(['--device', '0badc0de', 'a\u0000b']), {
    code: 2,
    err: /^almoner: --device [^\n]+\nalmoner: ID must [^\n]+\n$/,
  })
  t.equal(sent(), before)
  t.match(await tryOut(['--device', 'a-secret-registration'], { ALMONER_PUSH_DEFAULT: 'fcm' }), { code: 0 })
  t.equal(sent(), before + 1)
})

t.test('notification test: providers that ALMONER_PUSH does not name get nothing', async (t) => {
  t.match(await tryOut(['--device', tokens.apns], { ALMONER_PUSH: 'fcm,webpush' }), {
    code: 1,
    out: '',
    err: 'almoner: apns: not sent: ALMONER_PUSH does not name apns\n',
  })
  const file = join(t.testdir(), 'pushes.ndjson')
  t.match(await tryOut(['--device', tokens.apns], { ALMONER_PUSH: `file:${file}` }), {
    code: 0,
    out: 'apns: written into the file, and sent to no device\n',
  })
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.match(JSON.parse(readFileSync(file, 'utf8')), {
    provider: 'apns',
    message: { title: 'A test from Almoner' },
  })
  t.match(await tryOut(['--device', tokens.apns], { ALMONER_PUSH: 'file:/no/such/folder/a' }), {
    code: 1,
    err: 'almoner: ALMONER_PUSH must name a file that can be written, in a folder that is there\n',
  })
})

t.test('G6: a preview uses the largest size among the configured providers', async (t) => {
  const id = await schedule(folder, 2, { subtitle: O.some('in Bamako' as MessageText) })
  const bytesBy = async (ALMONER_PUSH: string): Promise<number> => {
    const { out } = await inProcess(['notification', 'preview', id, '--json'], { ...variables, ALMONER_PUSH })
    return JSON.parse(out).bytes
  }
  const alone = [await bytesBy('fcm'), await bytesBy('apns'), await bytesBy('webpush')]
  t.equal(new Set(alone).size, 3)
  t.equal(await bytesBy('fcm,apns,webpush'), Math.max(...alone))
})

t.test('unusable credentials stop every command that sends or measures', async (t) => {
  const bad = {
    ...variables,
    ALMONER_APNS_KEY_ID: '',
    ALMONER_FCM_CREDENTIALS: providers.write('bad.json', '['),
  }
  for (const args of [['review'], ['preview', 'some-id'], ['test', '--device', 'fcm:a']])
    t.strictSame(await inProcess(['notification', ...args], bad), {
      code: 1,
      out: '',
      err: [
        'almoner: ALMONER_FCM_CREDENTIALS must be a service-account file: it is no JSON\n',
        'almoner: ALMONER_APNS_KEY_ID must be set: ALMONER_PUSH names apns\n',
      ].join(''),
    })
  const others = { ...bad, ALMONER_PUSH: 'webpush' }
  t.match(
    await inProcess(['notification', 'review'], others),
    { code: 0 },
    'unconfigured providers need none',
  )
  t.match(await inProcess(['client', 'list'], bad), { code: 0 }, 'commands that send nothing need none')
})
