import type { Worker } from 'node:worker_threads'
import { DELIVERED, refused, retry } from '@almoner/domain/notifications'
import t, { type Test } from 'tap'
import { makeEncryptor, threadsHere } from '../src/webpush/encryptor.ts'
import { plaintextOf } from '../src/webpush/message.ts'
import { manualTimers } from './time.ts'
import { messageWith, subscriptionAt, withWebPush } from './webpush.ts'

/** Tracks the running threads that start from now on. */
const watchThreads = (t: Test): ReadonlySet<Worker> => {
  const threads = new Set<Worker>()
  const watch = (thread: Worker): void => {
    threads.add(thread)
    thread.once('exit', () => threads.delete(thread))
  }
  process.on('worker', watch)
  t.teardown(() => process.off('worker', watch))
  return threads
}

const killOne = async (threads: ReadonlySet<Worker>): Promise<void> => {
  const [thread] = threads
  await thread?.terminate()
}

/** Resolves when the threads have messages to encrypt. */
const handedOver = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const jobFor = (n: number) => ({
  keys: subscriptionAt('https://push.example.org/1').keys,
  plaintext: plaintextOf(messageWith({ title: `Wells ${n}` })),
})

t.test(
  'with many concurrent pushes each browser gets its own message, and one that cannot be encrypted harms no other',
  async (t) => {
    const { service, send } = await withWebPush(t, { threads: 2 })
    const browsers = Array.from({ length: 150 }, () => service.subscribe())
    const results = await Promise.all(
      browsers.map((browser, n) => {
        const keys = n % 10 === 3 ? { ...browser.keys, p256dh: `B${'A'.repeat(86)}` } : browser.keys
        return send({ ...browser, keys }, { message: messageWith({ title: `Wells ${n}` }) })
      }),
    )
    const unreadable = refused('keys that nothing can be encrypted with')
    for (const [n, result] of results.entries()) t.strictSame(result, n % 10 === 3 ? unreadable : DELIVERED)
    const titles = new Map(
      service.requests.map(({ token, text }) => [token, JSON.parse(text ?? '').notification.title]),
    )
    t.equal(titles.size, 135)
    for (const [n, { endpoint }] of browsers.entries())
      t.equal(titles.get(endpoint), n % 10 === 3 ? undefined : `Wells ${n}`)
  },
)

t.test('threads start with the first push, in the configured number, and end with the gateway', async (t) => {
  const threads = watchThreads(t)
  const { gateway, send } = await withWebPush(t, { threads: 2 })
  t.equal(threads.size, 0)
  t.strictSame(await send(), DELIVERED)
  t.equal(threads.size, 2)
  await gateway.close()
  t.equal(threads.size, 0)
  await gateway.close()
})

t.test('a thread that dies is replaced, and its pushes are retried', async (t) => {
  const threads = watchThreads(t)
  const { send } = await withWebPush(t, { threads: 2 })
  t.strictSame(await send(), DELIVERED)
  const tags = new Set<string>()
  // A thread that has been quick, or was not at it yet, dies with nothing at hand.
  while (!tags.has('Retry')) {
    const pushes = Array.from({ length: 300 }, () => send())
    await handedOver()
    await killOne(threads)
    for (const { _tag } of await Promise.all(pushes)) tags.add(_tag)
  }
  t.strictSame(tags, new Set(['Delivered', 'Retry']))
  t.equal(threads.size, 2)
  const more = await Promise.all(Array.from({ length: 100 }, () => send()))
  t.ok(more.every(({ _tag }) => _tag === 'Delivered'))
})

t.test('closing finishes started encryptions; later pushes are retries', async (t) => {
  const { gateway, send } = await withWebPush(t, { threads: 2 })
  const pushes = Array.from({ length: 100 }, () => send())
  const closed = gateway.close()
  t.strictSame(await send(), retry())
  const results = await Promise.all(pushes)
  t.ok(results.every(({ _tag }) => _tag === 'Delivered'))
  await closed
})

t.test('a push that waits too long for a thread is retried, and not sent', async (t) => {
  const { startTimer, ring } = manualTimers()
  const { service, gateway, send } = await withWebPush(t, { threads: 1, startTimer })
  const waiting = send()
  ring()
  t.strictSame(await waiting, retry())
  t.strictSame(await send(), DELIVERED)
  await gateway.close()
  t.equal(service.requests.length, 1, 'the later one')
})

t.test('closing an encryptor rejects its current work', async (t) => {
  for (const threads of [1, 2]) {
    const { encrypt, close } = makeEncryptor(threads)
    const first = await encrypt(jobFor(0))
    t.equal(first?.length, jobFor(0).plaintext.length + 103)
    const begun = Array.from({ length: 100 }, (_, n) => encrypt(jobFor(n)))
    const ends = Promise.allSettled(begun)
    await handedOver()
    await close()
    t.ok((await ends).some(({ status }) => status === 'rejected'))
  }
})

t.test('there is one thread per core, up to four, and none on one core', async (t) => {
  t.strictSame([1, 2, 3, 4, 64].map(threadsHere), [0, 2, 3, 4, 4])
})
