import { unregistered } from '@almoner/domain/notifications'
import { type DeviceKind, type DeviceToken, recognise } from '@almoner/domain/people'
import { done, sampleDevice, sampleEmail } from '@almoner/testkit/contracts'
import { type MemoryPushGateway, memoryPushGateway } from '@almoner/testkit/memory'
import t from 'tap'
import { type ConsoleFixture, EDITOR, OWN_PAGE, onBoth, signIn, startConsole } from '../support/console.ts'

import { deliveryOf, listed, notify, review, seconds } from '../support/notifications.ts'
import { seeProblem } from '../support/problems.ts'
import { newLibraryItem } from '../support/samples.ts'

const TEXT = { lang: 'en', title: 'Six wells' }

/** Calls routes of the console as the editor. */
const asEditor = async (fixture: ConsoleFixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const send = (method: string, path: string, json?: object) =>
    fixture.call(method, `/console/api${path}`, { headers, ...(json && { json }) })
  const preview = async (draft: object) => {
    const answer = await send('POST', '/notifications/preview', draft)
    return ((await answer.json()) as { preview: Preview }).preview
  }
  return { send, preview }
}

interface Preview {
  readonly bytes: number
  readonly most: number
  readonly smallerLimits: ReadonlyArray<object>
  readonly recipients: ReadonlyArray<{ readonly kind: string; readonly devices: number }>
  readonly errors: ReadonlyArray<{ readonly field: string; readonly message: string }>
}

const countsOf = (recipients: Preview['recipients']) =>
  Object.fromEntries(recipients.map(({ kind, devices }) => [kind, devices]))

onBoth('G7: the schedule has the notifications of some days with their state', async (t, fixture) => {
  const { send } = await asEditor(fixture)
  const schedule = async (from: string, to: string) =>
    (await send('GET', `/notifications?from=${from}&to=${to}`)).json()
  await done(fixture.ports.devices.attach(sampleDevice(1)))
  const sent = await notify(fixture, { title: 'Sent', date: seconds('2026-05-01T00:00:00Z') })
  await notify(fixture, { title: 'Later', lang: 'fr', date: seconds('2026-05-31T23:59:59Z') })
  await notify(fixture, { title: 'June', date: seconds('2026-06-01T00:00:00Z') })
  await notify(fixture, { title: 'Never' })
  await review(fixture)
  t.match(await schedule('2026-05-01', '2026-05-31'), {
    schedule: {
      notifications: [
        { lang: 'fr', title: 'Later', sendAt: '2026-05-31T23:59:59.000Z', state: 'scheduled' },
        { notificationId: sent.id, title: 'Sent', state: 'sent', recipients: 1, pending: 0 },
      ],
      complete: true,
    },
  })
  t.match(await schedule('2026-06-01', '9999-12-31'), { schedule: { notifications: [{ title: 'June' }] } })
  t.same(await schedule('2026-06-02', '2026-06-01'), { schedule: { notifications: [], complete: true } })
  t.equal((await send('GET', '/notifications?from=2026-02-30&to=x')).status, 400)
})

onBoth('G6: a preview has the sizes for services that take less than others', async (t, fixture) => {
  const { preview } = await asEditor(fixture)
  t.match(await preview(TEXT), { smallerLimits: [] })
  const smaller = { service: 'firefox-android', bytes: 3071, most: 3070 }
  Object.assign(fixture.ports.pushGateway, { smallerLimits: () => [smaller] })
  t.match(await preview(TEXT), { smallerLimits: [smaller], errors: [] }, 'others take it')
})

