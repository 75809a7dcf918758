import { type IdempotencyKey, KEY_LIFE, type Receipt, type StoredResponse } from '@almoner/domain/access'
import {
  addMillis,
  type ClientId,
  collect,
  type Email,
  type Instant,
  type LabelId,
  type LabelName,
} from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { sampleDigest } from '../managers/managers.ts'
import { type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import {
  done,
  failure,
  SAMPLE_MOMENT,
  sampleDevice,
  sampleEmail,
  sampleFeedItem,
  sampleId,
  sampleLibraryItem,
  sampleNotification,
} from '../samples.ts'
import { sampleClient } from './access.ts'

/** A store for one test, with its own data. */
export type IdempotencyKeysUnderTest = UnderTest<
  | ('accessTokens' | 'clients' | 'idempotencyKeys' | 'libraryItems' | 'feedItems' | 'labels')
  | ('devices' | 'notifications')
>

const LABEL = { labelId: 'water' as LabelId, en: 'Water' as LabelName, fr: 'Eau' as LabelName }

/** A write that stores a receipt: what the n-th of its kind does, returns and leaves in the store. */
export interface KeyedWrite {
  readonly name: string
  /** Writes the n-th thing with a receipt. */
  readonly write: (
    store: IdempotencyKeysUnderTest,
    n: number,
    receipt: Receipt<unknown>,
  ) => TaskEither<{ readonly _tag: string }, unknown>
  /** The result of the n-th write. */
  readonly result: (n: number) => unknown
  /** Returns whether the store has the n-th thing. */
  readonly isThere: (store: IdempotencyKeysUnderTest, n: number) => Promise<boolean>
}

const edited = (n: number) => ({ ...sampleLibraryItem(n), revision: 2 })

/** Every kind of write that stores a receipt. */
export const KEYED_WRITES: ReadonlyArray<KeyedWrite> = [
  {
    name: 'adding a library item',
    write: ({ libraryItems }, n, receipt) =>
      libraryItems.add({ item: sampleLibraryItem(n), linksToImages: [] }, receipt),
    result: (n) => sampleLibraryItem(n),
    isThere: async ({ libraryItems }, n) => O.isSome(await done(libraryItems.find(sampleId(n)))),
  },
  {
    name: 'adding a feed item',
    write: ({ feedItems }, n, receipt) =>
      feedItems.add({ item: sampleFeedItem(n), linksToImages: [] }, receipt),
    result: (n) => sampleFeedItem(n),
    isThere: async ({ feedItems }, n) => O.isSome(await done(feedItems.find(sampleId(n)))),
  },
  {
    name: 'changing an item',
    write:
      ({ libraryItems }, n, receipt) =>
      async () => {
        if (O.isNone(await done(libraryItems.find(sampleId(n)))))
          await done(libraryItems.add({ item: sampleLibraryItem(n), linksToImages: [] }))
        const item = edited(n)
        return libraryItems.change(
          item.id,
          () => E.right({ item, storesImages: [], displaysImages: [], linksToImages: [] }),
          receipt,
        )()
      },
    result: edited,
    isThere: async ({ libraryItems }, n) => {
      const found = await done(libraryItems.find(sampleId(n)))
      return O.isSome(found) && found.value.revision === 2
    },
  },
  {
    name: 'changing a post',
    write:
      ({ feedItems }, n, receipt) =>
      async () => {
        if (O.isNone(await done(feedItems.find(sampleId(n)))))
          await done(feedItems.add({ item: sampleFeedItem(n), linksToImages: [] }))
        const item = { ...sampleFeedItem(n), revision: 2 }
        const write = { item, storesImages: [], displaysImages: [], linksToImages: [] }
        return feedItems.change<never>(item.id, () => E.right(write), receipt)()
      },
    result: (n) => ({ ...sampleFeedItem(n), revision: 2 }),
    isThere: async ({ feedItems }, n) => {
      const found = await done(feedItems.find(sampleId(n)))
      return O.isSome(found) && found.value.revision === 2
    },
  },
  {
    name: 'attaching a label',
    write:
      ({ feedItems, labels }, n, receipt) =>
      async () => {
        await done(labels.replaceAll([LABEL]))
        if (O.isNone(await done(feedItems.find(sampleId(n)))))
          await done(feedItems.add({ item: sampleFeedItem(n), linksToImages: [] }))
        return labels.attach('feed', sampleId(n), LABEL.labelId, receipt)()
      },
    result: () => LABEL,
    isThere: async ({ labels }, n) => (await done(labels.ofItem('feed', sampleId(n)))).length > 0,
  },
  {
    name: 'attaching a device',
    write: ({ devices }, n, receipt) => devices.attach(sampleDevice(n), receipt),
    result: (n) => sampleDevice(n),
    isThere: async ({ devices }, n) => (await collect(devices.ofUser(sampleEmail(n)))).length > 0,
  },
  {
    name: 'adding a notification',
    write: ({ notifications }, n, receipt) => notifications.add(sampleNotification(n), receipt),
    result: (n) => sampleNotification(n),
    isThere: async ({ notifications }, n) =>
      O.isSome(await done(notifications.find(sampleNotification(n).id))),
  },
]

const refuse = () => E.left({ _tag: 'Refused' } as const)

/** Changes of the first sample that are rejected, by what they change. */
export const REJECTED_CHANGES: Readonly<
  Record<
    string,
    (
      store: IdempotencyKeysUnderTest,
      receipt: Receipt<unknown>,
    ) => TaskEither<{ readonly _tag: string }, unknown>
  >
> = {
  'a publication': ({ libraryItems }, receipt) => libraryItems.change(sampleId(1), refuse, receipt),
  'a post': ({ feedItems }, receipt) => feedItems.change(sampleId(1), refuse, receipt),
}

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
    done(idempotencyKeys.find({ clientId: APP, key: keyOf(n) }, now))
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
      done(
        store.idempotencyKeys.find(
          { clientId: clientId as ClientId, key: key as IdempotencyKey },
          SAMPLE_MOMENT,
        ),
      )
    check.same(await find('other', keyOf(1)), O.none)
    check.same(await find(APP, keyOf(1).toUpperCase()), O.none)
    await done(add(store, 2, receipt(1, { clientId: 'other' as ClientId })))
    // Identifiers that a host gives have spaces, and so have keys.
    const [clientId, key] = ['host:a b' as ClientId, 'c' as IdempotencyKey]
    await done(add(store, 3, receipt(3, { clientId, key })))
    check.ok(O.isSome(await find(clientId, key)))
    check.same(await find('host:a', 'b c'), O.none)
  })

  given('I4: keys of a person’s token belong to the person too', async (check, store) => {
    await done(store.clients.add({ ...sampleClient('app'), id: APP }, 'hash'))
    const [ada, ben] = [sampleEmail(1), sampleEmail(2)]
    const tokens = {
      digest: sampleDigest(1),
      clientId: APP,
      scopes: ['user'],
      expiresAt: SAMPLE_MOMENT,
    } as const
    await done(store.accessTokens.add({ ...tokens, person: ada }))
    const used = (person: Email | undefined) =>
      done(store.idempotencyKeys.find({ clientId: APP, person, key: keyOf(1) }, SAMPLE_MOMENT))
    const write = (n: number, person: Email) =>
      store.feedItems.add(
        { item: sampleFeedItem(n), linksToImages: [] },
        receipt(1, { person, personToken: tokens.digest }),
      )
    await done(write(1, ada))
    check.ok(O.isSome(await used(ada)))
    check.same([await used(ben), await used(undefined)], [O.none, O.none])
    check.same(await failure(write(2, ada)), 'Unavailable')
    await done(add(store, 3, receipt(1)))
    await done(write(4, ben))
    check.same(await used(ben), O.none, 'the token is not that person’s')
    check.same(await done(store.idempotencyKeys.forget(ada)), 1)
    check.same([await used(ada), O.isSome(await used(undefined))], [O.none, true])
  })

  given('I4, L1: a change of a person whose token has ended keeps no key', async (check, store) => {
    await done(store.feedItems.add({ item: sampleFeedItem(1), linksToImages: [] }))
    const item = { ...sampleFeedItem(1), revision: 2 }
    const written = () => E.right({ item, storesImages: [], displaysImages: [], linksToImages: [] })
    const person = { person: sampleEmail(1), personToken: sampleDigest(1) }
    await done(store.feedItems.change(item.id, written, receipt(1, person)))
    const key = { clientId: APP, person: person.person, key: keyOf(1) }
    check.same(await done(store.idempotencyKeys.find(key, SAMPLE_MOMENT)), O.none)
    check.same(await done(store.feedItems.find(item.id)), O.some(item))
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
