import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { done, SAMPLE_MOMENT, sampleEmail } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { makeVersion, onceIn } from '../src/change-detection.ts'
import { openSqlite } from '../src/index.ts'
import { storeOf } from './store-of.ts'

t.test('the data version changes after every write, of this process and of others', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const [mine, theirs] = [await storeOf(file), await storeOf(file)]
  const version = () => mine.database.version()
  await nextTurn()
  const first = version()
  t.equal(version(), first, 'unchanged without writes')
  await done(mine.users.prefer(sampleEmail(1), {}))
  const second = version()
  t.not(second, first, 'after its own write')
  await done(mine.database.write(async () => E.right('something'), { notify: 'none' }))
  t.equal(version(), second, 'quiet writes do not change it')
  await mine.database.write(async () => E.left('no'))()
  t.equal(version(), second, 'rolled-back writes do not change it')
  await nextTurn()
  t.equal(version(), second)
  await done(theirs.users.prefer(sampleEmail(2), {}))
  await nextTurn()
  t.not(version(), second, 'in the event-loop iteration after another process has written')
  await mine.close()
  await theirs.close()
})

t.test('permissions have their own version, which stays when content is written', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const [{ database, close }, theirs] = [await storeOf(file), await storeOf(file)]
  const nothing = async () => E.right(undefined)
  const versions = () => ({ all: database.version(), access: database.version(['access']) })
  await nextTurn()
  const first = versions()
  await done(database.write(nothing, { notify: ['feed'] }))
  const second = versions()
  t.not(second.all, first.all)
  t.equal(second.access, first.access)
  await Promise.all([database.write(nothing, { notify: ['feed'] })(), database.write(nothing)()])
  const third = versions()
  t.not(third.all, second.all)
  t.not(third.access, second.access, 'but not with another write in the same commit')
  await done(database.write(nothing, { notify: 'none' }))
  t.strictSame(versions(), third)
  await nextTurn()
  await done(theirs.users.prefer(sampleEmail(1), {}))
  await nextTurn()
  t.not(versions().access, third.access, 'in the event-loop iteration after any write of another process')
  await close()
  await theirs.close()
})

t.test('a purge that finds nothing keeps the version, and so all caches', async (t) => {
  const { database, notifications, deadDevices, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  const before = database.version()
  t.equal(await done(notifications.purge()), 0)
  t.equal(await done(deadDevices.purge(SAMPLE_MOMENT)), 0)
  t.equal(database.version(), before)
  await close()
})

t.test('other processes are polled at the configured interval', async (t) => {
  let [time, theirs] = [0, 1]
  const look = () => theirs
  const isDue = onceIn(2, () => time)
  const version = makeVersion(look, isDue)
  const first = version.of()
  theirs = 2
  time = 1.5
  t.equal(version.of(), first, 'not yet')
  version.advance([undefined])
  const second = version.of()
  t.not(second, first, 'own writes count at once')
  time = 2
  const third = version.of(['access'])
  t.not(third, second)
  t.equal(version.of(), third)
  time = 5
  t.equal(version.of(), third, 'unchanged without writes')
})

t.test('with a poll interval, writes of other processes are seen after it at the latest', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const theirs = await storeOf(file)
  const database = await done(openSqlite({ file, pollInterval: 0 }))
  const before = database.version()
  await done(theirs.users.prefer(sampleEmail(1), {}))
  t.not(database.version(), before, 'here the interval is zero')
  await database.close()
  await theirs.close()
})

t.test('data read after a new version is at least as new', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const { database, close } = await storeOf(file)
  const other = new Database(file)
  await nextTurn()
  const version = database.version()
  await nextTurn()
  const users = () => done(database.read((db) => db.selectFrom('person').selectAll().execute()))
  // Everything in one event-loop iteration, in which reads share a snapshot.
  const earlier = users()
  other.exec("insert into person (email, lang, subscribed) values ('a@example.org', 'en', 1)")
  t.not(database.version(), version)
  const later = users()
  t.strictSame([(await earlier).length, (await later).length], [0, 1])
  other.close()
  await close()
})

t.test('a file that cannot be checked counts as changed', async (t) => {
  const { database, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  await nextTurn()
  const before = database.version()
  await close()
  await nextTurn()
  t.not(database.version(), before)
})

t.test('I8: what a read has shown is in the version, whenever the next look at others is due', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const theirs = await storeOf(file)
  const database = await done(openSqlite({ file, pollInterval: 1e9 }))
  const readers: Readonly<Record<string, () => Promise<unknown>>> = {
    read: () => done(database.read((db) => db.selectFrom('person').selectAll().execute())),
    snapshot: () => done(database.readSnapshot((db) => db.selectFrom('person').selectAll().execute())),
    stream: () =>
      database
        .streamSnapshot(async function* (db) {
          yield await db.selectFrom('person').selectAll().execute()
        })
        [Symbol.asyncIterator]()
        .next(),
    'refused write': database.write(async (db) =>
      E.left(await db.selectFrom('person').selectAll().execute()),
    ),
  }
  for (const [n, [name, read]] of Object.entries(readers).entries()) {
    const before = database.version(['feed'])
    await done(theirs.users.prefer(sampleEmail(n), {}))
    t.equal(database.version(['feed']), before, 'no look is due')
    await read()
    t.not(database.version(['feed']), before, name)
  }
  await database.close()
  await theirs.close()
})
