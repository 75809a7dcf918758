import { setTimeout as pause } from 'node:timers/promises'
import { makeStore } from '@almoner/adapters-kysely'
import { type Almoner, callerWith, decode } from '@almoner/domain'
import { type ChangesAnswer, ListChanges } from '@almoner/domain/changes'
import type { Label, LibraryItem } from '@almoner/domain/content'
import type { ItemId } from '@almoner/domain/values'
import { type Cluster, startSmallCluster, startStandby } from '@almoner/postgres-server'
import { done, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import { testFixture } from '@almoner/testkit/samples'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { engineOn, freshlyMigrated, migrate } from './store-of.ts'

type Store = ReturnType<typeof makeStore>

/** Adds the n-th sample. */
const add = ({ libraryItems }: Pick<Store, 'libraryItems'>, n: number) =>
  done(libraryItems.add({ item: sampleLibraryItem(n, { id: sampleId(n) }), linksToImages: [] }))

const EVERYTHING = { position: -1, place: O.none, kinds: ['library'], aspects: ['own'], most: 100 } as const

/** Starts a server with our tables, and a standby. */
const startTwo = async (t: Test) => {
  const first = await startSmallCluster()
  t.teardown(() => first.stop())
  await first.createDatabase('almoner')
  // Its transactions would begin between ours.
  await first.ask('alter system set autovacuum = off')
  await first.ask('select pg_reload_conf()')
  await migrate(first.url('almoner'))
  const second = await startStandby(first)
  t.teardown(() => second.stop())
  return { first, second }
}

/** Ends the stream to a standby, wherever it is: later commits are lost when the standby is promoted. */
const cut = async ({ ask }: Pick<Cluster, 'ask'>): Promise<void> => {
  await ask("alter system set primary_conninfo = ''")
  await ask('select pg_reload_conf()')
  while ((await ask('select 1 from pg_stat_wal_receiver')).length > 0);
}

t.test('N3: a promoted standby begins one epoch, whose positions lie behind all earlier ones', async (t) => {
  const { first, second } = await startTwo(t)
  const before = await engineOn(first.url('almoner'))
  const primary = makeStore(before)
  for (const n of [1, 2]) await add(primary, n)
  const old = await done(primary.changes.tip())
  await second.catchUp()
  await cut(second)
  // What the standby lacks has the numbers that the promoted one gives next.
  for (const n of [3, 4, 5, 6]) await add(primary, n)
  const lost = await done(primary.changes.tip())
  t.equal(lost.epoch, old.epoch)
  await before.close()
  await first.stop()

  await second.promote()
  const engines = [await engineOn(second.url('almoner')), await engineOn(second.url('almoner'))]
  const stores = engines.map(makeStore)
  await Promise.all(stores.flatMap((store, n) => [7, 9].map((id) => add(store, id + n))))
  const [tip] = await Promise.all(stores.map((store) => done(store.changes.tip())))
  t.not(tip?.epoch, old.epoch)
  for (const store of stores) {
    const { epoch } = await done(store.changes.tip())
    t.equal(epoch, tip?.epoch, 'one epoch, though several connections began')
    t.strictSame(await done(store.changes.endOf(old.epoch)), O.some(old.position), 'cursors up to there')
    const { changes } = await done(store.changes.after(EVERYTHING))
    t.strictSame(
      changes.map(({ id }) => id).toSorted(),
      [1, 2, 7, 8, 9, 10].map((n) => String(sampleId(n))).toSorted(),
    )
    const late = changes.filter(({ position }) => position > old.position)
    t.equal(late.length, 4, 'all writes after it lie behind all before it')
  }
  for (const engine of engines) await engine.close()
})

t.test('N3: a transaction that began earlier and is lost ends the epoch before it', async (t) => {
  const { first, second } = await startTwo(t)
  const before = await engineOn(first.url('almoner'))
  const primary = makeStore(before)
  await add(primary, 1)
  const good = await done(primary.changes.tip())
  const [isHeld, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const early = done(
    before.write(async (db): Promise<E.Either<never, void>> => {
      await sql`insert into content_change (position, kind, id, aspect, rank)
        values (pg_current_xact_id()::text::bigint, 'library', 'early', 'own', 0)`.execute(db)
      isHeld.resolve()
      await release.promise
      return E.right(undefined)
    }),
  )
  await isHeld.promise
  await add(primary, 2)
  await second.catchUp()
  await cut(second)
  release.resolve()
  await early
  const lost = await done(primary.changes.tip())
  await before.close()
  await first.stop()
  await second.promote()
  const after = await engineOn(second.url('almoner'))
  const store = makeStore(after)
  await add(store, 3)
  const end = O.getOrElse(() => -1)(await done(store.changes.endOf(good.epoch)))
  t.ok(end >= good.position, 'what was complete before it stays good')
  t.ok(end < lost.position, 'the later one is there, the earlier one is not')
  const { changes } = await done(store.changes.after(EVERYTHING))
  t.strictSame(
    changes.map(({ id }) => id),
    [1, 2, 3].map((n) => String(sampleId(n))),
  )
  await after.close()
})

/** Lets half of the transactions wait before they commit, so that they commit out of order. */
const SLOW_COMMITS = `create function slow_commit() returns trigger language plpgsql as $$ begin
  if random() < 0.5 then perform pg_sleep(random() * 0.01); end if; return null; end $$;
create constraint trigger slow_commit after insert or update or delete on content_change
  deferrable initially deferred for each row execute function slow_commit()`

/** What an app keeps: the items that it was given, and its cursor. */
interface Copy {
  readonly items: ReadonlyMap<string, string>
  readonly since: string | undefined
}

const manager = callerWith('content-manager')

/** Returns a service on a store. */
const serviceOn = ({ changes, libraryItems, labels, knownImages }: Store) =>
  testFixture({}, { changes, libraryItems, labels, knownImages }).almoner

/** Returns the next answer; undefined if the cursor has expired. */
const ask = async (almoner: Almoner, since: string | undefined): Promise<ChangesAnswer | undefined> => {
  const asked = decode(ListChanges)({ kinds: 'library', include: 'labels', since, lim: 5 })
  if (E.isLeft(asked)) throw new Error('no such request')
  const answer = await almoner.changes.list(manager, asked.right)()
  if (E.isRight(answer)) return answer.right
  if (answer.left._tag === 'CursorExpired') return undefined
  throw new Error(answer.left._tag)
}

/** Brings a copy up to date; undefined if its cursor has expired. */
const update = async (almoner: Almoner, { items, since }: Copy): Promise<Copy | undefined> => {
  const kept = new Map(items)
  for (let cursor = since; ; ) {
    const answer = await ask(almoner, cursor)
    if (answer === undefined) return undefined
    for (const change of answer.changes)
      if (change.kind === 'library' && change.operation === 'put')
        kept.set(change.id, JSON.stringify([change.item.revision, change.item.included?.labels]))
    cursor = answer.cursor
    if (!answer.hasMore) return { items: kept, since: cursor }
  }
}

const NOTHING: Copy = { items: new Map(), since: undefined }

const WATER = { labelId: 'water', en: 'Water', fr: 'Eau' } as unknown as Label

/** Changes an item, or attaches or detaches the label. */
const writeSome = async ({ libraryItems, labels }: Store, ids: ReadonlyArray<ItemId>): Promise<void> => {
  const [at, act] = [Math.random(), Math.random()]
  const id = ids[Math.floor(at * ids.length)] as ItemId
  const next = (current: LibraryItem) => {
    const item = { ...current, revision: current.revision + 1 }
    return E.right({ item, storesImages: [], displaysImages: [], linksToImages: [] })
  }
  if (act < 0.5) await libraryItems.change(id, next)()
  else await labels[act < 0.75 ? 'attach' : 'detach']('library', id, WATER.labelId)()
}

t.test(
  'N3: of random copies only those end that may hold a lost write; the others lack nothing',
  async (t) => {
    const { first, second } = await startTwo(t)
    await first.ask(SLOW_COMMITS, 'almoner')
    const engine = await engineOn(first.url('almoner'))
    const primary = makeStore(engine)
    await done(primary.labels.replaceAll([WATER]))
    const ids = Array.from({ length: 8 }, (_, n) => sampleId(n))
    for (const n of ids.keys()) await add(primary, n)

    const copies: Array<Copy> = []
    let isOver = false
    const enough = async (count: number) => {
      while (copies.length < count) await pause(5)
    }
    const read = async (copy: Copy) => {
      const next = await update(serviceOn(primary), copy)
      if (next === undefined) throw new Error('a cursor has ended on the primary')
      copies.push(next)
      return next
    }
    const reading = async () => {
      for (let copy: Copy = NOTHING; !isOver; ) copy = await read(copy)
    }
    const writing = async () => {
      while (!isOver) await writeSome(primary, ids)
    }
    await read(NOTHING)
    await second.catchUp()
    const workers = [writing(), writing(), writing(), writing(), reading(), reading()]
    await enough(30)
    await cut(second)
    await enough(copies.length + 10)
    isOver = true
    await Promise.all(workers)
    await add(primary, 50)
    await read(copies.at(-1) ?? NOTHING)
    await engine.close()
    await first.stop()

    await second.promote()
    const promoted = await engineOn(second.url('almoner'))
    const store = makeStore(promoted)
    for (let n = 0; n < 10; n += 1) await writeSome(store, ids)
    await add(store, 60)
    const almoner = serviceOn(store)
    const expected = await update(almoner, NOTHING)
    const [oldest, ...others] = await Promise.all(copies.map((copy) => update(almoner, copy)))
    t.ok(oldest, 'what the standby had surely is good')
    t.equal(others.at(-1), undefined, 'what it lacks surely is not')
    for (const copy of [oldest, ...others].flatMap((one) => one ?? []))
      t.strictSame(copy.items, expected?.items)
    await promoted.close()
  },
)

t.test(
  'N3: a write that commits after one with a higher number puts no position back, so that no cursor ends',
  async (t) => {
    const { url } = await freshlyMigrated()
    const engine = await engineOn(url)
    const store = makeStore(engine)
    for (const n of [1, 2]) await add(store, n)
    const touch = ({ libraryItems }: Pick<Store, 'libraryItems'>) =>
      done(
        libraryItems.change(sampleId(1), (current: LibraryItem) =>
          E.right({
            item: { ...current, revision: current.revision + 1 },
            storesImages: [],
            displaysImages: [],
            linksToImages: [],
          }),
        ),
      )
    let copy: Copy | undefined
    const written = engine.write(async (db) => {
      await touch(store)
      copy = await update(serviceOn(store), NOTHING)
      await touch(makeStore({ ...engine, write: (work) => async () => work(db) }))
      return E.right(undefined)
    })
    await done(written)
    const current = await update(serviceOn(store), copy ?? NOTHING)
    t.strictSame(current?.items, (await update(serviceOn(store), NOTHING))?.items)
    t.ok(current)
    await engine.close()
  },
)

t.test('N3: another process, and a restart of the same server, begin none', async (t) => {
  const cluster = await startSmallCluster()
  t.teardown(() => cluster.stop())
  await cluster.createDatabase('almoner')
  await migrate(cluster.url('almoner'))
  const epochs = new Set<string>()
  for (const n of [1, 2, 3]) {
    const engine = await engineOn(cluster.url('almoner'))
    const store = makeStore(engine)
    await add(store, n)
    epochs.add((await done(store.changes.tip())).epoch)
    await engine.close()
    if (n === 2) await cluster.restart()
  }
  t.equal(epochs.size, 1)
})
