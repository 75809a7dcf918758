import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DATA_AREAS, type DataPart, itemPart } from '@almoner/domain/history'
import { done, sampleId } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import pg from 'pg'
import t, { type Test } from 'tap'
import {
  type Change,
  look,
  makePurge,
  makeSender,
  makeTransactionCounter,
  recordOf,
  signalIn,
  textOf,
} from '../src/signals.ts'
import { engineOn, freshlyMigrated } from './store-of.ts'

// Signals are sent apart from the commits that they are of, and none is lost (I8).

const part: fc.Arbitrary<DataPart> = fc.oneof(
  fc.nat({ max: 300 }).map((n) => itemPart('feed', sampleId(n))),
  fc.constantFrom(...DATA_AREAS),
)
const change: fc.Arbitrary<Change> = fc.option(fc.array(part, { minLength: 1, maxLength: 5 }), {
  nil: undefined,
  freq: 20,
})
const xid = fc.bigInt({ min: 1n, max: 2n ** 53n }).map(String)
const signals = fc.array(fc.record({ change, xid: fc.option(xid, { nil: undefined, freq: 9 }) }), {
  minLength: 1,
  maxLength: 500,
})

/** Whether one change includes another. */
const includes = (whole: Change, other: Change): boolean =>
  whole === undefined ||
  (other?.every((one) => whole.includes(one) || whole.includes(one.replace(/\/.*/, '') as DataPart)) ?? false)

t.test('I8: one notification names what many commits changed, in less than 8,000 bytes', (t) => {
  fc.assert(
    fc.property(signals, (sent) => {
      const text = textOf(sent)
      const heard = signalIn(`AF0/1B00 ${text}`)
      const xids = sent.flatMap(({ xid }) => xid ?? [])
      return (
        Buffer.byteLength(`FFFFFFFF/FFFFFFFF ${text}`) < 8000 &&
        sent.every(({ change }) => includes(heard.change, change)) &&
        (heard.xids.length === 0 || heard.xids.join() === xids.join())
      )
    }),
  )
  const both = textOf([
    { change: ['feed'], xid: '7' },
    { change: ['labels'], xid: '8' },
  ])
  t.strictSame(signalIn(`0/15 ${both}`), { position: '0/15', change: ['feed', 'labels'], xids: ['7', '8'] })
  for (const text of [undefined, '', 'content', 'feed;7', 'feed', '0/ feed'])
    t.strictSame(signalIn(text), { position: undefined, change: undefined, xids: [] }, 'of another release')
  t.end()
})

t.test('I8: while a notification is sent, the signals of other commits wait for one more', async (t) => {
  const sent: Array<string> = []
  const arrivals = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ]
  const release = Promise.withResolvers<void>()
  const sender = makeSender(async (text) => {
    arrivals[sent.push(text) - 1]?.resolve()
    await release.promise
    throw new Error('cannot be sent')
  })
  const add = (xid: number) => sender.add({ change: ['people'], xid: String(xid) })
  add(1)
  t.strictSame(sent, ['people;1'], 'at once')
  for (let n = 2; n <= 100; n += 1) add(n)
  t.equal(sent.length, 1)
  release.resolve()
  await arrivals[1]?.promise
  t.equal(
    sent[1],
    `people;${Array.from({ length: 99 }, (_, n) => n + 2).join(' ')}`,
    'though the first failed',
  )
  add(101)
  sender.close()
  await arrivals[2]?.promise
  t.strictSame(sent.slice(2), ['people;101'], 'the rest goes when the database closes')
})

t.test('I8: a transaction is counted once, in each order in which its process learns of it', (t) => {
  const counter = makeTransactionCounter()
  const version = () => counter.version()
  counter.addOwn({ change: ['feed'], xid: '1' })
  const own = version()
  counter.addHeard(['feed'], ['1'])
  t.equal(version(), own, 'its own notification, or its row')
  counter.addHeard(['feed', 'labels'], ['1', '2'])
  t.not(version(), own, 'one of two is new')
  const both = version()
  counter.addHeard(['labels'], ['2'])
  t.equal(version(), both)
  counter.addHeard(['labels'], [])
  t.not(version(), both, 'without numbers any may be new')
  const heard = version()
  counter.addOwn({ change: ['feed'], xid: '2' })
  t.not(version(), heard, 'its own commit always: its server may give other numbers')
  counter.addAnything()
  const before = version()
  counter.addHeard(['labels'], ['2'])
  t.not(version(), before, 'so may those that are heard after a reconnection')
  for (let n = 0; n < 10_000; n += 1) counter.addOwn({ change: ['feed'], xid: `1${n}` })
  const many = version()
  counter.addHeard(['feed'], ['19999'])
  t.equal(version(), many)
  counter.addHeard(['feed'], ['10'])
  t.not(version(), many, 'the number known is bounded')
  t.end()
})

/** A database without signals, and clients that each run a transaction at a time. */
const withClients = async (t: Test, count: number) => {
  const { url } = await freshlyMigrated()
  const clients = Array.from({ length: count }, () => new pg.Client(url))
  await Promise.all(clients.map((client) => client.connect()))
  t.teardown(() => Promise.all(clients.map((client) => client.end())))
  const [first] = clients as [pg.Client]
  const ask = (text: string, values?: ReadonlyArray<unknown>) => first.query(text, values && [...values])
  await ask('delete from change_signal')
  return { clients: clients.slice(1), ask }
}

type Ask = Awaited<ReturnType<typeof withClients>>['ask']

