import { done } from '@almoner/domain/contracts'
import t, { type Test } from 'tap'
import { makeChangeStreams } from '../../src/console/change-streams.ts'
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

t.test('M4: a stream ends with its session, however it ends, and does not put the end off', async (t) => {
  const { fixture } = await start(t)
  for (const [how, end] of Object.entries({
    'sign-out': async (cookie: string) => {
      await fixture.call('DELETE', '/console/api/session', { headers: { cookie, ...OWN_PAGE } })
    },
    'a change of duty': async () => {
      await done(fixture.ports.managers.change(EDITOR, { duty: 'operator' }))
    },
    'the idle end': async () => fixture.clock.advance(8 * 3_600_000),
  })) {
    const events = await listen(fixture, await signIn(fixture, 'editor'))
    await end(await signIn(fixture, 'editor'))
    if (how === 'sign-out') await done(fixture.ports.sessions.endAll(EDITOR))
    t.match(await events.rest(), /^(?::\n\n)+$/, how)
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

t.test('a stream ends whose session cannot be checked, and nothing follows its end', async (t) => {
  // The timer of streams alone keeps no process alive.
  const alive = setInterval(() => {}, 1000)
  t.teardown(() => clearInterval(alive))
  let version = 0
  const streams = makeChangeStreams({
    version: () => {
      version += 1
      return version
    },
    interval: 1,
  })
  const fault = new Error('a fault of the store')
  const stream = streams.open({ manager: 'a', isCurrent: () => Promise.reject(fault) })
  const text = (await stream?.setEncoding('utf8').toArray())?.join('')
  t.match(text, /^:\n\n(?:event: change\ndata: changed\n\n)+$/)
})
