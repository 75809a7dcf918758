import type { TokenDigest } from '@almoner/domain/access'
import { instant } from '@almoner/domain/values'
import { done, sampleDigest, samplePassword } from '@almoner/testkit/contracts'
import t, { type Test } from 'tap'
import { makeChangeStreams, type StreamParts } from '../../src/console/change-streams.ts'
import { type ConsoleFixture, EDITOR, OWN_PAGE, signIn, startConsole } from '../support/console.ts'
import type { FixtureOptions } from '../support/fixture.ts'
import { seeProblem } from '../support/problems.ts'
import { newLibraryItem } from '../support/samples.ts'

const CHANGE = 'event: change\ndata: changed\n\n'

const start = async (t: Test, options: FixtureOptions = {}) => {
  const fixture = await startConsole(t.testdir(), { store: 'sqlite', ...options })
  t.teardown(fixture.stop)
  return { fixture, cookie: await signIn(fixture, 'editor') }
}

/** Opens a stream of events. `until` resolves with all text up to one that it waits for, `rest` with the text up to the end. */
const listen = async (fixture: ConsoleFixture, cookie: string) => {
  const response = await fixture.call('GET', '/console/api/events', { headers: { cookie } })
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<boolean> => {
    const { value, done } = await reader.read()
    text += value ?? ''
    return !done
  }
  return {
    response,
    until: async (part: string) => {
      while (!text.includes(part)) if (!(await next())) throw new Error(`ended with ${text}`)
      text = ''
    },
    rest: async () => {
      while (await next());
      return text
    },
    leave: () => reader.cancel(),
  }
}

t.test('M7: pages learn of changes by all writers, and of no others', async (t) => {
  const { fixture, cookie } = await start(t)
  const events = await listen(fixture, cookie)
  t.equal(events.response.status, 200)
  t.equal(events.response.headers.get('content-type'), 'text/event-stream')
  t.equal(events.response.headers.get('cache-control'), 'no-store')
  await events.until(':\n\n')
  await newLibraryItem(fixture)
  await events.until(CHANGE)
  const put = await fixture.call('PUT', '/console/api/copies/new-1', {
    json: { contentType: 'feed', fields: '{}' },
    headers: { cookie, ...OWN_PAGE },
  })
  t.equal(put.status, 200, 'a working copy changes nothing for others')
  await done(fixture.ports.managers.change(EDITOR, { disabled: true }))
  t.notMatch(await events.rest(), /change/)
})

/** The ways in which a session ends. */
const ENDS: Readonly<Record<string, (fixture: ConsoleFixture, cookie: string) => Promise<unknown>>> = {
  'sign-out in another tab': (fixture, cookie) =>
    fixture.call('DELETE', '/console/api/session', { headers: { cookie, ...OWN_PAGE } }),
  'sign-out of all others': async (fixture) => {
    const other = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
    await fixture.call('DELETE', '/console/api/sessions', { headers: other })
  },
  'an operator': ({ ports }) => done(ports.sessions.endAll(EDITOR)),
  disabling: ({ ports }) => done(ports.managers.change(EDITOR, { disabled: true })),
  'a change of duty': ({ ports }) => done(ports.managers.change(EDITOR, { duty: 'operator' })),
  'another password': ({ ports }) => done(ports.passwords.set({ ...samplePassword(), email: EDITOR })),
  'the idle end': async ({ clock }) => clock.advance(8 * 3_600_000),
  'the absolute end': async ({ ports, clock }) => {
    const [session] = await done(ports.sessions.of(EDITOR, clock.now()))
    if (session === undefined) throw new Error('no session')
    await done(ports.sessions.touch({ ...session, idleEndsAt: instant(session.endsAt + 1) }))
    clock.advance(session.endsAt - clock.now())
  },
  erasure: ({ ports, clock }) => done(ports.personalData.erase(EDITOR, clock.now())),
}

for (const store of ['sqlite', 'postgres'] as const)
  t.test(`A9: a stream ends with its session, however that ends, ${store}`, async (t) => {
    const { fixture } = await start(t, { store })
    for (const [how, end] of Object.entries(ENDS)) {
      const cookie = await signIn(fixture, 'editor')
      const events = await listen(fixture, cookie)
      await end(fixture, cookie)
      t.match(await events.rest(), /^(?::\n\n|event: change\ndata: changed\n\n)+$/, how)
      if (how === 'disabling') await done(fixture.ports.managers.change(EDITOR, { disabled: false }))
    }
  })