/** Begins a chain of looks. */
const startReader = async (ask: Ask) => {
  let last = await look(ask)
  return async () => {
    last = await look(ask, last.seen)
    return last.signals
  }
}

const NUMBER = 'select pg_current_xact_id()::text as xid'

t.test('I8: each committed transaction is read once, whenever it began', async (t) => {
  const { clients, ask } = await withClients(t, 5)
  const step = fc.record({
    client: fc.integer({ min: -1, max: clients.length - 1 }),
    end: fc.constantFrom('commit', 'commit', 'rollback'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const read = await startReader(ask)
      const running = new Map<pg.Client, string>()
      const committed: Array<string> = []
      const isComplete = async () => {
        const found = (await read()).map(({ xid }) => xid)
        return found.sort().join() === committed.splice(0).sort().join()
      }
      const end = async (client: pg.Client, how: string) => {
        if (how === 'commit') {
          committed.push(running.get(client) ?? '')
          await client.query(recordOf(['feed']))
        }
        await client.query(how)
        running.delete(client)
      }
      let isRight = true
      for (const { client: n, end: how } of steps) {
        const client = clients[n]
        if (client === undefined) isRight &&= await isComplete()
        else if (running.has(client)) await end(client, how)
        else {
          await client.query('begin')
          running.set(client, (await client.query(NUMBER)).rows[0].xid)
        }
      }
      for (const client of [...running.keys()]) await end(client, 'commit')
      return (await isComplete()) && isRight
    }),
    { numRuns: 30 },
  )
})

t.test('I8: too many signals at a time count as a change of anything', async (t) => {
  const { ask } = await withClients(t, 1)
  const first = await look(ask)
  // Each of the numbers is one that the server has given since.
  await ask(`do $$ begin for n in 1..2100 loop ${recordOf(['feed'])}; commit; end loop; end $$`)
  const second = await look(ask, first.seen)
  const third = await look(ask, second.seen)
  t.strictSame(second.signals, [{ change: undefined }])
  t.strictSame(third.signals, [])
  for (const { position, time } of [first, second, third]) {
    t.match(position, /^[\dA-F]+\/[\dA-F]+$/, 'the position of the log at each look')
    t.ok(Math.abs(time - Date.now()) < 600_000, 'and the time')
  }
})

const left = async (ask: Ask) =>
  (await ask('select xid::text from change_signal order by xid')).rows.map(({ xid }) => String(xid))

t.test(
  'I8: a purge deletes what had been committed before the last one, and what another server has numbered',
  async (t) => {
    const { clients, ask } = await withClients(t, 2)
    const [late] = clients as [pg.Client]
    const read = await startReader(ask)
    await late.query('begin')
    const lateXid = (await late.query(NUMBER)).rows[0].xid
    await ask(recordOf(['feed']))
    const foreign = '9000000000000000'
    await ask(`insert into change_signal values (${foreign}, 1, 'feed')`)
    const purge = makePurge()
    await purge(ask)
    t.equal((await left(ask)).length, 2)
    await late.query(recordOf(['labels']))
    await late.query('commit')
    await purge(ask)
    t.strictSame(await left(ask), [lateXid], 'it ran when the last purge began')
    t.strictSame(await read(), [{ xid: lateXid, change: ['labels'] }])
    await purge(ask)
    t.strictSame(await left(ask), [])
  },
)

t.test('I8: a restored database may hold signals with the numbers of transactions to come', async (t) => {
  const { clients, ask } = await withClients(t, 2)
  const [client] = clients as [pg.Client]
  await ask(`insert into change_signal select pg_snapshot_xmax(pg_current_snapshot())::text::bigint + n, 1, 'feed'
    from generate_series(0, 99) as n`)
  const read = await startReader(ask)
  await client.query('begin')
  const { xid } = (await client.query(NUMBER)).rows[0]
  await client.query(recordOf(['labels']))
  await client.query('commit')
  const found = await read()
  t.ok(found.some((one) => one.xid === xid && one.change?.join() === 'labels'))
})

t.test('I8: quiet writes and undone ones leave no signal', async (t) => {
  const { url } = await freshlyMigrated()
  const database = await engineOn(url)
  const rows = async () =>
    (
      await done(
        database.read((db) =>
          db
            .selectFrom('change_signal' as never)
            .selectAll()
            .execute(),
        ),
      )
    ).length
  const before = await rows()
  await done(database.write(async () => E.right(undefined), { notify: ['feed'] }))
  t.equal(await rows(), before + 1)
  await done(database.write(async () => E.right(undefined), { notify: 'none' }))
  await database.write(async () => E.left('refused'), { notify: ['feed'] })()
  t.equal(await rows(), before + 1)
  await database.close()
})

t.test('I8: others hear of what a process changed that was killed between commit and signal', async (t) => {
  const { url } = await freshlyMigrated()
  const [mine, theirs] = [await engineOn(url), await engineOn(url)]
  const anything = () => mine.version(['portfolio'])
  for (const before = anything(); anything() === before; ) await pause(5)
  for (;;) {
    const [before, known] = [mine.version(['labels']), anything()]
    const child = spawn(process.execPath, [join(import.meta.dirname, 'killed-before-signal.ts'), url], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [, signal] = await once(child, 'exit')
    t.equal(signal, 'SIGKILL')
    while (mine.version(['labels']) === before) await pause(5)
    // If the server did not answer in time, anything may have changed: then this shows nothing.
    if (anything() === known) break
  }
  await mine.close()
  await theirs.close()
})
