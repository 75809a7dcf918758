import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { makeStore } from '@almoner/adapters-kysely'
import {
  done,
  failure,
  SAMPLE_MOMENT,
  sampleEmail,
  sampleMoment,
  sampleNotification,
} from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import * as O from 'fp-ts/lib/Option.js'
import t, { type Test } from 'tap'
import { CALLED_DEAD, callDeadAgain } from './sending/dead-and-attached.ts'
import {
  DELETED,
  deleteBySql,
  PURGED,
  PURGED_ALL,
  purgeOneOfTwo,
  purgeWithLostStep,
} from './sending/retained.ts'
import {
  again,
  begin,
  claim,
  claimed,
  emails,
  fill,
  finishedWith,
  type Opened,
  record,
  serve,
} from './sending/served.ts'
import { storeOf } from './store-of.ts'

const withStore = (name: string, body: (t: Test, store: Opened, file: string) => Promise<void>) =>
  t.test(name, async (t) => {
    const file = join(t.testdir(), 'almoner.db')
    const store = await storeOf(file)
    await body(t, store, file)
    await store.close()
  })

const LIFE = 86_400_000

withStore('G4: many later readers of the language are skipped', async (t, store) => {
  await fill(store, 0, 1)
  await fill(store, 1, 301, 'fr')
  await fill(store, 301, 303)
  const id = await begin(store)
  await done(store.users.putAll(emails(1, 301).map((email) => ({ email, lang: 'en', subscribed: true }))))
  await done(store.users.prefer(sampleEmail(302), { subscribed: false }))
  t.strictSame(await serve(store, 2), [[sampleEmail(0)], [sampleEmail(301), sampleEmail(302)]])
  t.equal(await finishedWith(store, id), 3)
})

withStore('G4: many recipients who are no longer readers are still processed', async (t, store) => {
  await fill(store, 0, 300)
  const id = await begin(store)
  await done(
    store.users.putAll(emails(0, 300).map((email, n) => ({ email, lang: 'fr', subscribed: n % 2 > 0 }))),
  )
  const batches = await serve(store, 7)
  t.strictSame(batches.flat(), emails(0, 300))
  t.equal(batches.length, Math.ceil(300 / 7), 'in batches of the same size')
  t.equal(await finishedWith(store, id), 300)
})

withStore('a batch is split when the next claim takes fewer at a time', async (t, store) => {
  await fill(store, 0, 10)
  const id = await begin(store)
  await done(store.deliveries.releaseClaim((await claimed(store, 10)).claim))
  const parts: Array<ReadonlyArray<string>> = []
  for (let batch = await claim(store, 4); batch; batch = await claim(store, 4)) {
    parts.push(batch.recipients.map(({ email }) => email))
    await record(store, batch, { result: again(sampleMoment(60)) })
  }
  t.strictSame(parts, [emails(0, 4), emails(4, 8), emails(8, 10)])
  const now = sampleMoment(60)
  await done(store.deliveries.releaseClaim((await claimed(store, 10, now)).claim))
  t.strictSame(await serve(store, 4, now), [emails(0, 4), emails(4, 8), emails(8, 10)], 'retries too')
  t.equal(await finishedWith(store, id), 10)
})

withStore('G5: processes on one file send to each recipient once', async (t, store, file) => {
  const other = await storeOf(file)
  await fill(store, 0, 400)
  const ids = [sampleNotification(1), sampleNotification(2)]
  for (const notification of ids) await done(store.notifications.add(notification))
  const taken = await Promise.all(
    [store, other, store, other].map(({ deliveries }) => done(deliveries.start(SAMPLE_MOMENT, LIFE))),
  )
  t.strictSame(
    taken.flat().sort(),
    ids.map(({ id }) => id),
    'one process starts each notification',
  )
  const served = await Promise.all([serve(store, 20), serve(other, 20), serve(store, 20), serve(other, 20)])
  t.strictSame(served.flat(2).sort(), [...emails(0, 400), ...emails(0, 400)].sort())
  for (const { id } of ids) t.equal(await finishedWith(other, id), 400)
  await other.close()
})

