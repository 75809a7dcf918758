import type { Ports } from '@almoner/domain'
import { unavailable } from '@almoner/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { failingAccess, failingStores, INSIDE, type Mode } from '../support/failing.ts'
import { startFixture } from '../support/fixture.ts'
import { lineAbout } from '../support/log-lines.ts'
import { seeProblem } from '../support/problems.ts'
import { concretePaths, leastFor, newLibraryItem, PARAMETERS, sendingOwn } from '../support/samples.ts'

const upload = (): FormData => {
  const form = new FormData()
  form.set('itemUploadMedia', new File(['x'], 'x.png'))
  return form
}

for (const [mode, code] of [
  ['throws', 'internal_error'],
  ['rejects', 'internal_error'],
  ['unavailable', 'unavailable'],
  ['loses commits', 'outcome_unknown'],
] as const)
  t.test(
    `I1, I5: a store that ${mode} is ${code} on every route, reveals nothing, and is logged`,
    async (t) => {
      let now: Mode = 'works'
      const fixture = await startFixture(t.testdir(), { store: 'memory', wrap: failingStores(() => now) })
      t.teardown(fixture.stop)
      for (const who of ['user', 'donor', 'manager', 'userManager'] as const) await fixture.token(who)
      now = mode
      for (const { route, address } of concretePaths({ library: 'x', feed: 'x' })) {
        if (mode === 'loses commits' && route.method === 'GET') continue
        const own = route.upload === undefined ? sendingOwn(route) : { multipart: upload() }
        const send = { as: leastFor(route), ...own }
        const response = await fixture.call(route.method, address, send)
        t.equal(
          response.headers.get('retry-after'),
          mode === 'unavailable' ? '5' : null,
          'Retry-After only if nothing has changed (I5)',
        )
        const text = JSON.stringify(await seeProblem(t, response, code, route.operation))
        if (mode !== 'unavailable') t.notMatch(text, /nothing has changed/i)
        t.notMatch(text, /inside|SELECT|almoner\.db|srv|at \w+ \(/, 'reveals nothing internal')
        const line = await lineAbout(fixture.lines, response)
        t.match(
          line,
          { level: 50, status: response.status, route: route.path, err: { message: INSIDE } },
          'the log has it',
        )
      }
      now = 'works'
      t.equal(
        (await fixture.call('GET', '/library/', { as: 'user' })).status,
        200,
        'the server continues afterwards',
      )
    },
  )

t.test(
  'I1: if the caller cannot be identified, the response is 503 or 500, before anything else',
  async (t) => {
    let now: Mode = 'works'
    const fixture = await startFixture(t.testdir(), { store: 'memory', wrap: failingAccess(() => now) })
    t.teardown(fixture.stop)
    await fixture.token('user')
    now = 'unavailable'
    const busy = await fixture.call('GET', '/library/', { as: 'user' })
    t.equal(busy.headers.get('retry-after'), '5')
    await seeProblem(t, busy, 'unavailable')
    now = 'throws'
    const failed = await fixture.call('GET', '/library/', { as: 'user' })
    await seeProblem(t, failed, 'internal_error')
    t.match(await lineAbout(fixture.lines, failed), { level: 50, err: { message: INSIDE } })
  },
)

t.test('A4, I1: an internal error at the OAuth endpoints has their format and is logged', async (t) => {
  let now: Mode = 'works'
  const fixture = await startFixture(t.testdir(), { store: 'memory', wrap: failingAccess(() => now) })
  t.teardown(fixture.stop)
  const form = {
    grant_type: 'client_credentials',
    client_id: 'user',
    client_secret: fixture.secrets.user ?? '',
    token: 'x',
  }
  for (const path of ['/oauth2/get-token', '/oauth2/revoke'])
    for (const [mode, status, error] of [
      ['unavailable', 503, 'temporarily_unavailable'],
      ['throws', 500, 'server_error'],
      ['rejects', 500, 'server_error'],
    ] as const) {
      now = mode
      const response = await fixture.call('POST', path, { form })
      const text = await response.text()
      t.match([response.status, JSON.parse(text)], [status, { error }], `${path} ${mode}`)
      t.equal(response.headers.get('retry-after'), status === 503 ? '5' : null)
      t.equal(response.headers.get('cache-control'), 'no-store')
      t.notMatch(text, /inside|SELECT/)
      t.match(await lineAbout(fixture.lines, response), { level: 50, err: { message: INSIDE } })
    }
  now = 'unavailable'
  for (let made = 0; made < 20; made += 1) await fixture.call('POST', '/oauth2/get-token', { form })
  now = 'works'
  t.equal(
    (await fixture.call('POST', '/oauth2/get-token', { form })).status,
    200,
    'an internal error is not a failed attempt (A8)',
  )
})

/** A library whose listing gives that many batches of one item and then breaks. */
const breaking =
  (batchesBefore: number) =>
  (ports: Ports): Ports => ({
    ...ports,
    libraryItems: {
      ...ports.libraryItems,
      list: (query, window) => async () => {
        const listing = await ports.libraryItems.list(query, window)()
        if (listing._tag === 'Left') return listing
        const batches = (async function* () {
          for await (const batch of listing.right.batches)
            for (let given = 0; given < batchesBefore; given += 1) yield batch
          throw new Error(INSIDE)
        })()
        return { _tag: 'Right', right: { batches, next: listing.right.next } }
      },
    },
  })

t.test('I1: a collection that fails at its beginning is a problem', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory', wrap: breaking(1) })
  t.teardown(fixture.stop)
  await newLibraryItem(fixture)
  const response = await fixture.call('GET', '/library/', { as: 'manager' })
  await seeProblem(t, response, 'internal_error')
  t.match(await lineAbout(fixture.lines, response), { level: 50, err: { message: INSIDE } })
})