onBoth('G6: a preview says what creating the notification would refuse', async (t, fixture) => {
  const { send, preview } = await asEditor(fixture)
  t.match(await preview({ lang: 'en', title: ' ' }), { errors: [{ field: 'title', message: 'is required' }] })
  const { bytes, most } = await preview(TEXT)
  const fits = { ...TEXT, description: 'x'.repeat(most - bytes) }
  t.match(await preview(fits), { bytes: 4096, errors: [] })
  t.equal((await send('POST', '/notification', { ...fits, resource_type: 'Library' })).status, 200)
  const large = { ...fits, description: `${fits.description}x` }
  const { errors } = await preview(large)
  t.match(errors, [{ field: 'title', message: /4097/ }, { field: 'description' }])
  const refused = await send('POST', '/notification', { ...large, resource_type: 'Library' })
  t.equal(refused.status, 400)
  t.same(((await refused.json()) as Preview).errors, errors)
  t.equal((await send('POST', '/notifications/preview', { ...TEXT, resource_id: 'unknown' })).status, 404)
})

onBoth('G3: a notification is withdrawn until it is started, and never half-way', async (t, fixture) => {
  const { send } = await asEditor(fixture)
  await done(fixture.ports.devices.attach(sampleDevice(1)))
  const resource_id = await newLibraryItem(fixture)
  const draft = { ...TEXT, subtitle: 'In six villages', resource_id, date: seconds('2026-05-01T00:00:00Z') }
  const [first, second] = [await notify(fixture, draft), await notify(fixture, TEXT)]
  t.same(await (await send('GET', `/notifications/${first.id}`)).json(), {
    notification: {
      notificationId: first.id,
      lang: 'en',
      title: 'Six wells',
      subtitle: 'In six villages',
      description: '',
      sendAt: '2026-05-01T00:00:00.000Z',
      resourceId: resource_id,
      labelId: '',
      state: 'scheduled',
    },
  })
  await review(fixture)
  const refused = await send('DELETE', `/notifications/${first.id}`)
  t.equal(refused.status, 409)
  await seeProblem(t, refused, 'notification_started')
  t.match(await deliveryOf(fixture, first.id), { state: 'sent', delivered: 1 })
  t.equal((await send('DELETE', `/notifications/${second.id}`)).status, 200)
  t.match(await listed(fixture), [{ id: first.id }])
  for (const method of ['GET', 'DELETE'])
    t.equal((await send(method, `/notifications/${second.id}`)).status, 404)
})

onBoth('M4: a push to few devices needs no proof of presence', async (t, fixture) => {
  const { send } = await asEditor(fixture)
  await done(fixture.ports.devices.attach(sampleDevice(1)))
  fixture.clock.advance(5 * 60_000)
  const json = { ...TEXT, resource_type: 'Library', date: seconds('2026-06-01T00:00:00Z') }
  t.equal((await send('POST', '/notification', json)).status, 200)
})

onBoth('a test goes to one device of the manager, and leaves nothing behind', async (t, fixture) => {
  const { send } = await asEditor(fixture)
  const gateway = fixture.ports.pushGateway as MemoryPushGateway
  const own = sampleDevice(1, { email: EDITOR })
  await done(fixture.ports.devices.attach(sampleDevice(2)))
  t.same(await (await send('GET', '/notifications/devices')).json(), { devices: [] })
  t.equal((await send('POST', '/notifications/test', { ...TEXT, device: 1 })).status, 404)
  await done(fixture.ports.devices.attach(own))
  t.same(await (await send('GET', '/notifications/devices')).json(), {
    devices: [{ device: { number: 1, kind: 'fcm', attachedAt: new Date(own.attachedAt).toISOString() } }],
  })
  const answer = await send('POST', '/notifications/test', { ...TEXT, device: 1 })
  t.same(await answer.json(), { test: { outcome: 'delivered', reason: '', topic: null } })
  t.match(gateway.pushes(), [{ destination: recognise(own.token), message: { title: 'Six wells' } }])
  t.equal(gateway.pushes().length, 1)
  t.equal((await send('POST', '/notifications/test', { ...TEXT, device: 2 })).status, 404)
})

