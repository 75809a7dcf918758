import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MessageText } from '@almoner/domain/notifications'
import { deferred, fcmError, replyJson } from '@almoner/push-providers'
import * as O from 'fp-ts/lib/Option.js'
import t, { type Test } from 'tap'
import { almoner, logLines, serve } from '../support/almoner.ts'
import { call } from '../support/asking.ts'
import { addClient, get, tokenOf } from '../support/client.ts'
import { DEFAULT_DATABASE, onStore } from '../support/database.ts'
import { inFolder, inProcess } from '../support/in-process.ts'
import { withProviders } from '../support/providers.ts'
import { progressIn, READER, tokenOf as readersToken, schedule, withDevices } from '../support/readers.ts'

/** One review at the start, and no other during a test. */
const ONCE = { ALMONER_REVIEW_EVERY: '3600' }

const TEXTS = {
  title: 'Wells' as MessageText,
  subtitle: O.some('in Bamako' as MessageText),
  description: O.some('They give water' as MessageText),
}

/** A server and a client that may attach devices and schedule. */
const served = async (t: Test, folder: string, variables: Readonly<Record<string, string>>) => {
  const client = await addClient(folder, 'app', 'content-manager', 'user-manager')
  const server = await serve(folder, [], { ALMONER_REVIEW_EVERY: '1', ...variables })
  t.teardown(() => server.signal('SIGKILL'))
  const { access_token } = await tokenOf(server.url, client)
  const post = async (path: string, fields: Readonly<Record<string, string>>) => {
    const headers = { authorization: `Bearer ${access_token}` }
    const body = new URLSearchParams(fields)
    const answer = await call(`${server.url}${path}`, { method: 'POST', headers, body })
    return { status: answer.status, json: JSON.parse(await answer.text()) }
  }
  const report = async (id: string) => {
    const answer = await get(`${server.url}/notification/${id}/delivery`, access_token)
    return ((await answer.json()) as { delivery: { state: string } }).delivery
  }
  return { server, post, report }
}

t.test('G5, G6: a due notification reaches a device of each kind, with its text and data', async (t) => {
  const folder = t.testdir()
  const { fcm, apns, webpush, variables, tokens, secrets, subscription } = await withProviders(t, folder)
  const { server, post, report } = await served(t, folder, variables)
  for (const device_token of Object.values(tokens))
    t.equal((await post(`/user/${READER}/notification/token`, { device_token })).status, 200)
  const { json } = await post('/notification', {
    lang: 'en',
    title: TEXTS.title,
    subtitle: 'in Bamako',
    description: 'They give water',
    resource_type: 'Library',
    date: '1700000000',
  })
  const { id } = json.notification
  await server.logged('"delivered":3')
  const tooLong = { lang: 'en', title: 'Wells', description: 'x'.repeat(3900), resource_type: 'Library' }
  t.match(await post('/notification', tooLong), {
    status: 400,
    json: { errors: [{ field: 'title' }, { field: 'description' }] },
  })

  const data = {
    notificationId: id,
    lang: 'en',
    resourceType: 'Library',
    resourceId: '',
    actionUrl: '',
    visualUrl: '',
    iconUrl: '',
    color: '#1F4E79',
  }
  t.equal(fcm.requests.length, 1)
  t.match(fcm.requests[0], {
    refusal: undefined,
    body: { message: { token: 'a-secret-registration', notification: { title: 'Wells' }, data } },
  })
  t.equal(apns.requests.length, 1)
  t.match(apns.requests[0], {
    refusal: undefined,
    token: '0badc0de'.repeat(8),
    body: {
      aps: { alert: { title: 'Wells', subtitle: 'in Bamako', body: 'They give water' } },
      ...data,
    },
  })
  t.equal(webpush.requests.length, 1)
  t.match(webpush.requests[0], { refusal: undefined, token: subscription.endpoint })
  t.match(JSON.parse(webpush.requests[0]?.text ?? ''), { notification: { title: 'Wells', data } })

  t.match(await report(id), { state: 'sent', recipients: 3, delivered: 3, failed: 0, dead: 0, pending: 0 })
  const { code, err } = await server.stop()
  t.equal(code, 0)
  for (const secret of [...secrets, READER]) t.notOk(err.includes(secret))
})

