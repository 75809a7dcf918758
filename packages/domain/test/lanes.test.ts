import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import * as domain from './fixtures/domain.ts'

const FCM = 'fcm' as domain.Origin
const BROWSERS = 'webpush https://push.example.org' as domain.Origin

/** A clock that a test sets. */
const setClock = () => {
  let now = 1_700_000_000_000
  return {
    now: () => now as domain.Instant,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

t.test('G15: an origin that has not accepted has a tenth of the places, at least one', async (t) => {
  for (const [size, most] of [
    [1, 1],
    [9, 1],
    [10, 1],
    [100, 10],
    [1000, 100],
  ] as const)
    t.equal(domain.makeLanes(size, setClock()).room(FCM), most, `of ${size}`)
})

t.test('G15: its share grows with accepted pushes, and ends with its silence', async (t) => {
  const clock = setClock()
  const lanes = domain.makeLanes(100, clock)
  for (let n = 0; n < 200; n += 1) lanes.note(FCM, domain.DELIVERED)
  t.equal(lanes.room(FCM), 100, 'alone it may have all')
  lanes.room(BROWSERS)
  t.equal(lanes.room(FCM), 90, 'a tenth is left to others')
  await lanes.acquire(1)
  t.ok(lanes.enter(FCM))
  clock.pass(3000)
  t.equal(lanes.room(FCM), 9, 'one of a tenth is in flight')
})

t.test('G15: after Retry-After an origin is sent to a little slower than it accepted', async (t) => {
  const clock = setClock()
  const pace = domain.makePace(clock)
  t.equal(pace.tokens(), Number.POSITIVE_INFINITY)
  for (let n = 0; n < 12; n += 1) pace.accepted()
  clock.pass(1000)
  pace.heldBack(O.some(5000))
  pace.heldBack(O.some(5000))
  clock.pass(5000)
  let sent = 0
  for (let step = 0; step < 1000; step += 1) {
    clock.pass(10)
    while (pace.tokens() >= 1) {
      pace.take()
      sent += 1
    }
  }
  t.ok(sent >= 100 && sent <= 112, `${sent} in ten seconds, of 12 a second that were accepted`)
})
