import t from 'tap'
import { DatabaseUnavailable } from '../src/database/database.ts'
import { makeSemaphore } from '../src/database/sessions.ts'

const LONG = 60_000

t.test('waiting callers are served in the order they came', async (t) => {
  const semaphore = makeSemaphore({ permits: 1, queueLimit: 3, timeout: LONG })
  const order: Array<number> = []
  const first = await semaphore.acquire()
  const rest = [1, 2, 3].map(async (n) => {
    const release = await semaphore.acquire()
    order.push(n)
    release()
  })
  first()
  await Promise.all(rest)
  t.strictSame(order, [1, 2, 3])
})

t.test('a caller that finds the queue full is rejected at once', async (t) => {
  const semaphore = makeSemaphore({ permits: 1, queueLimit: 1, timeout: LONG })
  const release = await semaphore.acquire()
  const waiting = semaphore.acquire()
  await t.rejects(semaphore.acquire(), DatabaseUnavailable)
  release()
  const served = await waiting
  served()
})

t.test('a caller that waits for too long is rejected and leaves the queue', async (t) => {
  const semaphore = makeSemaphore({ permits: 1, queueLimit: 1, timeout: 1 })
  const release = await semaphore.acquire()
  await t.rejects(semaphore.acquire(), DatabaseUnavailable)
  release()
  const next = await semaphore.acquire()
  next()
})

t.test('releasing twice frees one permit only', async (t) => {
  const semaphore = makeSemaphore({ permits: 1, queueLimit: 0, timeout: LONG })
  const release = await semaphore.acquire()
  release()
  release()
  const held = await semaphore.acquire()
  await t.rejects(semaphore.acquire(), DatabaseUnavailable)
  held()
})

t.test('draining serves earlier callers and rejects later ones', async (t) => {
  const semaphore = makeSemaphore({ permits: 1, queueLimit: 1, timeout: LONG })
  const release = await semaphore.acquire()
  const waiting = semaphore.acquire()
  const drained = semaphore.drain()
  await t.rejects(semaphore.acquire(), DatabaseUnavailable)
  release()
  const last = await waiting
  last()
  t.strictSame(await drained, undefined)
})