t.test('SIGTERM during a request to a provider: its response is awaited and recorded', async (t) => {
  const folder = t.testdir()
  const { fcm, variables } = await withProviders(t, folder)
  await withDevices(folder, 1)
  const id = await schedule(folder, 1)
  const slow = deferred(replyJson(200, { name: 'projects/p/messages/1' }))
  fcm.otherwise(slow.answer)
  const server = await serve(folder, [], { ...variables, ...ONCE })
  await slow.arrived
  server.signal('SIGTERM')
  await server.logged('"msg":"stopping"')
  slow.release()
  t.equal((await server.ended).code, 0)
  t.match(await onStore(folder, (store) => progressIn(store, id)), { tally: { delivered: 1 } })
})

t.test(
  'G5: push pause holds for a server that is sending: it finishes the pushes in flight only',
  async (t) => {
    const folder = t.testdir()
    const { fcm, variables } = await withProviders(t, folder)
    await withDevices(folder, 50)
    const id = await schedule(folder, 1)
    const slow = deferred(replyJson(200, { name: 'projects/p/messages/1' }))
    fcm.otherwise(slow.answer)
    const server = await serve(folder, [], { ...variables, ...ONCE, ALMONER_PUSH_WINDOW: '10' })
    t.teardown(() => server.signal('SIGKILL'))
    await slow.arrived
    t.equal((await inFolder(folder, ['push', 'pause', 'fcm'])).code, 0)
    slow.release()
    await server.logged('"job":"review"')
    const sent = fcm.requests.length
    t.ok(sent >= 1 && sent <= 10, `${sent} pushes: the in-flight limit at most, and no push after it`)
    t.match(await onStore(folder, (store) => progressIn(store, id)), {
      tally: { delivered: sent, failed: 0 },
    })
    t.equal((await server.stop()).code, 0)
  },
)

t.test('notification review sends through the providers too, and leaves nothing open', async (t) => {
  const folder = t.testdir()
  const { fcm, variables } = await withProviders(t, folder)
  await withDevices(folder, 3)
  await schedule(folder, 1, TEXTS)
  const gone = readersToken(1).slice('fcm:'.length)
  fcm.next(gone, fcmError('UNREGISTERED'))
  const place = { ALMONER_DATABASE: `sqlite:${join(folder, DEFAULT_DATABASE)}` }
  const { code, out, err } = await inProcess(['notification', 'review', '--json'], { ...variables, ...place })
  t.strictSame([code, err], [0, ''])
  const answers = [{ provider: 'fcm', result: 'Unregistered', reason: 'UNREGISTERED', count: 1 }]
  t.match(JSON.parse(out), { started: 1, delivered: 2, dead: 1, failed: 0, sending: 0, answers })
  t.equal(fcm.requests.length, 3)
})

t.test('responses of providers to rejected pushes are logged without tokens', async (t) => {
  const folder = t.testdir()
  const { fcm, variables } = await withProviders(t, folder)
  await withDevices(folder, 4)
  await schedule(folder, 1, TEXTS)
  const [first = '', second = '', third = ''] = [0, 1, 2].map((n) => readersToken(n).slice('fcm:'.length))
  fcm.next(first, fcmError('THIRD_PARTY_AUTH_ERROR', 3600))
  fcm.next(second, fcmError('SENDER_ID_MISMATCH'))
  fcm.next(third, fcmError('SENDER_ID_MISMATCH'))
  const server = await serve(folder, [], { ...variables, ...ONCE })
  await server.logged('"job":"review"')
  const { err } = await server.stop()
  t.match(
    logLines(err).filter(({ msg }) => msg === 'pushes not taken'),
    [
      {
        answers: [
          { provider: 'fcm', result: 'SenderError', reason: 'SENDER_ID_MISMATCH', count: 2 },
          { provider: 'fcm', result: 'SenderError', reason: 'THIRD_PARTY_AUTH_ERROR', count: 1 },
        ],
      },
    ],
  )
  for (const token of [first, second, third]) t.notOk(err.includes(token))
})

