import { setTimeout as pause } from 'node:timers/promises'
import { makeStore, type WriteOptions } from '@almoner/adapters-kysely'
import type { DataPart } from '@almoner/domain/history'
import { startProxy } from '@almoner/postgres-server'
import { done, SAMPLE_MOMENT } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import pg from 'pg'
import t from 'tap'
import { STALENESS } from '../src/listen-notify.ts'
import { channelOf, signalIn } from '../src/signals.ts'
import { engineOn, freshlyMigrated } from './store-of.ts'

// Caches rely on this: the version changes within two seconds of any commit, even if connections break.

const LISTENING =
  "select pid from pg_stat_activity where query like 'listen%' or query like '%clock_timestamp%' or query like '%as seen%'"

type Database = Awaited<ReturnType<typeof engineOn>>

/** Waits until the version has changed this number of times. */
const more = async (database: Database, count: number): Promise<void> => {
  for (const until = database.version() + count; database.version() < until; ) await pause(5)
}

const write = (database: Database, email: string) =>
  done(makeStore(database).users.prefer(email as never, {}))

/** Waits until a process listens, which begins with a change of anything, and hears of the writes of another one. */
const untilHeard = async (database: Database, writer: Database) => {
  const anything = () => database.version(['portfolio'])
  for (const before = anything(); anything() === before; ) await pause(5)
  while (database.version(['people']) === anything())
    await done(writer.write(async () => E.right(undefined), { notify: ['people'] }))
}

t.test('the data version changes after every commit, of this process and of others', async (t) => {
  const { url } = await freshlyMigrated()
  const [mine, theirs] = [await engineOn(url), await engineOn(url)]
  await untilHeard(mine, theirs)
  await Promise.all([more(theirs, 1), write(mine, 'a@example.org')])
  await Promise.all([more(mine, 1), write(theirs, 'b@example.org')])
  const before = mine.version()
  await write(mine, 'c@example.org')
  t.not(mine.version(), before, 'its own write, before the write resolves')
  await mine.close()
  await theirs.close()
})

t.test('permissions have their own version, which stays when content is written', async (t) => {
  const { url } = await freshlyMigrated()
  const [mine, theirs] = [await engineOn(url), await engineOn(url)]
  await untilHeard(mine, theirs)
  const nothing = async () => E.right(undefined)
  const access = () => mine.version(['access'])
  /** How often the version has changed and that of access has not. */
  const stayed = () => mine.version() - access()
  const before = stayed()
  await done(theirs.write(nothing, { notify: ['feed'] }))
  while (stayed() === before) await pause(5)
  const heard = stayed()
  await done(mine.write(nothing, { notify: ['feed'] }))
  t.ok(stayed() > heard, 'its own write, before the write resolves')

  const first = access()
  await done(mine.write(nothing))
  t.not(access(), first)
  for (const second = access(); access() === second; ) await theirs.write(nothing)()
  await mine.close()
  await theirs.close()
})

t.test('services in two schemas of a database do not hear each other', async (t) => {
  const { url } = await freshlyMigrated()
  const [mine, ours, theirs] = [
    await engineOn(url),
    await engineOn(url),
    await engineOn(url, {}, undefined, 'theirs'),
  ]
  await untilHeard(mine, ours)
  const nothing = async () => E.right(undefined)
  // A change of anything, as when listening begins, is in the version of each part.
  const isChanged = (part: DataPart) => mine.version([part]) > mine.version(['portfolio'])
  for (let n = 0; n < 5; n += 1) await done(theirs.write(nothing, { notify: ['labels'] }))
  // Notifications arrive in the order of the commits.
  while (!isChanged('feed')) await done(ours.write(nothing, { notify: ['feed'] }))
  t.notOk(isChanged('labels'))
  for (const one of [mine, ours, theirs]) await one.close()
})

t.test('quiet writes, and purges that find nothing, send no notification', async (t) => {
  const { url } = await freshlyMigrated()
  const database = await engineOn(url)
  const listener = new pg.Client(url)
  const texts: Array<string> = []
  listener.on('notification', ({ payload = '' }) => texts.push(payload))
  await listener.connect()
  await listener.query(`listen ${channelOf('public')}`)
  const write = (notify: NonNullable<WriteOptions['notify']>) =>
    done(database.write(async () => E.right(undefined), { notify }))
  await write(['feed'])
  await write('none')
  const { notifications, deadDevices } = makeStore(database)
  t.strictSame([await done(notifications.purge()), await done(deadDevices.purge(SAMPLE_MOMENT))], [0, 0])
  await write(['labels'])
  // One signal may be of both.
  const parts = () => texts.map((text) => signalIn(text))
  while (parts().flatMap(({ xids }) => xids).length < 2) await pause(5)
  t.strictSame(
    parts().flatMap(({ change }) => change),
    ['feed', 'labels'],
  )
  await listener.end()
  await database.close()
})

t.test('without notifications the version changes repeatedly', async (t) => {
  const { url, cluster, name } = await freshlyMigrated()
  const proxy = await startProxy(cluster)
  const [database, writer] = [await engineOn(proxy.url(name)), await engineOn(url)]
  await untilHeard(database, writer)

  await Promise.all([
    more(database, 1),
    cluster.ask(
      `select pg_terminate_backend(pid) from (${LISTENING}) as listening where pid <> pg_backend_pid()`,
    ),
  ])
  await untilHeard(database, writer)
  proxy.stall()
  await more(database, 3)
  t.pass('three times without any change')
  proxy.flow()
  proxy.cut()
  await untilHeard(database, writer)
  await database.close()
  await writer.close()
  await proxy.close()
})

t.test('the data version is at most two seconds old', async (t) => {
  t.ok(STALENESS <= 1800, 'with time to spare')
})
