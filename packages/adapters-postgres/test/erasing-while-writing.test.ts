import type { Email } from '@almoner/domain'
import { commandActor } from '@almoner/domain/access'
import {
  done,
  givePerson,
  PERSONAL_TEXTS,
  PERSONAL_WRITES,
  SAMPLE_MOMENT,
  sampleDevice,
} from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t from 'tap'
import { areWaiting, dumpOf, holding } from './held-locks.ts'
import { freshStore, type Opened, storeOn } from './store-of.ts'

// L1: a write for a person and the erasure of that person, each stopped in the middle of its transaction by a lock while the other one comes.

const [PERSON] = PERSONAL_TEXTS as ReadonlyArray<Email> as readonly [Email]

const eraseOn = ({ personalData }: Opened) => personalData.erase(PERSON, SAMPLE_MOMENT)()

/** The table that an erasure writes last but one, when nearly everything is deleted. */
const LATE_IN_ERASURE = 'working_copy'

const tables = (name: string) => `lock table ${name} in exclusive mode`

for (const { name, begin, afterErasure, lastTable } of PERSONAL_WRITES) {
  t.test(`L1: an erasure waits for ${name} that has looked up its binding, and erases it`, async (t) => {
    const store = await freshStore()
    const locks = await storeOn(store.url)
    await givePerson(store)
    const write = await begin(store)
    const release = await holding(locks, tables(lastTable))
    const writing = write()
    await areWaiting(locks, 1)
    const erasing = eraseOn(store)
    await areWaiting(locks, 2, erasing)
    await release()
    t.match(await writing, { _tag: 'Right' })
    t.match(await erasing, { _tag: 'Right' })
    const left = await dumpOf(store)
    for (const text of PERSONAL_TEXTS) t.notMatch(left, text)
    await locks.close()
    await store.close()
  })

  t.test(`A9, L1: ${name} waits for an erasure, and comes after it`, async (t) => {
    const store = await freshStore()
    const locks = await storeOn(store.url)
    await givePerson(store)
    const write = await begin(store)
    const release = await holding(locks, tables(LATE_IN_ERASURE))
    const erasing = eraseOn(store)
    await areWaiting(locks, 1)
    const writing = write()
    await areWaiting(locks, 2, writing)
    await release()
    t.match(await erasing, { _tag: 'Right' })
    const outcome = await writing
    t.equal(E.isLeft(outcome) ? outcome.left._tag : undefined, afterErasure)
    const left = await dumpOf(store)
    for (const text of PERSONAL_TEXTS) t.notMatch(left, text)
    await locks.close()
    await store.close()
  })
}

/** Writes for an address that an operator or a client with `user-manager` names: they need no binding. */
const NAMED = {
  'attaching a device': (store: Opened) =>
    store.devices.attach(sampleDevice(3, { email: PERSON }), undefined, act('attach-device')),
  'setting a preference': (store: Opened) =>
    store.users.prefer(PERSON, { lang: 'fr' }, act('set-preference')),
  'an import': (store: Opened) =>
    store.users.putAll([{ email: PERSON, lang: 'fr', subscribed: true }], act('import-users')),
}

const act = (action: 'attach-device' | 'set-preference' | 'import-users') => ({
  ...{ actor: commandActor('test'), at: SAMPLE_MOMENT },
  action,
})

for (const [name, write] of Object.entries(NAMED))
  for (const isKnown of [true, false]) {
    const whom = isKnown ? 'a known' : 'an unknown'

    t.test(`L1: ${name} for ${whom} address comes wholly before an erasure that waits for it`, async (t) => {
      const store = await freshStore()
      const locks = await storeOn(store.url)
      if (isKnown) await givePerson(store)
      const release = await holding(locks, tables('audit_record'))
      const writing = write(store)()
      await areWaiting(locks, 1)
      const erasing = eraseOn(store)
      await areWaiting(locks, 2, erasing)
      await release()
      t.match([await writing, await erasing], [{ _tag: 'Right' }, { _tag: 'Right' }])
      t.notMatch(await dumpOf(store), PERSON)
      await locks.close()
      await store.close()
    })

    t.test(`L1: ${name} for ${whom} address comes wholly after an erasure that it waits for`, async (t) => {
      const store = await freshStore()
      const locks = await storeOn(store.url)
      if (isKnown) await givePerson(store)
      const release = await holding(locks, tables(LATE_IN_ERASURE))
      const erasing = eraseOn(store)
      await areWaiting(locks, 1)
      const writing = write(store)()
      await areWaiting(locks, 2, writing)
      await release()
      t.match(await erasing, isKnown ? { _tag: 'Right' } : { left: { _tag: 'UserNotFound' } })
      t.match(await writing, { _tag: 'Right' })
      const { user, devices, clients } = await done(store.personalData.find(PERSON))
      t.match(user, { _tag: 'Some' })
      t.equal(devices.length, name === 'attaching a device' ? 1 : 0)
      t.strictSame(clients, [])
      await locks.close()
      await store.close()
    })
  }

t.test('L1: restoring dead devices does not bring back a user who is erased meanwhile', async (t) => {
  const store = await freshStore()
  const locks = await storeOn(store.url)
  await givePerson(store)
  await done(
    store.database.write(async (db) =>
      E.right(
        await sql`with gone as (delete from device returning token_digest, token, email, kind, attached_at)
          insert into dead_device (token_digest, token, email, kind, attached_at, detached_at)
          select *, 1 from gone`.execute(db),
      ),
    ),
  )
  const release = await holding(locks, tables(LATE_IN_ERASURE))
  const erasing = eraseOn(store)
  await areWaiting(locks, 1)
  const restoring = store.deadDevices.restore({ provider: O.none, since: O.none })()
  await areWaiting(locks, 2, restoring)
  await release()
  t.match([await erasing, await restoring], [{ _tag: 'Right' }, { _tag: 'Right' }])
  const left = await dumpOf(store)
  for (const text of PERSONAL_TEXTS) t.notMatch(left, text)
  await locks.close()
  await store.close()
})
