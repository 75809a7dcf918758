import type { ClientId } from '@almoner/domain'
import type { ContentType } from '@almoner/domain/history'
import fc from 'fast-check'
import t from 'tap'
import { done, type Fixture, startFixture, type Who } from '../support/fixture.ts'
import { create, createLive, IMAGES, onServer, SENT, update } from '../support/items.ts'

// Cached responses: none is older than the last write, and none shows hidden data (A3, A5, A6, C9).

/** Header fields that differ in each response. */
const OWN = new Set(['date', 'x-request-id'])

const tell = async (answer: Response) => ({
  status: answer.status,
  headers: [...answer.headers].filter(([name]) => !OWN.has(name)),
  body: await answer.text(),
})

const CALLERS = ['user', 'donor', 'userManager', 'manager', 'admin'] as const

type Ids = Readonly<Record<ContentType, ReadonlyArray<string>>>

const read = fc.record({
  kind: fc.constant('read' as const),
  as: fc.constantFrom(...CALLERS),
  /** The whole list, a page of it, one item, or its labels. */
  what: fc.constantFrom('', '?lim=2', '?lim=2&offset=1', '?lang=fr', '/:id', '/:id/label', '/label'),
})
const write = fc.record({
  kind: fc.constant('write' as const),
  /** Made by the server with the cache, or by another process on the same database. */
  elsewhere: fc.boolean(),
  status: fc.constantFrom('Draft', 'Live', 'Archived'),
  isDonorRestricted: fc.constantFrom('0', '1'),
  lang: fc.constantFrom('en', 'fr'),
  label: fc.constantFrom('none', 'attach', 'detach'),
})
const step = fc.record({
  contentType: fc.constantFrom<ContentType>('library', 'feed'),
  which: fc.nat({ max: 1 }),
  what: fc.oneof({ weight: 3, arbitrary: read }, { weight: 1, arbitrary: write }),
})

type Written = typeof write extends fc.Arbitrary<infer W> ? W : never

const perform = async (
  fixture: Fixture,
  contentType: ContentType,
  itemId: string,
  { label, ...over }: Written,
) => {
  const { status, isDonorRestricted, lang } = over
  const images = contentType === 'library' ? IMAGES : {}
  await update(fixture, contentType, itemId, {
    ...SENT[contentType],
    ...images,
    status,
    isDonorRestricted,
    lang,
  })
  const [path, json] = [`/${contentType}/${itemId}/label`, { labelId: 'water' }]
  if (label === 'attach') await fixture.call('POST', path, { as: 'manager', json })
  if (label === 'detach') await fixture.call('DELETE', `${path}/water`, { as: 'manager' })
}

t.test(
  'every response equals that of a server without a cache, after any write and for any caller',
  async (t) => {
    const folder = t.testdir()
    const keeping = await startFixture(folder)
    const plain = await startFixture(folder, { after: keeping, keep: 0 })
    const ids: Ids = {
      library: [(await create(plain, 'library')).itemId, (await createLive(plain, 'library')).itemId],
      feed: [(await create(plain, 'feed')).itemId, (await createLive(plain, 'feed')).itemId],
    }
    const ask = (fixture: Fixture, as: Who, path: string) => fixture.call('GET', path, { as }).then(tell)
    const compare = async (as: Who, path: string) => {
      const kept = await ask(keeping, as, path)
      t.strictSame(kept, await ask(plain, as, path), `${as}: ${path}`)
      t.strictSame(await ask(keeping, as, path), kept, 'and again')
    }

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
        for (const { contentType, which, what } of steps) {
          const itemId = ids[contentType][which] ?? ''
          if (what.kind === 'read')
            await compare(what.as, `/${contentType}${what.what.replace(':id', itemId)}`)
          else await perform(what.elsewhere ? plain : keeping, contentType, itemId, what)
        }
      }),
      { numRuns: 12 },
    )
    await plain.stop()
    await keeping.stop()
  },
)

onServer(
  t,
  'A5, A6: a revoked, disabled or expired token is rejected despite cached responses',
  async (t, fixture) => {
    const status = async (token: string) =>
      (await fixture.call('GET', '/library/?lim=1', { query: { access_token: token } })).status
    const fresh = async (who: Who) => {
      const form = {
        grant_type: 'client_credentials',
        client_id: who,
        client_secret: fixture.secrets[who] ?? '',
      }
      const answer = await fixture.call('POST', '/oauth2/get-token', { form })
      return ((await answer.json()) as { access_token: string }).access_token
    }
    const [revoked, disabled, over] = [await fresh('user'), await fresh('donor'), await fresh('manager')]
    for (const token of [revoked, disabled, over, revoked, disabled, over]) t.equal(await status(token), 200)

    const form = { token: revoked, client_id: 'user', client_secret: fixture.secrets.user ?? '' }
    t.equal((await fixture.call('POST', '/oauth2/revoke', { form })).status, 200)
    t.equal(await status(revoked), 401, 'revoked')
    await done(fixture.ports.clients.setDisabled('donor' as ClientId, true))
    t.equal(await status(disabled), 401, 'the client is disabled')
    fixture.clock.advance(3_599_999)
    t.equal(await status(over), 200, 'until its last millisecond')
    fixture.clock.advance(1)
    t.equal(await status(over), 401, 'over')
  },
)

onServer(
  t,
  'C9: under an embargo an item appears at midnight without any write',
  async (t, fixture) => {
    await createLive(fixture, 'library', { itemPublicationDate: '2026-05-02' })
    const seen = async () => {
      const answer = await fixture.call('GET', '/library/', { as: 'user' })
      return ((await answer.json()) as { items: ReadonlyArray<unknown> }).items.length
    }
    fixture.clock.set(Date.UTC(2026, 4, 1, 23, 59, 59, 999) as never)
    t.equal(await seen(), 0)
    t.equal(await seen(), 0)
    fixture.clock.advance(1)
    t.equal(await seen(), 1)
  },
  { policy: { embargo: true, tokenTtl: 100_000 } },
)

onServer(
  t,
  'A5: two tokens in one request are rejected, even if each was accepted before',
  async (t, fixture) => {
    const [query, path] = [{ access_token: await fixture.token('user') }, '/library/?lim=1']
    for (const send of [{ query }, { as: 'user' as const }, { query }, { as: 'user' as const }])
      t.equal((await fixture.call('GET', path, send)).status, 200)
    t.equal((await fixture.call('GET', path, { query, as: 'user' })).status, 400)
  },
)

t.test(
  'A6: a client that is disabled while its request arrives is rejected from the next request on',
  async (t) => {
    let [version, armed] = [1, false]
    const fixture = await startFixture(t.testdir(), {
      store: 'memory',
      keep: 1024 * 1024,
      versions: {
        version: (of) => {
          const before = version
          if (armed && of?.length === 1 && of[0] === 'access') {
            armed = false
            void fixture.ports.clients.setDisabled('user' as ClientId, true)()
            version += 1
          }
          return before
        },
      },
    })
    t.teardown(fixture.stop)
    const status = async (path: string) => (await fixture.call('GET', path, { as: 'user' })).status
    t.equal(await status('/library/'), 200)
    armed = true
    t.equal(await status('/library/?lang=en'), 200, 'this request was in time')
    t.notOk(armed, 'the client has been disabled meanwhile')
    t.equal(await status('/library/?lang=en'), 401)
  },
)
