import { makeStore } from '@almoner/adapters-kysely'
import { done } from '@almoner/domain/contracts'
import { startProxy } from '@almoner/loopback-postgres'
import t from 'tap'
import { STALENESS } from '../src/changes.ts'
import { engineOn, freshlyMigrated } from './store-of.ts'

// Caches rest on this: whatever happens to connections, a listener is told within two seconds that something may have changed.

const LISTENING =
  "select pid from pg_stat_activity where query like 'listen%' or query like '%clock_timestamp%'"

/** Counts calls, and waits for so many more. */
const makeBell = () => {
  let rung = 0
  let next = Promise.withResolvers<void>()
  return {
    ring: () => {
      rung += 1
      next.resolve()
      next = Promise.withResolvers<void>()
    },
    rung: () => rung,
    more: async (count: number) => {
      for (const until = rung + count; rung < until; ) await next.promise
    },
  }
}

const write = (engine: Awaited<ReturnType<typeof engineOn>>, email: string) =>
  done(makeStore(engine).users.prefer(email as never, {}))

/** Writes until another process hears of it: from then on it listens. */
const untilHeard = async (
  bell: ReturnType<typeof makeBell>,
  engine: Awaited<ReturnType<typeof engineOn>>,
) => {
  const before = bell.rung()
  await Promise.all([bell.more(1), write(engine, 'first@example.org')])
  t.ok(bell.rung() > before)
}

t.test('a listener is told of every commit, of its own process and of others', async (t) => {
  const { url } = await freshlyMigrated()
  const [mine, theirs] = [await engineOn(url), await engineOn(url)]
  const [own, other] = [makeBell(), makeBell()]
  const stop = mine.onChange(own.ring)
  theirs.onChange(other.ring)
  await untilHeard(own, theirs)
  await Promise.all([other.more(1), write(mine, 'a@example.org')])
  await Promise.all([own.more(1), write(mine, 'b@example.org')])
  stop()
  const before = own.rung()
  await Promise.all([other.more(1), write(mine, 'c@example.org')])
  t.equal(own.rung(), before, 'but not once it has gone')
  await mine.close()
  await theirs.close()
})

t.test('where nothing is heard, every listener is told again and again', async (t) => {
  const { url, cluster, name } = await freshlyMigrated()
  const proxy = await startProxy(cluster)
  const [engine, writer] = [await engineOn(proxy.url(name)), await engineOn(url)]
  const bell = makeBell()
  engine.onChange(bell.ring)
  await untilHeard(bell, writer)

  await cluster.ask(
    `select pg_terminate_backend(pid) from (${LISTENING}) as listening where pid <> pg_backend_pid()`,
  )
  await bell.more(1)
  await untilHeard(bell, writer)
  proxy.stall()
  await bell.more(3)
  t.pass('three times without any change')
  proxy.flow()
  proxy.cut()
  await untilHeard(bell, writer)
  await engine.close()
  await writer.close()
  await proxy.close()
})

t.test('what a listener knows is never older than two seconds', async (t) => {
  t.ok(STALENESS <= 1800, 'with time to spare')
})