t.test(
  'missing and bad credentials stop the start, all reported together, before a database is created',
  async (t) => {
    const folder = t.testdir()
    const { variables, write, secrets } = await withProviders(t, folder)
    const spoilt = {
      ...variables,
      ALMONER_FCM_CREDENTIALS: write(
        'spoilt.json',
        '{"type":"service_account","private_key":"a-secret-key"}',
      ),
      ALMONER_APNS_KEY: join(folder, 'no-such-key.p8'),
      ALMONER_APNS_TEAM_ID: '',
      ALMONER_VAPID_PRIVATE_KEY: 'A'.repeat(43),
      ALMONER_PUSH_CA: write('empty.pem', ''),
    }
    const { code, out, err } = await almoner(folder, ['serve'], spoilt)
    t.strictSame([code, out], [1, ''])
    t.strictSame(err.split('\n'), [
      'almoner: ALMONER_PUSH_CA must be a file of certificates, PEM: it holds none',
      'almoner: ALMONER_FCM_CREDENTIALS must be a service-account file: it lacks project_id',
      'almoner: ALMONER_FCM_CREDENTIALS must be a service-account file: it lacks client_email',
      'almoner: ALMONER_FCM_CREDENTIALS must be a service-account file: its private_key is no RSA private key',
      'almoner: ALMONER_APNS_KEY must be the path of a file that can be read: it is not there',
      'almoner: ALMONER_APNS_TEAM_ID must be set: ALMONER_PUSH names apns',
      'almoner: ALMONER_VAPID_PUBLIC_KEY, ALMONER_VAPID_PRIVATE_KEY, ALMONER_VAPID_SUBJECT: The VAPID keys are no pair.',
      '',
    ])
    for (const secret of [...secrets, 'a-secret-key', folder]) t.notOk(err.includes(secret))
    t.notOk(existsSync(join(folder, 'data')))
  },
)

t.test(
  'ALMONER_PUSH=file: each push is a line in a file for its owner only, with data that a log must not have',
  async (t) => {
    const folder = t.testdir()
    await withDevices(folder, 2)
    const id = await schedule(folder, 1, TEXTS)
    const server = await serve(folder, [], { ...ONCE, ALMONER_PUSH: 'file:pushes.ndjson' })
    await server.logged('"job":"review"')
    const { code, err } = await server.stop()
    t.equal(code, 0)
    t.match(await onStore(folder, (store) => progressIn(store, id)), { tally: { delivered: 2 } })
    t.strictSame(
      logLines(err).filter(({ msg }) => msg === 'push'),
      [],
    )
    const lines = logLines(readFileSync(join(folder, 'pushes.ndjson'), 'utf8'))
    t.strictSame(
      lines.map(({ token }) => token).toSorted(),
      [0, 1].map((n) => readersToken(n).slice('fcm:'.length)),
    )
    t.match(lines[0], {
      notificationId: id,
      provider: 'fcm',
      message: { title: 'Wells', body: 'They give water' },
    })
    t.notOk(err.includes('a-secret-token'))
  },
)

t.test('clients of providers are loaded only if they are used', async (t) => {
  const program = join(import.meta.dirname, '../../src/cli/program.ts')
  const script = `
    const { registerHooks } = await import('node:module')
    const loaded = []
    const load = (url, context, next) => {
      loaded.push(url)
      return next(url, context)
    }
    registerHooks({ load })
    const clients = () => ['jose', 'undici'].filter((name) =>
      loaded.some((url) => url.includes('/node_modules/' + name + '/')))
    await import(${JSON.stringify(program)})
    const before = clients()
    await import('@almoner/adapters-push/webpush')
    console.log(JSON.stringify({ before, after: clients() }))`
  const args = ['--input-type=module', '-e', script]
  const printed = execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' })
  const { before, after } = JSON.parse(printed)
  t.strictSame(before, [])
  t.strictSame(after, ['jose', 'undici'], 'loaded ones are detected')
})

t.test('F1: a VAPID contact that Apple refuses is named at the start', async (t) => {
  const folder = t.testdir()
  const { variables } = await withProviders(t, folder)
  const ALMONER_VAPID_SUBJECT = 'mailto:push@almoner.local'
  const { server } = await served(t, folder, { ...variables, ...ONCE, ALMONER_VAPID_SUBJECT })
  const { err } = await server.stop()
  const line = logLines(err).find(({ msg }) => /Apple refuses/.test(String(msg)))
  t.match(line, { level: 'warn', setting: 'ALMONER_VAPID_SUBJECT', host: 'almoner.local' })
})
