import { clockContract } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import t from 'tap'
import { makeServerClock } from '../src/server-clock.ts'
import { engineOn, freshlyMigrated } from './store-of.ts'

const NOON = Date.UTC(2026, 4, 1, 12)

/** A clock, and a local time that stands still unless it is moved. */
const makeLocal = () => {
  const local = { time: 1000 }
  return { local, clock: makeServerClock(() => local.time) }
}

t.test('half of the round-trip time is subtracted', async (t) => {
  const { local, clock } = makeLocal()
  clock.take({ time: NOON, asked: 900, answered: 1000 })
  t.equal(clock.now(), NOON + 50)
  local.time += 7000
  t.equal(clock.now(), NOON + 7050)
})

t.test('a less precise sample that agrees changes nothing; one that contradicts is used', async (t) => {
  const { clock } = makeLocal()
  clock.take({ time: NOON, asked: 998, answered: 1000 })
  clock.take({ time: NOON - 199, asked: 0, answered: 1000 })
  t.equal(clock.now(), NOON + 1)
  clock.take({ time: NOON + 5000, asked: 0, answered: 1000 })
  t.equal(clock.now(), NOON + 5500)
})

t.test(
  'the clock stops rather than goes back a little, and follows a server whose clock was set back',
  async (t) => {
    const { clock } = makeLocal()
    clock.take({ time: NOON, asked: 1000, answered: 1000 })
    t.equal(clock.now(), NOON)
    clock.take({ time: NOON - 3000, asked: 1000, answered: 1000 })
    t.equal(clock.now(), NOON)
    clock.take({ time: NOON - 60_000, asked: 1000, answered: 1000 })
    t.equal(clock.now(), NOON - 60_000)
  },
)

t.test('with a correct server the clock is off by at most half a round trip', async (t) => {
  const way = fc.tuple(fc.nat(500), fc.nat(500), fc.nat(5000))
  const property = fc.property(fc.array(way, { minLength: 1 }), (ways) => {
    const { local, clock } = makeLocal()
    let vaguest = 0
    for (const [there, back, pause] of ways) {
      const asked = local.time
      local.time += there + back
      clock.take({ time: NOON + asked + there, asked, answered: local.time })
      vaguest = Math.max(vaguest, (there + back) / 2)
      if (Math.abs(clock.now() - NOON - local.time) > vaguest + 1) return false
      local.time += pause
    }
    return true
  })
  t.doesNotThrow(() => fc.assert(property))
})

t.test('machines with wrong clocks agree with the database, and so with each other', async (t) => {
  const { url, cluster } = await freshlyMigrated()
  const real = Date.now
  t.teardown(() => {
    Date.now = real
  })
  Date.now = () => real() + 3_600_000
  const ahead = await engineOn(url)
  Date.now = () => real() - 3_600_000
  const behind = await engineOn(url)
  clockContract(
    (name, body) => t.test(name, (t) => body({ same: (a, b) => t.strictSame(a, b), ok: (v) => t.ok(v) })),
    () => behind.clock,
  )
  const asked = [ahead.clock.now(), behind.clock.now()]
  const [row] = await cluster.ask('select (extract(epoch from clock_timestamp()) * 1000)::float8 as time')
  const told = [ahead.clock.now(), behind.clock.now()]
  for (const n of [0, 1]) {
    const slack = 500
    t.ok(
      Number(asked[n]) - slack <= Number(row?.['time']) && Number(row?.['time']) <= Number(told[n]) + slack,
    )
  }
  t.ok(Math.abs(Number(asked[0]) - Number(asked[1])) < 1000, 'instead of two hours apart')
  await ahead.close()
  await behind.close()
})
