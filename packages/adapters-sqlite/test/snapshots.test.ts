import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseUnavailable } from '@almoner/adapters-kysely'
import type { LibraryItems } from '@almoner/domain/ports'
import { collect, WHOLE_COLLECTION } from '@almoner/domain/values'
import { done, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { storeOf } from './store-of.ts'

/** The number of simultaneous reads, and of waiting ones. */
const [AT_A_TIME, WAITING] = [8, 64]

/** Enough items that a reader of the first batch keeps its snapshot. */
const LONG = 600

const add = async (items: LibraryItems, from: number, count: number) => {
  for (let n = from; n < from + count; n += 1)
    await done(items.add({ item: sampleLibraryItem(n, { id: sampleId(n) }), linksToImages: [] }))
}

const listed = ({ list }: LibraryItems) =>
  done(list({ visibility: { kind: 'everything' }, lang: O.none }, WHOLE_COLLECTION))

const begun = async (items: LibraryItems) => {
  const iterator = (await listed(items)).batches[Symbol.asyncIterator]()
  await iterator.next()
  return iterator
}

t.test(
  'C12: a limited number of collections is read at a time, some wait, and more are Unavailable',
  async (t) => {
    const { libraryItems, feedItems, close } = await storeOf(join(t.testdir(), 'almoner.db'))
    await add(libraryItems, 0, LONG)
    const reading = await Promise.all(Array.from({ length: AT_A_TIME }, () => begun(libraryItems)))
    const reads = Array.from({ length: WAITING + 1 }, async () => collect(await listed(libraryItems)))
    // The one that begins to read last is refused, which need not be the one that was called last.
    const isRefused = (at: number) => (error: unknown) => {
      t.type(error, DatabaseUnavailable)
      return at
    }
    const refused = await Promise.race(reads.map((read, at) => read.then(() => -1, isRefused(at))))
    const waiting = reads.filter((_, at) => at !== refused)
    t.equal(waiting.length, WAITING, 'one is refused')
    const few = { visibility: { kind: 'everything' as const }, lang: O.none, kind: O.none }
    const short = done(feedItems.list(few, WHOLE_COLLECTION)).then(collect)
    t.equal((await Promise.race([short, ...waiting])).length, 0, 'short collections are read at once')
    // The first deep page counts positions, on a separate snapshot.
    const part = { after: O.none, offset: LONG - 5, lim: O.some(10) }
    const page = done(libraryItems.list({ visibility: { kind: 'everything' }, lang: O.none }, part)).then(
      collect,
    )
    const first = await Promise.race([page, ...waiting])
    t.equal(first.length, 5, 'C11: pages do not wait for stalled readers')
    for (const iterator of reading) await iterator.return?.()
    const lengths = (await Promise.all(waiting)).map(({ length }) => length)
    t.strictSame(new Set(lengths), new Set([LONG]))
    await close()
  },
)

t.test('a reader that throws releases its snapshot', async (t) => {
  const { libraryItems, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  await add(libraryItems, 0, LONG)
  const failing = async () => {
    for await (const _ of (await listed(libraryItems)).batches) throw new Error('the reader’s own')
  }
  for (let round = 0; round < 2 * AT_A_TIME; round += 1) await t.rejects(failing(), /the reader’s own/)
  t.equal((await collect(await listed(libraryItems))).length, LONG)
  await close()
})

t.test('C12: slow readers of short collections block no others', async (t) => {
  const { libraryItems, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  await add(libraryItems, 0, 3)
  const slow = await Promise.all(Array.from({ length: 2 * AT_A_TIME }, () => begun(libraryItems)))
  t.equal((await collect(await listed(libraryItems))).length, 3)
  for (const iterator of slow) t.match(await iterator.next(), { done: true })
  await close()
})

t.test('a result set that is never read uses no snapshot', async (t) => {
  const { libraryItems, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  for (let round = 0; round < 2 * AT_A_TIME; round += 1) await listed(libraryItems)
  t.strictSame(await collect(await listed(libraryItems)), [])
  await close()
})

t.test('C12: a log that grew during a long snapshot shrinks afterwards', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const { libraryItems, close } = await storeOf(file)
  await add(libraryItems, 0, LONG)
  const logSize = () => statSync(`${file}-wal`).size
  const reading = await begun(libraryItems)
  await add(libraryItems, LONG, 700)
  const grown = logSize()
  await reading.return?.()
  await add(libraryItems, 2000, 2)
  t.ok(grown > 10_000_000, `${grown} bytes`)
  t.ok(logSize() < 9_000_000, `${logSize()} bytes`)
  await close()
})

t.test('closing ends the reading of a collection with an error that names the reason', async (t) => {
  const { libraryItems, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  await add(libraryItems, 0, 2 * LONG)
  const reading = await begun(libraryItems)
  await close()
  await t.rejects(async () => reading.next(), DatabaseUnavailable)
  await t.rejects(listed(libraryItems).then(collect), DatabaseUnavailable)
})
