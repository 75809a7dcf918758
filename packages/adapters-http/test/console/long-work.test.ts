import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClientId, Email, Ports } from '@almoner/domain'
import { done } from '@almoner/testkit/contracts'
import t, { type Test } from 'tap'
import { EDITOR, OWN_PAGE, signIn, startConsole } from '../support/console.ts'
import type { StoreName } from '../support/fixture.ts'
import { look } from '../support/items.ts'
import { seeProblem } from '../support/problems.ts'
import { newLibraryItem } from '../support/samples.ts'
import { fileForm, storedIn } from '../support/uploads.ts'

// A9: rights are looked up again by work that waits after the request's own look.

/** A gate in a port, which is open until the test closes it. */
const makeGate = () => {
  let closed: { readonly reached: () => void; readonly opened: Promise<void> } | undefined
  return {
    pass: async () => {
      closed?.reached()
      await closed?.opened
    },
    /** Resolves once something waits at the gate, with the function that opens it. */
    close: () => {
      const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      closed = { reached: reached.resolve, opened: opened.promise }
      return reached.promise.then(() => () => {
        closed = undefined
        opened.resolve()
      })
    },
  }
}

/** A server whose image checks, portfolio, lists of items and reads of people wait at a gate. */
const start = async (t: Test, store: StoreName) => {
  const gate = makeGate()
  const after =
    <A extends ReadonlyArray<unknown>, B>(call: (...given: A) => () => Promise<B>) =>
    (...given: A) =>
    async () => {
      await gate.pass()
      return call(...given)()
    }
  const wrap = (ports: Ports): Ports => ({
    ...ports,
    imageChecker: { check: after(ports.imageChecker.check) },
    portfolio: { ...ports.portfolio, content: after(ports.portfolio.content) },
    libraryItems: { ...ports.libraryItems, list: after(ports.libraryItems.list) },
    personalData: {
      ...ports.personalData,
      search: after(ports.personalData.search),
      find: after(ports.personalData.find),
    },
    devices: { ...ports.devices, audience: after(ports.devices.audience) },
  })
  const fixture = await startConsole(t.testdir(), { store, wrap, keep: 1024 * 1024 })
  t.teardown(fixture.stop)
  return { ...fixture, gate }
}

const portfolioForm = (): FormData => {
  const form = new FormData()
  for (const [name, text] of [
    ['portfolio.json', '{"name":"Ours"}'],
    ['sectors.json', '[]'],
    ['organizations.json', '[]'],
    ['datasets.csv', 'id,year,beneficiaries,staffHeadcount,budget,budgetCurrency\n'],
  ] as const)
    form.append('files', new Blob([text]), `ours/${name}`)
  return form
}

for (const store of ['sqlite', 'postgres'] as const)
  t.test(`A9: long work looks rights up again before its effect, ${store}`, async (t) => {
    const fixture = await start(t, store)
    const { gate, call, ports, clock } = fixture
    const itemId = await newLibraryItem(fixture)
    const setDisabled = (disabled: boolean) =>
      done(ports.clients.setDisabled('manager' as ClientId, disabled))

    await t.test('A9: an upload that waited for its check changes nothing, and leaves no file', async (t) => {
      const before = await look(fixture, 'library', itemId)
      const headers = { 'idempotency-key': 'an upload' }
      const path = `/library/${itemId}/media/cover`
      const reached = gate.close()
      const answer = call('POST', path, { as: 'manager', headers, multipart: fileForm() })
      const open = await reached
      await setDisabled(true)
      open()
      await seeProblem(t, await answer, 'invalid_token')
      await setDisabled(false)
      t.strictSame(await look(fixture, 'library', itemId), before)
      t.same(await storedIn(fixture), [])
      const again = await call('POST', path, { as: 'manager', headers, multipart: fileForm() })
      t.equal(again.status, 200, 'the key is free')
    })

    await t.test('A9: neither a review nor a load of a portfolio outlives its session', async (t) => {
      const before = await done(ports.portfolio.content())
      const send = async (path: string) => {
        const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
        return call('POST', `/console/api/portfolio/${path}`, { headers, multipart: portfolioForm() })
      }
      const { review } = (await (await send('review')).json()) as {
        review: { plan: { fingerprint: string } }
      }
      const load = `load?fingerprint=${encodeURIComponent(review.plan.fingerprint)}`
      for (const [path, end, code] of [
        ['review', () => done(ports.sessions.endAll(EDITOR)), 'invalid_session'],
        [load, () => done(ports.sessions.endAll(EDITOR)), 'invalid_session'],
        [load, async () => clock.advance(5 * 60_000), 'presence_required'],
      ] as const) {
        const reached = gate.close()
        const answer = send(path)
        const open = await reached
        await end()
        open()
        await seeProblem(t, await answer, code)
      }
      t.strictSame(await done(ports.portfolio.content()), before)
    })

    await t.test('A9: reads by POST show nothing to a session that ended meanwhile', async (t) => {
      await done(ports.users.prefer('amina@example.org' as Email, {}))
      const send = (cookie: string, path: string, json: object) =>
        call('POST', `/console/api/${path}`, { headers: { cookie, ...OWN_PAGE }, json })
      const found = await send(await signIn(fixture, 'operator'), 'users/search', { address: 'amina@' })
      const [{ number }] = ((await found.json()) as { users: [{ user: { number: number } }] }).users.map(
        ({ user }) => user,
      ) as [{ number: number }]
      for (const [path, json] of [
        ['users/search', { address: 'amina@' }],
        [`users/${number}/export`, {}],
        ['notifications/preview', { title: 'Hi', description: 'x', lang: 'en' }],
      ] as const) {
        const cookie = await signIn(fixture, 'operator')
        const reached = gate.close()
        const answer = send(cookie, path, json)
        const open = await reached
        await done(ports.sessions.endAll('operator@example.org' as Email))
        open()
        const response = await answer
        await seeProblem(t, response, 'invalid_session', path)
      }
    })

    await t.test(
      'A9: a read that waited is answered by the rights of now, also from the cache',
      async (t) => {
        const read = () => call('GET', '/library/', { as: 'manager', query: { lim: '5' } })
        for (const [wait, status] of [
          [2000, 200],
          [2001, 401],
        ] as const) {
          const reached = gate.close()
          const first = read()
          const open = await reached
          // The second one waits for the response to the first.
          const arrived = once(fixture.app.server, 'request')
          const second = read()
          await arrived
          await nextTurn()
          await setDisabled(true)
          clock.advance(wait)
          open()
          t.equal((await first).status, status, `after ${wait} ms`)
          const { status: ofSecond } = await second
          if (status === 401) t.equal(ofSecond, status, 'the response to the other')
          await setDisabled(false)
        }
        const reached = gate.close()
        const answer = read()
        const open = await reached
        clock.advance(60_000)
        open()
        t.equal((await answer).status, 200, 'a read whose caller still has the right')
      },
    )
  })