withStore(
  'G5: a process cannot record results of a batch that another process has taken over',
  async (t, store, file) => {
    const other = await storeOf(file)
    await fill(store, 0, 4)
    const id = await begin(store)
    const mine = await claimed(store, 4)
    const theirs = await claimed(other, 4, sampleMoment(30))
    t.strictSame(theirs.recipients, mine.recipients)
    t.ok(theirs.claim.fence > mine.claim.fence)
    t.equal(
      await failure(
        store.deliveries.record(mine.claim, [], { now: SAMPLE_MOMENT, last: true, credentials: {} }),
      ),
      'ClaimLost',
    )
    t.equal(
      await failure(store.deliveries.checkEligibility(mine.claim, mine.recipients, SAMPLE_MOMENT)),
      'ClaimLost',
    )
    await record(other, theirs)
    t.equal(await finishedWith(store, id), 4)
    await other.close()
  },
)

withStore('if nothing is due and nothing can be claimed, no lock is needed', async (t, store, file) => {
  await fill(store, 0, 2)
  await begin(store)
  await claimed(store, 2)
  const other = new Database(file)
  other.exec('begin immediate')
  t.strictSame(await done(store.deliveries.start(SAMPLE_MOMENT, LIFE)), [])
  t.equal(await claim(store, 2), undefined)
  t.match(await done(store.deliveries.backlog()), { sending: 1, claimed: 1, nextRetry: O.none })
  other.exec('rollback')
  other.close()
})

withStore('F2: a large import lets other writes run in between', async (t, store) => {
  const users = emails(0, 1000).map((email) => ({ email, lang: 'en' as const, subscribed: true }))
  let results = 0
  let imported = false
  const importing = done(store.users.putAll(users)).then(() => {
    imported = true
  })
  while (!imported) {
    await nextTurn()
    results += 1
  }
  await importing
  t.ok(results >= 10, `${results} writes`)
})

withStore('G3: rows of a deleted notification are purged in steps', async (t, store) => {
  await fill(store, 0, 4500)
  const id = await begin(store)
  for (let batch = 0; batch < 9; batch += 1) await record(store, await claimed(store, 500))
  await done(store.notifications.remove(id))
  const parts: Array<number> = []
  do parts.push(await done(store.notifications.purge()))
  while (parts.at(-1) !== 0)
  t.strictSame(parts, [2000, 2000, 500 + 9 + 1, 0], 'outcomes, batches and the delivery itself')
})

withStore('G5: a token that is both attached and dead can be called dead again', async (t, store) => {
  t.strictSame(await callDeadAgain(store), CALLED_DEAD)
})

withStore('F2: a large import commits in steps, so that no write waits for all of it', async (t, store) => {
  const users = emails(0, 2500).map((email) => ({ email, lang: 'fr' as const, subscribed: true }))
  let commits = 0
  const { users: counted } = makeStore({
    ...store.database,
    write: (work, options) => {
      commits += 1
      return store.database.write(work, options)
    },
  })
  await done(counted.putAll(users))
  t.equal(commits, 3)
  t.match(await done(store.users.find(sampleEmail(2499))), O.some({ lang: 'fr' }))
})

withStore('G8: per-device rows are deleted in small steps, with recipient snapshots', async (t, store) => {
  t.strictSame(await purgeOneOfTwo(store), PURGED)
})

withStore('G8: rows of a step that was rolled back are deleted too', async (t, store) => {
  t.strictSame(await purgeWithLostStep(store), PURGED_ALL)
})

withStore('G8: claims end even if a notification is deleted by SQL', async (t, store) => {
  t.strictSame(await deleteBySql(store), DELETED)
})

withStore('G8: deleting per-device rows does not clear the caches', async (t, store) => {
  await fill(store, 0, 2)
  await begin(store)
  await serve(store, 5)
  const version = store.database.version()
  t.equal(await done(store.retention.purgeNotifications(sampleMoment(-1))), 0)
  t.equal(await done(store.retention.purgeDeliveries(SAMPLE_MOMENT)), 4)
  t.equal(await done(store.retention.purgeDeliveries(SAMPLE_MOMENT)), 0)
  t.equal(store.database.version(), version)
})
