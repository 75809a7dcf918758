import { readdirSync } from 'node:fs'
import { storeOn } from '@almoner/adapters-postgres/testing'
import type { Ports } from '@almoner/domain'
import { type LostOfCommit, sharedCluster, startProxy } from '@almoner/postgres-server'
import t, { type Test } from 'tap'
import { startFixture } from '../support/fixture.ts'
import { isReplayed, keyed, shownBy } from '../support/idempotency.ts'
import { itemsIn } from '../support/items.ts'
import { NOTIFICATION, newLibraryItem } from '../support/samples.ts'
import { fileForm } from '../support/uploads.ts'

// A proxy in front of PostgreSQL drops the responses to commits (I5).

type Reached = Pick<Ports, 'libraryItems' | 'knownImages' | 'notifications' | 'idempotencyKeys'>

/** Ports that are those of another store once there is one. */
const reachedBy = (ports: Ports, reached: () => Partial<Reached>): Ports => ({
  ...ports,
  ...(Object.fromEntries(
    (['libraryItems', 'knownImages', 'notifications', 'idempotencyKeys'] as const).map((name) => [
      name,
      new Proxy(ports[name], {
        get: (target, call) => Reflect.get(reached()[name] ?? target, call),
      }),
    ]),
  ) as unknown as Reached),
})

/** A server that reaches its database through a proxy, which loses the same of each of the next commits. */
const startBehindProxy = async (t: Test) => {
  let reached: Partial<Reached> = {}
  const fixture = await startFixture(t.testdir(), {
    store: 'postgres',
    wrap: (ports) => reachedBy(ports, () => reached),
  })
  for (const who of ['manager', 'user'] as const) await fixture.token(who)
  const proxy = await startProxy(await sharedCluster())
  const { pathname } = new URL((fixture.database ?? '').replace(/@[^/]*\//, '@localhost/'))
  const store = await storeOn(proxy.url(pathname.slice(1)))
  reached = store
  t.teardown(async () => {
    await store.close()
    await proxy.close()
    await fixture.stop()
  })
  let left: ReadonlyArray<LostOfCommit> = []
  proxy.loseOfCommits(() => {
    const [lost = 'nothing', ...others] = left
    left = others
    return lost
  })
  const lose = (...what: ReadonlyArray<LostOfCommit>) => {
    left = what
  }
  return { fixture, lose, lost: () => left.length === 0 }
}

t.test('I5: a POST whose commit response is lost creates one notification', async (t) => {
  const { fixture, lose, lost } = await startBehindProxy(t)
  for (const what of ['answer', 'statement'] as const) {
    lose(what)
    const answer = await fixture.call('POST', '/notification', { as: 'manager', json: NOTIFICATION })
    t.equal(answer.status, 200, what)
    t.ok(lost(), 'the response to a commit was lost')
  }
  const listed = await fixture.call('GET', '/notification', { as: 'manager' })
  t.equal(((await listed.json()) as { notifications: ReadonlyArray<unknown> }).notifications.length, 2)
})

t.test('I4, I5: with a key, the request and its repeat return the same notification', async (t) => {
  const { fixture, lose } = await startBehindProxy(t)
  const post = () => fixture.call('POST', '/notification', keyed('k', { as: 'manager', json: NOTIFICATION }))
  lose('answer')
  const first = await shownBy(await post())
  t.equal(first.status, 200)
  const repeat = await post()
  t.ok(isReplayed(repeat))
  t.strictSame(await shownBy(repeat), first)
})

t.test(
  'D5, I5: an upload whose commit response is lost stores one image, which the item displays',
  async (t) => {
    const { fixture, lose, lost } = await startBehindProxy(t)
    const itemId = await newLibraryItem(fixture)
    lose('answer')
    const upload = await fixture.call('POST', `/library/${itemId}/media/cover`, {
      as: 'manager',
      multipart: fileForm(),
    })
    t.equal(upload.status, 200)
    t.ok(lost(), 'the response to a commit was lost')
    const [item] = await itemsIn(await fixture.call('GET', `/library/${itemId}`, { as: 'manager' }))
    const { pathname } = new URL(item?.coverImgUrl ?? '')
    t.equal((await fixture.call('GET', pathname)).status, 200, 'no broken image link')
    t.equal(readdirSync(fixture.mediaFolder).filter((name) => name.endsWith('.png')).length, 1)
  },
)