t.test('M5: events need a session; HEAD has no body', async (t) => {
  const { fixture, cookie } = await start(t)
  await seeProblem(t, await fixture.call('GET', '/console/api/events'), 'invalid_session')
  const token = { authorization: `Bearer ${await fixture.token('manager')}` }
  t.equal((await fixture.call('GET', '/console/api/events', { headers: token })).status, 401)
  const head = await fixture.call('HEAD', '/console/api/events', { headers: { cookie } })
  t.same([head.status, await head.text()], [200, ''])
})

t.test('a manager may have ten streams at a time', async (t) => {
  const { fixture, cookie } = await start(t)
  const streams = []
  for (let n = 0; n < 10; n += 1) streams.push(await listen(fixture, cookie))
  const refused = await fixture.call('GET', '/console/api/events', { headers: { cookie } })
  await seeProblem(t, refused, 'too_many_requests')
  const other = await listen(fixture, await signIn(fixture, 'operator'))
  t.equal(other.response.status, 200, 'another manager')
  await streams[0]?.leave()
  for (;;) {
    const again = await listen(fixture, cookie)
    await again.leave()
    if (again.response.status === 200) break
  }
  t.pass('a stream that is closed makes room')
})

t.test('a server that is closed does not wait for streams', { timeout: 30_000 }, async (t) => {
  const { fixture, cookie } = await start(t)
  const events = await listen(fixture, cookie)
  await Promise.all([fixture.app.close(), events.rest()])
  t.pass('both have ended')
})

t.test('a server that is replaced ends its streams with their connections', async (t) => {
  const { fixture, cookie } = await start(t)
  const events = await listen(fixture, cookie)
  t.equal(events.response.headers.get('connection'), 'close')
  void fixture.shutdown.stopAccepting()
  await events.rest()
  t.pass('the stream has ended')
})

t.test('a draining server ends its streams, and those that are opened again', async (t) => {
  const { fixture, cookie } = await start(t)
  const events = await listen(fixture, cookie)
  fixture.shutdown.startDraining()
  await events.rest()
  const again = await listen(fixture, cookie)
  t.same([again.response.status, await again.rest()], [200, ':\n\n'])
})

/** A look at sessions that waits for the test, as many streams as it opens, and the ticks until now. */
const opened = async (t: Test, current: StreamParts['current']) => {
  // The timer of streams alone keeps no process alive.
  const alive = setInterval(() => {}, 1000)
  t.teardown(() => clearInterval(alive))
  let ticks = 0
  const streams = makeChangeStreams({
    version: () => {
      ticks += 1
      return ticks
    },
    current,
    interval: 1,
  })
  const stream = streams.open({ manager: 'a', session: sampleDigest(1) })
  // The first look at the version is that of the opening.
  return {
    streams,
    text: async () => (await stream?.setEncoding('utf8').toArray())?.join(''),
    ticks: () => ticks - 1,
  }
}

for (const [what, current] of Object.entries<StreamParts['current']>({
  fails: () => Promise.reject(new Error('a fault of the store')),
  'never answers': () => new Promise(() => {}),
}))
  t.test(
    `A9: a stream ends within five seconds if the store ${what}, and nothing follows its end`,
    async (t) => {
      const { text, ticks } = await opened(t, current)
      t.match(await text(), /^:\n\n(?:event: change\ndata: changed\n\n){3}$/)
      t.ok(ticks() <= 4, 'a tick is a second')
    },
  )

t.test(
  'A9: one query looks up the sessions of all streams, and a stream goes on after a failed one',
  async (t) => {
    const asked: Array<ReadonlyArray<TokenDigest>> = []
    const { streams, text } = await opened(t, async (digests) => {
      asked.push(digests)
      if (asked.length % 2 === 1) throw new Error('a fault of the store')
      return new Set(asked.length < 8 ? digests : [])
    })
    streams.open({ manager: 'b', session: sampleDigest(1) })
    streams.open({ manager: 'c', session: sampleDigest(2) })
    await text()
    t.same(asked[7], [sampleDigest(1), sampleDigest(2)])
    t.equal(asked.length, 8)
  },
)
