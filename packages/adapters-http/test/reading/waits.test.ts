import { once } from 'node:events'
import type { ClientId } from '@almoner/domain/values'
import { fastify } from 'fastify'
import t from 'tap'
import { watchResponses } from '../../src/metrics/responses.ts'
import { contextOf, decorateRequest } from '../../src/request-context.ts'
import { type Found, makeWaits, type WaitLimits, waitOf } from '../../src/waits.ts'
import { done, type Fixture, startFixture } from '../support/fixture.ts'
import { createLive } from '../support/items.ts'
import { seeProblem } from '../support/problems.ts'

/** Lets everything run that waits for nothing but promises. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Waits on a clock that a test advances, for a store whose only content is a number. */
const makeStand = (limits: Partial<WaitLimits> = {}) => {
  const state = { time: 0, stored: 0, looks: 0, asked: 0, isDown: false }
  let sleeping: Array<{ readonly until: number; readonly wake: () => void }> = []
  const waits = makeWaits<number>({
    limits: { ofAddress: 1000, total: 10_000, ...limits },
    watch: async () => {
      state.looks += 1
      return state.isDown ? undefined : String(state.stored)
    },
    pause: (milliseconds) => () =>
      new Promise((wake) => {
        sleeping.push({ until: state.time + milliseconds, wake })
      }),
    now: () => state.time,
  })
  /** Advances the clock in steps, so that each thing happens at its time. */
  const advance = async (milliseconds: number): Promise<void> => {
    for (let left = milliseconds; left > 0; left -= 50) {
      state.time += 50
      const due = sleeping.filter(({ until }) => until <= state.time)
      sleeping = sleeping.filter(({ until }) => until > state.time)
      for (const { wake } of due) wake()
      for (let turn = 0; turn < 5; turn += 1) await settled()
    }
  }
  const find = (known: number) => async (): Promise<Found<number>> => {
    state.asked += 1
    if (state.isDown) throw new Error('down')
    const now = state.stored
    return { answer: now, key: now === known ? String(known) : undefined, again: find(known) }
  }
  /** Begins to wait for another number. */
  const hold = (seconds = 60, address = 'here', known = state.stored) => {
    const seen = {
      answer: undefined as number | undefined,
      isHeld: false,
      begun: 0,
      ended: 0,
      close: () => {},
    }
    const wait = {
      ...{ seconds, address },
      begin: () => {
        seen.begun += 1
      },
      end: () => {
        seen.ended += 1
      },
      onClose: (callback: () => void) => {
        seen.close = callback
      },
    }
    void waits
      .hold(wait, find(known))
      .then((found) => Object.assign(seen, found))
      .then(() => seen.close())
    return seen
  }
  return { state, waits, advance, hold }
}

t.test('N4: Prefer is read as RFC 7240 has it, and bad values are ignored', async (t) => {
  const read: ReadonlyArray<readonly [string | undefined, number | undefined]> = [
    ...([
      [undefined, undefined],
      ['wait=30', 30],
      ['WAIT = "5"', 5],
      ['wait=600', 60],
    ] as const),
    ...([
      ['respond-async, wait=7; foo=1', 7],
      ['wait=3, wait=9', 3],
      ['wait=0', undefined],
    ] as const),
    ...([
      ['wait', undefined],
      ['wait=-1', undefined],
      ['wait=x', undefined],
      ['wait=1.5', undefined],
    ] as const),
    ...([
      ['handling=lenient', undefined],
      ['await=5', undefined],
    ] as const),
  ]
  for (const [text, seconds] of read) t.equal(waitOf(text), seconds, String(text))
})

t.test('N4: a change ends all waits within two seconds, by one question', async (t) => {
  const { state, waits, advance, hold } = makeStand()
  const all = Array.from({ length: 500 }, () => hold())
  await advance(3000)
  t.ok(all.every(({ answer, begun }) => answer === undefined && begun === 1))
  t.equal(waits.waiting(), 500)
  state.asked = 0
  state.stored += 1
  await advance(2000)
  t.ok(all.every(({ answer, isHeld, ended }) => answer === 1 && isHeld && ended === 1))
  t.equal(state.asked, 1, 'one question for all that wait for the same')
  t.equal(waits.waiting(), 0)
})

t.test('N4: while nothing changes the store is looked at once a second, and nothing is asked', async (t) => {
  const { state, advance, hold } = makeStand()
  for (let n = 0; n < 50; n += 1) hold()
  await advance(1000)
  Object.assign(state, { looks: 0, asked: 0 })
  await advance(10_000)
  t.ok(state.looks <= 10, `${state.looks} looks`)
  t.equal(state.asked, 0)
})

t.test('N4: a wait ends at its time, up to five seconds early', async (t) => {
  const { advance, hold } = makeStand()
  const [short, long] = [hold(2), hold(60)]
  await advance(1000)
  t.equal(short.answer, undefined)
  await advance(1000)
  t.equal(short.answer, 0)
  await advance(52_500)
  t.equal(long.answer, undefined)
  await advance(5000)
  t.equal(long.answer, 0)
})

