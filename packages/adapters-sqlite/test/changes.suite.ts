import { join } from 'node:path'
import { done, sampleEmail } from '@almoner/domain/contracts'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { storeOf } from './store-of.ts'

t.test('a listener is told of writes of its own process at once, and of those of others soon', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const [mine, theirs] = [await storeOf(file), await storeOf(file)]
  let rung = 0
  let next = Promise.withResolvers<void>()
  // Looking at the file keeps no process alive.
  const awake = setInterval(() => {}, 1000)
  const stop = mine.engine.onChange(() => {
    rung += 1
    next.resolve()
    next = Promise.withResolvers<void>()
  })
  await done(mine.users.prefer(sampleEmail(1), {}))
  t.equal(rung, 1, 'when the write is over')
  await mine.engine.write(async () => E.left('no'))
  t.equal(rung, 1, 'not of what was undone')
  await Promise.all([next.promise, done(theirs.users.prefer(sampleEmail(2), {}))])
  t.equal(rung, 2)
  clearInterval(awake)
  stop()
  await done(mine.users.prefer(sampleEmail(3), {}))
  t.equal(rung, 2, 'nor once it has gone')
  await mine.close()
  await theirs.close()
})
