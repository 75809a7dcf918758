import { DELIVERED, type PushResult, REFUSED, retry, UNREGISTERED } from '@almoner/domain/notifications'
import { memoryPushGateway } from '@almoner/testkit/memory'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { Fixture } from '../support/fixture.ts'
import * as items from '../support/items.ts'
import { deliveryOf, notify, review, seconds } from '../support/notifications.ts'
import { attach, detach, preferencePath, tokensOf } from '../support/people.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'

// G7: GET /notification/<id>/delivery, before any review and after one over the server's own stores.

const NOW = '2026-05-01T12:00:00.000Z'

const NOTHING = {
  recipients: 0,
  pending: 0,
  delivered: 0,
  failed: 0,
  dead: 0,
  skipped: 0,
  startedAt: '',
  finishedAt: '',
}

/** Tokens outlive the time that these tests let pass. */
const onEachStore = (t: Test, name: string, test: (t: Test, fixture: Fixture) => Promise<void>): void =>
  items.onEachStore(t, name, test, { policy: { tokenTtl: 100_000_000 } })

/** A provider that treats a device as the beginning of its token says. */
const scripted = (script: Readonly<Record<string, PushResult>> = {}) =>
  memoryPushGateway(({ destination }) => {
    const token = 'token' in destination ? destination.token : ''
    const found = Object.keys(script).find((beginning) => token.startsWith(beginning))
    return (found === undefined ? undefined : script[found]) ?? DELIVERED
  })

/** One user for each of these tokens. */
const devices = async (fixture: Fixture, tokens: ReadonlyArray<string>): Promise<void> => {
  for (const [n, token] of tokens.entries()) await attach(fixture, `user-${n}@example.org`, token)
}

onEachStore(t, 'G7: exactly these fields, counts as numbers, times as text', async (t, fixture) => {
  const { id } = await notify(fixture)
  const answer = await fixture.call('GET', `/notification/${id}/delivery`, { as: 'manager' })
  t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  const body = (await answer.json()) as { delivery: object }
  t.strictSame(body, { delivery: { notificationId: id, state: 'unscheduled', ...NOTHING } })
  t.strictSame(Object.keys(body.delivery), [
    'notificationId',
    'state',
    'recipients',
    'pending',
    'delivered',
    'failed',
    'dead',
    'skipped',
    'startedAt',
    'finishedAt',
  ])
})

onEachStore(t, 'G5: unscheduled without a date; scheduled until a review starts it', async (t, fixture) => {
  await devices(fixture, ['fcm:a'])
  const unscheduled = await notify(fixture)
  const later = await notify(fixture, { date: seconds(NOW) + 60 })
  const due = await notify(fixture, { date: seconds(NOW) })
  for (const { id } of [later, due])
    t.strictSame(await deliveryOf(fixture, id), { notificationId: id, state: 'scheduled', ...NOTHING })
  const { started } = await review(fixture)
  t.equal(started, 1)
  t.match(await deliveryOf(fixture, unscheduled.id), { state: 'unscheduled', ...NOTHING })
  t.match(await deliveryOf(fixture, later.id), { state: 'scheduled', ...NOTHING })
  fixture.clock.advance(60_000)
  await review(fixture)
  t.match(await deliveryOf(fixture, later.id), { state: 'sent', startedAt: '2026-05-01T12:01:00.000Z' })
  fixture.clock.advance(1_000_000_000)
  await review(fixture)
  t.match(await deliveryOf(fixture, unscheduled.id), { state: 'unscheduled', ...NOTHING })
})

onEachStore(t, 'G7: sent, to the devices of subscribed readers of its language', async (t, fixture) => {
  await devices(fixture, ['fcm:a', 'fcm:b', 'fcm:c', 'fcm:d'])
  const prefer = (n: number, json: object) =>
    fixture.call('PUT', preferencePath(`user-${n}@example.org`), { as: 'userManager', json })
  await prefer(1, { lang: 'fr' })
  await prefer(2, { subscribed: false })
  const { id, date } = await notify(fixture, { date: seconds(NOW) - 5 })
  t.equal(date, '2026-05-01 11:59:55', 'a past date is due at once (G2)')
  await review(fixture)
  t.strictSame(await deliveryOf(fixture, id), {
    notificationId: id,
    state: 'sent',
    ...NOTHING,
    recipients: 2,
    delivered: 2,
    startedAt: NOW,
    finishedAt: NOW,
  })
})

onEachStore(t, 'G7: dead and skipped devices, or no recipient at all, count as sent', async (t, fixture) => {
  const withoutRecipients = await notify(fixture, { lang: 'fr', date: 0 })
  await devices(fixture, ['fcm:dead', 'fcm:b'])
  const { id } = await notify(fixture, { date: 0 })
  await review(fixture, scripted({ dead: UNREGISTERED }))
  t.match(await deliveryOf(fixture, withoutRecipients.id), {
    ...NOTHING,
    state: 'sent',
    startedAt: NOW,
    finishedAt: NOW,
  })
  t.match(await deliveryOf(fixture, id), { state: 'sent', recipients: 2, dead: 1, delivered: 1 })
  t.strictSame(await tokensOf(fixture, 'user-0@example.org'), [], 'G5: the dead token is detached')
})

