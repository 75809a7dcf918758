import type { ClientId, Email } from '@almoner/domain'
import { type IdempotencyKey, KEY_LIFE } from '@almoner/domain/access'
import { unavailable } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t, { type Test } from 'tap'
import { done, type Fixture, type FixtureOptions, startFixture } from '../support/fixture.ts'
import { isReplayed, keyed, shownBy } from '../support/idempotency.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import { FEED_ITEM, NOTIFICATION, newFeedItem } from '../support/samples.ts'
import { fileForm } from '../support/uploads.ts'

// `Idempotency-Key` outside the store (I4).

const startAlone = async (t: Test, options: FixtureOptions = {}): Promise<Fixture> => {
  const fixture = await startFixture(t.testdir(), { store: 'memory', ...options })
  t.teardown(fixture.stop)
  return fixture
}

const notify = (fixture: Fixture, key = 'k') =>
  fixture.call('POST', '/notification', keyed(key, { as: 'manager', json: NOTIFICATION }))

t.test(
  'I4: a repeat during the first request is 409, and another request with the same key 422',
  async (t) => {
    const [entered, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const fixture = await startAlone(t, {
      wrap: (ports) => ({
        ...ports,
        notifications: {
          ...ports.notifications,
          add: (notification, receipt) => async () => {
            entered.resolve()
            await released.promise
            return ports.notifications.add(notification, receipt)()
          },
        },
      }),
    })
    const first = notify(fixture)
    await entered.promise
    const repeat = await notify(fixture)
    t.equal(repeat.headers.get('retry-after'), '1')
    await seeProblem(t, repeat, 'idempotency_key_in_use')
    const other = { as: 'manager', json: { ...NOTIFICATION, title: 'Other' } } as const
    await seeProblem(
      t,
      await fixture.call('POST', '/notification', keyed('k', other)),
      'idempotency_key_reused',
    )
    released.resolve()
    t.equal((await first).status, 200)
    t.ok(isReplayed(await notify(fixture)))
  },
)

t.test('I4: a 5xx frees the key', async (t) => {
  let isDown = true
  const fixture = await startAlone(t, {
    wrap: (ports) => ({
      ...ports,
      notifications: {
        ...ports.notifications,
        add: (...given) =>
          isDown ? TE.left(unavailable(new Error('down'))) : ports.notifications.add(...given),
      },
    }),
  })
  await seeProblem(t, await notify(fixture), 'unavailable')
  isDown = false
  const answer = await notify(fixture)
  t.equal(answer.status, 200)
  t.notOk(isReplayed(answer))
})

t.test('I4: concurrent requests with one key on another node get the first one’s response', async (t) => {
  const fixture = await startAlone(t, {
    wrap: (ports) => {
      let looks = 0
      const { find } = ports.idempotencyKeys
      // The other node's write is committed between the look and the write.
      return {
        ...ports,
        idempotencyKeys: {
          ...ports.idempotencyKeys,
          find: (...given) => {
            looks += 1
            return looks === 2 ? TE.right(O.none) : find(...given)
          },
        },
      }
    },
  })
  const first = await shownBy(await notify(fixture))
  const second = await notify(fixture)
  t.ok(isReplayed(second))
  t.strictSame(await shownBy(second), first)
})

t.test('I4: a key keeps its response for 24 hours', async (t) => {
  const fixture = await startAlone(t)
  await notify(fixture)
  const at = (milliseconds: number) =>
    done(
      fixture.ports.idempotencyKeys.find(
        { clientId: 'manager' as ClientId, key: 'k' as IdempotencyKey },
        instant(milliseconds),
      ),
    )
  t.ok(O.isSome(await at(fixture.clock.now() + KEY_LIFE - 1)))
  t.ok(O.isNone(await at(fixture.clock.now() + KEY_LIFE)))
})

t.test('I4: token and scope are checked before the key', async (t) => {
  const fixture = await startAlone(t)
  await notify(fixture)
  const post = (as?: 'user') =>
    fixture.call('POST', '/notification', keyed('k', { ...(as && { as }), json: NOTIFICATION }))
  await seeProblem(t, await post(), 'invalid_token')
  await seeProblem(t, await post('user'), 'insufficient_scope')
})

t.test('I4: keys belong to their client', async (t) => {
  const fixture = await startAlone(t)
  for (const as of ['donor', 'manager'] as const)
    t.notOk(isReplayed(await fixture.call('POST', '/feed/', keyed('k', { as, json: FEED_ITEM }))))
})

t.test('I4, L1: after the responses about a user are deleted, their keys are unused', async (t) => {
  const fixture = await startAlone(t)
  const path = '/user/amina@example.org/notification/token'
  const send = () =>
    fixture.call('POST', path, keyed('k', { as: 'donor', json: { device_token: 'fcm:one' } }))
  await send()
  t.ok(isReplayed(await send()))
  t.equal(await done(fixture.ports.idempotencyKeys.forget('amina@example.org' as Email)), 1)
  t.notOk(isReplayed(await send()))
})

t.test('I4: a key has 1 to 255 ASCII characters; otherwise 400 names it with all other errors', async (t) => {
  const fixture = await startAlone(t)
  const post = (key: string, over = {}) =>
    fixture.call('POST', '/feed/', keyed(key, { as: 'donor', json: { ...FEED_ITEM, ...over } }))
  for (const key of ['k', '~ !', 'x'.repeat(255)]) t.equal((await post(key)).status, 200, key)
  for (const key of ['x'.repeat(256), 'cl\u00e9', 'a\tb']) {
    t.strictSame(fieldsOf(await seeProblem(t, await post(key), 'invalid_request')), ['Idempotency-Key'])
    const both = fieldsOf(await seeProblem(t, await post(key, { itemTitle: '' }), 'invalid_request'))
    t.strictSame([...both].sort(), ['Idempotency-Key', 'itemTitle'])
  }
})

t.test('I4: PUT and DELETE ignore the header', async (t) => {
  const fixture = await startAlone(t)
  const path = '/user/amina@example.org/notification'
  await fixture.call('POST', `${path}/token`, keyed('k', { as: 'donor', json: { device_token: 'fcm:one' } }))
  const put = await fixture.call(
    'PUT',
    `${path}/preference`,
    keyed('k', { as: 'donor', json: { lang: 'fr' } }),
  )
  const removed = await fixture.call(
    'DELETE',
    `${path}/token/fcm:one`,
    keyed('x'.repeat(300), { as: 'donor' }),
  )
  t.strictSame([put.status, removed.status], [200, 200])
  t.notOk(isReplayed(put) || isReplayed(removed))
})

t.test('I4: a stored response is replayed unchanged after the base URL has changed', async (t) => {
  const folder = t.testdir()
  const before = await startFixture(folder, { store: 'sqlite', baseUrl: 'https://old.example.org' })
  const path = `/feed/${await newFeedItem(before)}/media`
  const upload = (fixture: Fixture) =>
    fixture.call('POST', path, keyed('k', { as: 'manager', multipart: fileForm() }))
  const first = await shownBy(await upload(before))
  t.match(first.body, /old\.example\.org/)
  await before.stop()
  const after = await startFixture(folder, {
    store: 'sqlite',
    baseUrl: 'https://new.example.org',
    after: before,
  })
  t.teardown(after.stop)
  t.strictSame(await shownBy(await upload(after)), first)
})

t.test('I4: pages of other origins may send the key and read the replay header', async (t) => {
  const origin = 'https://app.example.org'
  const fixture = await startAlone(t, { corsOrigins: [origin] })
  const preflight = await fixture.call('OPTIONS', '/feed/', {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'idempotency-key',
    },
  })
  t.match(preflight.headers.get('access-control-allow-headers'), /idempotency-key/i)
  const answer = await fixture.call('POST', '/feed/', { as: 'donor', json: FEED_ITEM, headers: { origin } })
  t.match(answer.headers.get('access-control-expose-headers'), /Idempotency-Replayed/)
})