t.test('I1: a collection that fails midway is aborted, not ended as if complete, and logged', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory', wrap: breaking(2_000) })
  t.teardown(fixture.stop)
  await newLibraryItem(fixture)
  const response = await fixture.call('GET', '/library/', { as: 'manager' })
  t.equal(response.status, 200, 'the body had begun')
  await t.rejects(response.text(), 'the body has no proper end')
  t.match(await lineAbout(fixture.lines, response), { level: 50, err: { message: INSIDE } })
  t.equal((await fixture.call('GET', '/health/live')).status, 200)
})

t.test('I1: a failing image checker or media store is 503, and nothing changes', async (t) => {
  let media = false
  const fixture = await startFixture(t.testdir(), {
    store: 'memory',
    wrap: (ports) => ({
      ...ports,
      imageChecker: {
        check: (bytes) =>
          media
            ? TE.right({ type: 'image/png', bytes, size: { width: 400, height: 560 } })
            : TE.left(unavailable(new Error(INSIDE))),
      },
      mediaStore: { ...ports.mediaStore, put: () => TE.left(unavailable(new Error(INSIDE))) },
    }),
  })
  t.teardown(fixture.stop)
  const id = await newLibraryItem(fixture)
  for (const step of ['checker', 'store']) {
    media = step === 'store'
    const response = await fixture.call('POST', `/library/${id}/media/cover`, {
      as: 'manager',
      multipart: upload(),
    })
    t.equal(response.headers.get('retry-after'), '5')
    await seeProblem(t, response, 'unavailable', step)
  }
  const read = await fixture.call('GET', `/library/${id}`, { as: 'manager' })
  t.match(await read.json(), { items: [{ item: { coverImgUrl: '', itemId: id } }] })
})

t.test('I1: an image that vanishes during an edit is an internal error', async (t) => {
  const fixture = await startFixture(t.testdir(), {
    store: 'memory',
    wrap: (ports) => ({
      ...ports,
      feedItems: {
        ...ports.feedItems,
        change: () => TE.left({ _tag: 'ImageMissing', name: 'gone.png' as never }),
      },
    }),
  })
  t.teardown(fixture.stop)
  const json = PARAMETERS['updateFeedItem']
  const response = await fixture.call('POST', '/feed/x', { as: 'manager', json })
  const problem = await seeProblem(t, response, 'internal_error')
  t.notMatch(JSON.stringify(problem), /gone/)
  t.match(await lineAbout(fixture.lines, response), { level: 50 })
})