t.test('N4: limits of an address and in all; a request beyond is answered at once', async (t) => {
  const { waits, advance, hold } = makeStand({ ofAddress: 2, total: 3 })
  const [one, , third, other, last] = [hold(), hold(), hold(), hold(60, 'there'), hold(60, 'there')]
  await advance(500)
  t.match(
    [third, last],
    [
      { answer: 0, isHeld: false },
      { answer: 0, isHeld: false },
    ],
  )
  t.equal(other.answer, undefined)
  one.close()
  await advance(500)
  t.equal(waits.waiting(), 2, 'a client that has gone makes room')
  const next = hold()
  await advance(500)
  t.equal(next.answer, undefined)
})

t.test('N4: a host hears that a thousand wait, so that it collects their garbage early', async (t) => {
  let heard = 0
  const onMany = () => {
    heard += 1
  }
  const { state, advance, hold } = makeStand({ onMany })
  for (const round of [1, 2]) {
    for (let n = 0; n < 999; n += 1) hold()
    t.equal(heard, round - 1)
    hold()
    t.equal(heard, round)
    state.stored += 1
    await advance(3000)
  }
})

t.test('N4: what changes between an answer and the wait for it is not missed', async (t) => {
  const { state, advance, hold } = makeStand()
  hold()
  await advance(2000)
  const late = hold(60, 'here', 0)
  state.stored = 1
  await advance(2000)
  t.equal(late.answer, 1)
  const already = hold(60, 'here', 0)
  await advance(50)
  t.match(already, { answer: 1, isHeld: true, begun: 0 }, 'there is a change at once')
})

t.test('N4: a wait outlives an outage, and ends empty when the service stops', async (t) => {
  const { state, waits, advance, hold } = makeStand()
  const waiting = hold()
  await advance(1500)
  state.isDown = true
  state.stored = 1
  await advance(3000)
  t.equal(waiting.answer, undefined)
  state.isDown = false
  await advance(2000)
  t.equal(waiting.answer, 1)
  const [last] = [hold()]
  await advance(100)
  waits.end()
  await advance(50)
  t.equal(last.answer, 1)
  const after = hold()
  await advance(50)
  t.match(after, { answer: 1, isHeld: false })
})

const ask = (fixture: Fixture, since: string, prefer = 'wait=60') =>
  fixture.call('GET', '/changes', { as: 'user', query: { since }, headers: { prefer } })

const cursorOf = async (fixture: Fixture): Promise<string> => {
  const answer = await fixture.call('GET', '/changes', { as: 'user' })
  return ((await answer.json()) as { cursor: string }).cursor
}

/** Sends a request that waits, and returns its answer to come once it waits. */
const startWaiting = async (fixture: Fixture, since: string) => {
  const arrived = once(fixture.app.server, 'request')
  const answer = ask(fixture, since)
  await arrived
  for (let turn = 0; turn < 100; turn += 1) await settled()
  return { answer }
}

t.test('N4: a request is held back until there is a change, with the rights of then (A9)', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const since = await cursorOf(fixture)
  const waiting = await startWaiting(fixture, since)
  const { itemId } = await createLive(fixture, 'library')
  const answer = await waiting.answer
  t.equal(answer.headers.get('preference-applied'), 'wait=60')
  const { changes, cursor } = (await answer.json()) as { changes: ReadonlyArray<unknown>; cursor: string }
  t.match(changes, [{ change: { kind: 'library', id: itemId, operation: 'put' } }])
  const refused = await startWaiting(fixture, cursor)
  await done(fixture.ports.clients.setDisabled('user' as ClientId, true))
  await createLive(fixture, 'library')
  await seeProblem(t, await refused.answer, 'invalid_token')
})

t.test('N4: a stop ends waits with an empty answer; without a wait there is no header', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  const since = await cursorOf(fixture)
  const plain = await ask(fixture, since, 'wait=x')
  t.equal(plain.headers.get('preference-applied'), null)
  const waiting = await startWaiting(fixture, since)
  await fixture.stop()
  const answer = await waiting.answer
  t.equal(answer.status, 200)
  t.strictSame(((await answer.json()) as { changes: unknown }).changes, [])
})

t.test('I3, N4: a gauge counts the requests that wait', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const waiting = await startWaiting(fixture, await cursorOf(fixture))
  const metrics = async () => (await fixture.call('GET', '/metrics')).text()
  t.match(await metrics(), '\nalmoner_changes_waiting 1\n')
  await createLive(fixture, 'library')
  await waiting.answer
  t.match(await metrics(), '\nalmoner_changes_waiting 0\n')
})

t.test('I3, N4: the time of a response is without its wait', async (t) => {
  const app = fastify()
  const times: Array<number> = []
  decorateRequest(app)
  watchResponses(app, (_method, _route, _status, milliseconds) => times.push(milliseconds))
  app.get('/', async (request) => {
    contextOf(request).waited = 1_000_000
    return ''
  })
  await app.inject('/')
  t.ok(times.length === 1 && times.every((time) => time < 0), 'it was held back for longer than it took')
})
