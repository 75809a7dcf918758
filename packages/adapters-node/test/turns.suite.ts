import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { takingTurns } from '../src/turns.ts'

/** A task that ends when it is told to. */
const held = () => {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let started = false
  const task = () => {
    started = true
    return promise
  }
  return { task, resolve, reject, started: () => started }
}

const tag = (result: E.Either<{ readonly _tag: string }, string>): string =>
  E.isLeft(result) ? result.left._tag : result.right

t.test(
  'A6: only so many hashes are made at once; the others wait in order, and more are Unavailable',
  async (t) => {
    const inTurn = takingTurns({ atOnce: 2, waiting: 1 })
    const tasks = [held(), held(), held(), held()]
    const [a, b, c, d] = tasks.map(({ task }) => inTurn(task)())
    t.equal(tag((await d) ?? E.right('nothing')), 'Unavailable')
    t.same(
      tasks.map(({ started }) => started()),
      [true, true, false, false],
    )
    tasks[1]?.resolve('second')
    t.equal(tag((await b) ?? E.right('nothing')), 'second')
    tasks[2]?.resolve('third')
    t.equal(tag((await c) ?? E.right('nothing')), 'third')
    tasks[0]?.resolve('first')
    t.equal(tag((await a) ?? E.right('nothing')), 'first')
  },
)

t.test('a task that rejects is Unavailable and gives its place to the next', async (t) => {
  const inTurn = takingTurns({ atOnce: 1, waiting: 1 })
  const [broken, next] = [held(), held()]
  const results = [inTurn(broken.task)(), inTurn(next.task)()]
  broken.reject(new Error('out of memory'))
  next.resolve('done')
  t.same((await Promise.all(results)).map(tag), ['Unavailable', 'done'])
  t.equal(tag(await inTurn(async () => 'again')()), 'again')
})