t.test('a test that a provider calls dead detaches no device', async (t) => {
  const wrap: NonNullable<Parameters<typeof startConsole>[1]>['wrap'] = (ports) => ports
  const fixture = await startConsole(t.testdir(), { wrap })
  t.teardown(fixture.stop)
  await done(fixture.ports.devices.attach(sampleDevice(1, { email: EDITOR })))
  Object.assign(
    fixture.ports.pushGateway,
    memoryPushGateway(() => unregistered('gone')),
  )
  const { send } = await asEditor(fixture)
  const answer = await send('POST', '/notifications/test', { ...TEXT, device: 1 })
  t.same(await answer.json(), { test: { outcome: 'unregistered', reason: 'gone', topic: null } })
  t.match(await (await send('GET', '/notifications/devices')).json(), {
    devices: [{ device: { number: 1 } }],
  })
})

/** Tokens of each kind, as {@link recognise} tells them. */
const TOKENS = {
  fcm: (n: number) => `fcm:token-${n}`,
  apns: (n: number) => n.toString(16).padStart(64, '0'),
  unroutable: (n: number) => `unknown-${n}`,
} as const

/** The n-th of many devices, with a kind, a language and a subscription that do not depend on each other. */
const deviceOf = (n: number) => {
  const kind: keyof typeof TOKENS = n % 41 === 0 ? 'unroutable' : n % 3 === 0 ? 'apns' : 'fcm'
  const person = sampleEmail(n % 7000)
  return { person, device: sampleDevice(n, { email: person, kind, token: TOKENS[kind](n) as DeviceToken }) }
}

/** Writes at once as many as the database queues. */
const inChunks = async <A>(all: ReadonlyArray<A>, write: (one: A, at: number) => Promise<unknown>) => {
  for (let from = 0; from < all.length; from += 500)
    await Promise.all(all.slice(from, from + 500).map((one, at) => write(one, from + at)))
}

t.test(
  'G4: of 10,000 devices, the recipients shown before are those that are fixed and sent to',
  async (t) => {
    const fixture = await startConsole(t.testdir(), { store: 'sqlite' })
    t.teardown(fixture.stop)
    const { devices, users } = fixture.ports
    const all = Array.from({ length: 10_000 }, (_, n) => deviceOf(n))
    await inChunks(all, ({ device }) => done(devices.attach(device)))
    const preferring = all.slice(0, 7000).filter((_, n) => n % 5 < 3)
    await inChunks(preferring, ({ person }, n) =>
      done(users.prefer(person, { lang: n % 2 === 0 ? 'fr' : 'en', subscribed: n % 7 > 0 })),
    )
    const { preview, send } = await asEditor(fixture)
    for (const lang of ['en', 'fr'] as const) {
      const shown = countsOf((await preview({ ...TEXT, lang })).recipients)
      const { id } = await notify(fixture, { ...TEXT, lang, date: seconds('2026-05-01T00:00:00Z') })
      const gateway = memoryPushGateway()
      await review(fixture, gateway, 1000)
      const sent: Partial<Record<DeviceKind, number>> = {}
      for (const { destination } of gateway.pushes())
        sent[destination.provider] = (sent[destination.provider] ?? 0) + 1
      const { recipients, failed } = await deliveryOf(fixture, id)
      t.same({ ...sent, unroutable: failed }, shown, lang)
      t.equal(
        recipients,
        Object.values(shown).reduce((sum, count) => sum + count, 0),
      )
      t.ok(recipients > 1000)
    }
    fixture.clock.advance(5 * 60_000)
    const large = { ...TEXT, resource_type: 'Library', date: seconds('2026-06-01T00:00:00Z') }
    const refused = await send('POST', '/notification', large)
    t.equal(refused.status, 403, 'M4: a large push needs a recent proof of presence')
    await seeProblem(t, refused, 'presence_required')
    const never = await send('POST', '/notification', { ...large, date: '' })
    t.equal(never.status, 200, 'a notification without a time is never sent')
    t.equal((await fixture.call('POST', '/notification', { as: 'manager', json: large })).status, 200)
  },
)
