import fc from 'fast-check'
import t from 'tap'
import { digestOf } from '../../src/idempotency.ts'
import { startFixture } from '../support/fixture.ts'
import { isReplayed, keyed, shownBy } from '../support/idempotency.ts'
import { FEED_ITEM, NOTIFICATION } from '../support/samples.ts'

// For any request: a replay equals the first response, and only the same request has the same digest (I4).

const word = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter((text) => text.trim() !== '')
const lang = fc.constantFrom('en', 'fr')

const post = fc
  .record({ itemTitle: word, itemDescription: word, lang })
  .map((over) => ({ path: '/feed/', json: { ...FEED_ITEM, ...over } }))
const notification = fc
  .record({ title: word, lang, subtitle: fc.option(word, { nil: undefined }) })
  .map((over) => ({ path: '/notification', json: { ...NOTIFICATION, ...over } }))
const device = word.map((token) => ({
  path: '/user/amina@example.org/notification/token',
  json: { device_token: `fcm:${token}` },
}))

t.test('I4: replays equal the first response', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'sqlite' })
  t.teardown(fixture.stop)
  let keys = 0
  const again = async ({
    path,
    json,
  }: {
    readonly path: string
    readonly json: unknown
  }): Promise<boolean> => {
    keys += 1
    const as = path.startsWith('/user') ? 'donor' : 'manager'
    const send = () => fixture.call('POST', path, keyed(`key ${keys}`, { as, json }))
    const [first, second] = [await send(), await send()]
    // Only executed requests are replayed; rejected ones are rejected again.
    if (isReplayed(second) !== (first.status === 200)) return false
    if (first.status !== 200) return second.status === first.status
    return JSON.stringify(await shownBy(first)) === JSON.stringify(await shownBy(second))
  }
  await fc.assert(fc.asyncProperty(fc.oneof(post, notification, device), again), { numRuns: 60 })
  t.ok(keys >= 60)
})

const requests = fc.record({
  method: fc.constant('POST'),
  path: fc.constantFrom('/feed/', '/feed/:itemId'),
  query: fc.dictionary(fc.constantFrom('a', 'b'), word, { maxKeys: 2, noNullPrototype: true }),
  ifMatch: fc.option(word, { nil: undefined }),
  parameters: fc.dictionary(fc.constantFrom('c', 'd'), word, { maxKeys: 2, noNullPrototype: true }),
  upload: fc.option(fc.uint8Array({ maxLength: 4 }), { nil: undefined }),
})

const backwards = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(record).reverse())

t.test('I4: the order of names and the token do not affect the digest; everything else does', async (t) => {
  const plain = (one: object) => JSON.stringify(fc.stringify(one))
  fc.assert(
    fc.property(requests, word, (one, token) => {
      const query = { ...backwards(one.query), access_token: token }
      return digestOf({ ...one, query, parameters: backwards(one.parameters) }) === digestOf(one)
    }),
  )
  fc.assert(
    fc.property(requests, requests, (one, other) => {
      const same = [one, other].map(({ query, parameters, ...rest }) =>
        plain([rest, Object.entries(query).sort(), Object.entries(parameters).sort()]),
      )
      return (digestOf(one) === digestOf(other)) === (same[0] === same[1])
    }),
  )
  t.pass()
})
