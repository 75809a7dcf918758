import { FEED_IMAGE } from '@almoner/domain/media'
import { failure } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { concurrencyLimit } from '../src/concurrency-limit.ts'
import { sharpImageChecker } from '../src/index.ts'
import { plainPng } from './corpus/png-file.ts'

/** A task that records its start and ends on demand. */
const held = (begun: Array<string>, name: string) => {
  const { promise, resolve } = Promise.withResolvers<E.Either<never, string>>()
  const task: TE.TaskEither<never, string> = () => {
    begun.push(name)
    return promise
  }
  return { task, end: () => resolve(E.right(name)) }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

t.test(
  'rule 8: the concurrency limit runs a few, queues a few, and rejects the rest at once as Unavailable',
  async (t) => {
    const pass = concurrencyLimit(2, 1)
    const begun: Array<string> = []
    const [a, b, c] = [held(begun, 'a'), held(begun, 'b'), held(begun, 'c')]
    const running = [pass(a.task)(), pass(b.task)(), pass(c.task)()]
    await settled()
    t.strictSame(begun, ['a', 'b'])
    t.equal(await failure(pass(TE.right('d'))), 'Unavailable')
    b.end()
    await settled()
    t.strictSame(begun, ['a', 'b', 'c'], 'the queued one follows')
    a.end()
    c.end()
    t.strictSame(await Promise.all(running), [E.right('a'), E.right('b'), E.right('c')])
    t.strictSame(await pass(TE.right('e'))(), E.right('e'), 'the limit is free again')
  },
)

t.test('rule 8: a task that fails or throws releases its permit', async (t) => {
  const pass = concurrencyLimit(1, 0)
  t.strictSame(await pass(TE.left('no'))(), E.left('no'))
  await t.rejects(pass(() => Promise.reject(new Error('bug')))())
  t.strictSame(await pass(TE.right('yes'))(), E.right('yes'))
})

t.test('D1: images beyond the queue are Unavailable, so that memory is bounded', async (t) => {
  const checker = sharpImageChecker({ concurrency: 1, waiting: 1 })
  const bytes = plainPng()
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => failure(checker.check(bytes, FEED_IMAGE))))
  t.strictSame(outcomes, ['none', 'none', 'Unavailable', 'Unavailable'])
  t.equal(await failure(checker.check(bytes, FEED_IMAGE)), 'none', 'later ones are accepted again')
})

t.test('D1: a file that is not an image is rejected without queueing', async (t) => {
  const checker = sharpImageChecker({ concurrency: 1, waiting: 0 })
  const busy = failure(checker.check(plainPng(), FEED_IMAGE))
  t.equal(await failure(checker.check(Buffer.from('<svg/>'), FEED_IMAGE)), 'UnsupportedImage')
  t.equal(await busy, 'none')
})
