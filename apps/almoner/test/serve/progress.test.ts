import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { MIGRATIONS } from '@almoner/adapters-kysely'
import type { Ports } from '@almoner/domain'
import type { Push } from '@almoner/domain/notifications'
import { instant } from '@almoner/domain/values'
import { memoryPushGateway } from '@almoner/testkit/memory'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { reviewText, watchReview } from '../../src/commands/review.ts'
import { inFolder, inProcess } from '../support/in-process.ts'
import { schedule, withDevices } from '../support/readers.ts'

const CLEARED = '\r\u001b[K'

t.test('migrate: shows its step on a terminal, and nothing in a pipe', async (t) => {
  const watched = await inFolder(t.testdir(), ['migrate'], true)
  const names = MIGRATIONS.map(({ name }) => name)
  const steps = names.map((name, at) => `\rapplying ${name}, ${at + 1} of ${names.length}\u001b[K`)
  t.equal(watched.err, `${steps.join('')}${CLEARED}`)
  t.equal(watched.out, names.map((name) => `applied ${name}\n`).join(''))
  const piped = await inFolder(t.testdir(), ['migrate'])
  t.strictSame([piped.code, piped.err, piped.out], [0, '', watched.out])
})

t.test('notification review: shows pushes, rate and remaining devices until it ends', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  let err = ''
  const terminal = {
    isTerminal: true,
    err: (text: string) => {
      err += text
    },
  }
  const queue = { dueSince: O.none, unsentSince: O.none, pending: 1234, retries: 0 }
  const ports = {
    pushGateway: memoryPushGateway(),
    deliveries: { queue: () => TE.right(queue) },
    clock: { now: () => instant(0) },
  } as unknown as Pick<Ports, 'pushGateway' | 'deliveries' | 'clock'>
  const { pushGateway, end } = watchReview(ports, terminal)
  await pushGateway.send({ destination: { provider: 'fcm' } } as unknown as Push)()
  t.equal(err, '')
  mock.timers.tick(500)
  await turn()
  t.match(err, /^\rsending: 1 pushes, [\d,]+ a second, 1,234 devices left/)
  end()
  t.ok(err.endsWith(CLEARED))
  const before = err
  mock.timers.tick(5000)
  await turn()
  t.equal(err, before, 'nothing is shown any more')
  const unwatched = watchReview(ports, { ...terminal, isTerminal: false })
  t.equal(unwatched.pushGateway, ports.pushGateway)
  t.equal(reviewText(30_000, 10_000, 0), 'sending: 30,000 pushes, 3,000 a second, 0 devices left')
})

t.test('notification review: shows no progress if pushes are printed as lines, or in a pipe', async (t) => {
  const folder = t.testdir()
  await withDevices(folder, 1)
  await schedule(folder, 1)
  const database = `sqlite:${folder}/data/almoner.db`
  const log = await inProcess(['notification', 'review'], { ALMONER_DATABASE: database }, true)
  t.equal(log.code, 0)
  t.equal(log.err, '')
  const way = { ALMONER_DATABASE: database, ALMONER_PUSH: `file:${folder}/pushes` }
  t.equal((await inProcess(['notification', 'review'], way, true)).err, CLEARED)
  t.equal((await inProcess(['notification', 'review'], way)).err, '')
})