onEachStore(t, 'G7: partial with failures and deliveries, failed with failures only', async (t, fixture) => {
  await devices(fixture, ['fcm:refused', 'fcm:b', 'of no known kind'])
  const partial = await notify(fixture, { date: 0 })
  await review(fixture, scripted({ refused: REFUSED }))
  t.match(
    await deliveryOf(fixture, partial.id),
    { state: 'partial', recipients: 3, failed: 2, delivered: 1 },
    'unroutable devices count as failed',
  )
  await detach(fixture, 'user-1@example.org', 'fcm:b')
  const failed = await notify(fixture, { date: 0 })
  await review(fixture, scripted({ refused: REFUSED }))
  t.match(await deliveryOf(fixture, failed.id), { state: 'failed', recipients: 2, failed: 2, pending: 0 })
})

onEachStore(t, 'G7: sending while devices wait for a retry; they are pending', async (t, fixture) => {
  await devices(fixture, ['fcm:busy', 'fcm:b'])
  const { id } = await notify(fixture, { date: 0 })
  const { retries: again } = await review(fixture, scripted({ busy: retry() }))
  t.equal(again, 1)
  t.match(await deliveryOf(fixture, id), {
    state: 'sending',
    recipients: 2,
    pending: 1,
    delivered: 1,
    startedAt: NOW,
    finishedAt: '',
  })
  fixture.clock.advance(3_600_000)
  await review(fixture)
  t.match(await deliveryOf(fixture, id), {
    state: 'sent',
    pending: 0,
    delivered: 2,
    startedAt: NOW,
    finishedAt: '2026-05-01T13:00:00.000Z',
  })
})

onEachStore(
  t,
  'G4: a device that was detached, moved or unsubscribed before its push is skipped',
  async (t, fixture) => {
    await devices(fixture, ['fcm:busy-0', 'fcm:busy-1', 'fcm:busy-2', 'fcm:busy-3'])
    const { id } = await notify(fixture, { date: 0 })
    await review(fixture, scripted({ busy: retry() }))
    await detach(fixture, 'user-0@example.org', 'fcm:busy-0')
    await attach(fixture, 'other@example.org', 'fcm:busy-1')
    const json = { subscribed: false }
    await fixture.call('PUT', preferencePath('user-2@example.org'), { as: 'userManager', json })
    fixture.clock.advance(3_600_000)
    await review(fixture)
    t.match(await deliveryOf(fixture, id), {
      state: 'sent',
      recipients: 4,
      skipped: 3,
      delivered: 1,
      pending: 0,
    })
  },
)

onEachStore(
  t,
  'G3: deleting a notification that is being sent stops its remaining pushes',
  async (t, fixture) => {
    await devices(fixture, ['fcm:a', 'fcm:b', 'fcm:c', 'fcm:d', 'fcm:e'])
    const { id } = await notify(fixture, { date: 0 })
    const gateway = memoryPushGateway(async () => {
      await fixture.call('DELETE', `/notification/${id}`, { as: 'manager' })
      return DELIVERED
    })
    await review(fixture, gateway, 1)
    t.equal(gateway.pushes().length, 1, 'one was in flight')
    await review(fixture, gateway, 1)
    t.equal(gateway.pushes().length, 1)
  },
)

onEachStore(
  t,
  'G6: include=shortened adds what was left out, and nothing else changes',
  async (t, fixture) => {
    await devices(fixture, ['fcm:a'])
    const text = async (id: string, query = {}) =>
      (await fixture.call('GET', `/notification/${id}/delivery`, { as: 'manager', query })).text()
    const unscheduled = await notify(fixture)
    const short = await notify(fixture, { date: 0 })
    await review(fixture)
    const grown = await notify(fixture, { date: 0 })
    await review(fixture, { ...memoryPushGateway(), bytesOf: () => 4097 })
    for (const [{ id }, shortened] of [
      [unscheduled, ''],
      [short, ''],
      [grown, 'links'],
    ] as const) {
      const plain = await text(id)
      const added = `${plain.slice(0, -2)},"shortened":"${shortened}"}}`
      t.equal(await text(id, { include: '' }), plain, 'B2: empty is absent')
      t.notMatch(plain, /shortened/)
      for (const include of ['shortened', 'shortened,shortened']) t.equal(await text(id, { include }), added)
    }
  },
)

onEachStore(t, 'G6: an unknown name in include is 400, which names the field', async (t, fixture) => {
  const { id } = await notify(fixture)
  const names = fc.array(
    fc.constantFrom('shortened', 'Shortened', ' shortened', '', 'labels', 'state', '__proto__'),
    { minLength: 1, maxLength: 4 },
  )
  const isKnown = (include: string) => include === '' || /^shortened(,shortened)*$/.test(include)
  await fc.assert(
    fc.asyncProperty(names, async (all) => {
      const include = all.join(',')
      fc.pre(!isKnown(include))
      const answer = await fixture.call('GET', `/notification/${id}/delivery`, {
        as: 'manager',
        query: { include },
      })
      t.same(fieldsOf(await seeProblem(t, answer, 'invalid_request', include)), ['include'])
    }),
    { numRuns: 20 },
  )
})

onEachStore(t, 'G7: an unknown or deleted notification is 404', async (t, fixture) => {
  const { id } = await notify(fixture, { date: 0 })
  await review(fixture)
  t.equal((await deliveryOf(fixture, id)).state, 'sent')
  await fixture.call('DELETE', `/notification/${id}`, { as: 'manager' })
  for (const unknown of [id, 'unknown', 'a%2Fb']) {
    const answer = await fixture.call('GET', `/notification/${unknown}/delivery`, { as: 'manager' })
    t.match((await seeProblem(t, answer, 'not_found', unknown)).detail, /notification/)
  }
})
