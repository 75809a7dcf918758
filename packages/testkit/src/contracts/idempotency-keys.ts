import { type IdempotencyKey, KEY_LIFE, type Receipt, type StoredResponse } from '@almoner/domain/access'
import { addMillis, type ClientId, type Instant } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type IdempotencyKeysUnderTest, KEYED_WRITES, REJECTED_CHANGES } from './keyed-writes.ts'
import { type ContractRunner, onEach } from './runner.ts'
import { done, failure, sampleFeedItem, sampleLibraryItem } from './samples.ts'
import { SAMPLE_MOMENT, sampleDevice, sampleEmail, sampleNotification } from './samples-people.ts'

export type { IdempotencyKeysUnderTest } from './keyed-writes.ts'

const APP = 'app' as ClientId

const keyOf = (n: number): IdempotencyKey => `key ${n}` as IdempotencyKey

const responseOf = (result: unknown): StoredResponse => ({
  status: 200,
  contentType: O.some('application/json; charset=utf-8'),
  etag: O.some('"é"'),
  body: JSON.stringify(result),
})

const receipt = (n: number, over: Partial<Receipt<unknown>> = {}): Receipt<unknown> => ({
  clientId: APP,
  key: keyOf(n),
  digest: `digest ${n}`,
  at: SAMPLE_MOMENT,
  about: O.none,
  responseTo: responseOf,
  ...over,
})

/** Contract tests of `IdempotencyKeys`, together with the stores of the writes that accept keys. */
export const idempotencyKeysContract = (
  runner: ContractRunner,
  make: () => Promise<IdempotencyKeysUnderTest>,
): void => {
  const given = onEach(runner, make)
  const find = ({ idempotencyKeys }: IdempotencyKeysUnderTest, n: number, now: Instant = SAMPLE_MOMENT) =>
    done(idempotencyKeys.find(APP, keyOf(n), now))
  const add = ({ notifications }: IdempotencyKeysUnderTest, n: number, one: Receipt<unknown>) =>
    notifications.add(sampleNotification(n), one)

  for (const { name, write, result, isThere } of KEYED_WRITES) {
    given(`I4: ${name} stores its key and its response`, async (check, store) => {
      await done(write(store, 1, receipt(1)))
      check.ok(await isThere(store, 1))
      const use = O.some({ digest: 'digest 1', response: responseOf(result(1)) })
      check.same(await find(store, 1, addMillis(SAMPLE_MOMENT, KEY_LIFE - 1)), use)
      check.same(
        await find(store, 1, addMillis(SAMPLE_MOMENT, KEY_LIFE)),
        O.none,
        'by the time of the request',
      )
    })

    given(`I4: ${name} with a used key changes nothing`, async (check, store) => {
      await done(write(store, 1, receipt(1)))
      check.same(await failure(write(store, 2, receipt(1, { digest: 'another' }))), 'Unavailable')
      check.ok(!(await isThere(store, 2)))
      check.same(await find(store, 1), O.some({ digest: 'digest 1', response: responseOf(result(1)) }))
    })
  }

  given('I4: of two concurrent writes with one key, one is done', async (check, store) => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) => failure(add(store, n, receipt(1)))),
    )
    check.same(outcomes.filter((outcome) => outcome === 'none').length, 1)
    check.same(outcomes.filter((outcome) => outcome === 'Unavailable').length, 7)
    const there = await Promise.all(
      outcomes.map(async (_, n) => O.isSome(await done(store.notifications.find(sampleNotification(n).id)))),
    )
    check.same(
      there,
      outcomes.map((outcome) => outcome === 'none'),
    )
  })

  for (const [name, reject] of Object.entries(REJECTED_CHANGES))
    given(`I4: a rejected change of ${name} leaves its key free`, async (check, store) => {
      check.same(await failure(reject(store, receipt(1))), 'ItemNotFound')
      await done(store.libraryItems.add({ item: sampleLibraryItem(1), linksToImages: [] }))
      await done(store.feedItems.add({ item: sampleFeedItem(1), linksToImages: [] }))
      check.same(await failure(reject(store, receipt(1))), 'Refused')
      check.same(await find(store, 1), O.none)
      await done(add(store, 1, receipt(1)))
    })

  given('I4: keys belong to their client and are case-sensitive', async (check, store) => {
    await done(add(store, 1, receipt(1)))
    const find = (clientId: string, key: string) =>
      done(store.idempotencyKeys.find(clientId as ClientId, key as IdempotencyKey, SAMPLE_MOMENT))
    check.same(await find('other', keyOf(1)), O.none)
    check.same(await find(APP, keyOf(1).toUpperCase()), O.none)
    await done(add(store, 2, receipt(1, { clientId: 'other' as ClientId })))
  })

  given('I4: after 24 hours a key is free again', async (check, store) => {
    await done(add(store, 1, receipt(1)))
    const last = addMillis(SAMPLE_MOMENT, KEY_LIFE - 1)
    const over = addMillis(SAMPLE_MOMENT, KEY_LIFE)
    check.ok(O.isSome(await find(store, 1, last)))
    check.same(await find(store, 1, over), O.none)
    check.same(await failure(add(store, 2, receipt(1, { at: last }))), 'Unavailable')
    await done(add(store, 2, receipt(1, { at: over, digest: 'new' })))
    const found = await find(store, 1, over)
    check.same(O.isSome(found) && found.value.digest, 'new')
  })

  given('I4: purging deletes expired keys', async (check, store) => {
    for (const n of [1, 2, 3]) await done(add(store, n, receipt(n, { at: addMillis(SAMPLE_MOMENT, n) })))
    check.same(await done(store.idempotencyKeys.purge(addMillis(SAMPLE_MOMENT, KEY_LIFE + 2))), 2)
    check.same(await done(store.idempotencyKeys.purge(addMillis(SAMPLE_MOMENT, KEY_LIFE + 2))), 0)
    check.ok(O.isSome(await find(store, 3)))
  })

  given('I4, L1: responses about a user can be deleted', async (check, store) => {
    await done(store.devices.attach(sampleDevice(1), receipt(1, { about: O.some(sampleEmail(1)) })))
    await done(store.devices.attach(sampleDevice(2), receipt(2, { about: O.some(sampleEmail(2)) })))
    await done(add(store, 3, receipt(3)))
    check.same(await done(store.idempotencyKeys.forget(sampleEmail(1))), 1)
    check.same(await find(store, 1), O.none)
    check.ok(O.isSome(await find(store, 2)))
    check.ok(O.isSome(await find(store, 3)))
  })

  given('I4: a response without body, type and tag is stored unchanged', async (check, store) => {
    const empty: StoredResponse = { status: 200, contentType: O.none, etag: O.none, body: '' }
    await done(add(store, 1, receipt(1, { responseTo: () => empty })))
    check.same(await find(store, 1), O.some({ digest: 'digest 1', response: empty }))
  })
}
