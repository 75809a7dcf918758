import t from 'tap'
import { makeSlots } from '../src/database/semaphore.ts'
import { Outage } from '../src/database/unavailable.ts'

const LONG = 60_000

t.test('those who wait are served in the order they came', async (t) => {
  const slots = makeSlots({ slots: 1, waiters: 3, patience: LONG })
  const order: Array<number> = []
  const first = await slots.take()
  const rest = [1, 2, 3].map(async (n) => {
    const letGo = await slots.take()
    order.push(n)
    letGo()
  })
  first()
  await Promise.all(rest)
  t.strictSame(order, [1, 2, 3])
})

t.test('who finds the queue full is refused at once', async (t) => {
  const slots = makeSlots({ slots: 1, waiters: 1, patience: LONG })
  const letGo = await slots.take()
  const waiting = slots.take()
  await t.rejects(slots.take(), Outage)
  letGo()
  const served = await waiting
  served()
})

t.test('who waits for too long is refused and leaves the queue', async (t) => {
  const slots = makeSlots({ slots: 1, waiters: 1, patience: 1 })
  const letGo = await slots.take()
  await t.rejects(slots.take(), Outage)
  letGo()
  const next = await slots.take()
  next()
})

t.test('letting go twice frees one place only', async (t) => {
  const slots = makeSlots({ slots: 1, waiters: 0, patience: LONG })
  const letGo = await slots.take()
  letGo()
  letGo()
  const held = await slots.take()
  await t.rejects(slots.take(), Outage)
  held()
})

t.test('draining serves those who came before and refuses those who come after', async (t) => {
  const slots = makeSlots({ slots: 1, waiters: 1, patience: LONG })
  const letGo = await slots.take()
  const waiting = slots.take()
  const drained = slots.drain()
  await t.rejects(slots.take(), Outage)
  letGo()
  const last = await waiting
  last()
  t.strictSame(await drained, undefined)
})
