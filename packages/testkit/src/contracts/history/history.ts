import type { Act, Receipt } from '@almoner/domain/access'
import {
  feedFields,
  type LibraryItem,
  libraryFields,
  nextRevision,
  setLibraryImage,
} from '@almoner/domain/content'
import type { AuditQuery, Fields, Revision } from '@almoner/domain/history'
import { stored } from '@almoner/domain/media'
import { collect, instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, seeded } from '../runner.ts'
import {
  done,
  failure,
  SAMPLE_MOMENT,
  sampleFeedItem,
  sampleId,
  sampleImage,
  sampleLibraryItem,
} from '../samples.ts'
import { historyActsContract, historyPeopleContract } from './acts.ts'
import {
  add,
  BY_APP,
  CREATED,
  change,
  givenHistory,
  type HistoryUnderTest,
  historyAuditContract,
  library,
  records,
  revisions,
  titled,
  WHOLE,
} from './fixture.ts'

/** Returns the state that changes, oldest first, lead to. */
const replayed = (revisions: ReadonlyArray<Revision>): Fields =>
  Object.fromEntries(
    revisions.flatMap(({ changes }) => changes.map(({ field, after }) => [field, after ?? ''])),
  )

/** A write that changed a field. */
interface Written {
  readonly revision: number
  readonly state: Fields
  readonly actor: string
}

/** Adds and changes four items; some changes are rejected, and some change no field. Returns the writes that left a record. */
const writeAtRandom = async (store: HistoryUnderTest, seed: number) => {
  const below = seeded(seed)
  const written = new Map<number, Array<Written>>()
  const changeOne = async (n: number, act: Act): Promise<Written | undefined> => {
    const title = `Title ${below(3)}`
    const isRejected = below(5) === 0
    const before = await done(store.libraryItems.find(sampleId(n)))
    const changed = await store.libraryItems.change(sampleId(n), (current) => {
      const item = nextRevision(titled(title)(current), instant(current.updatedAt + 1))
      const write = { item, storesImages: [], displaysImages: [], linksToImages: [], act }
      return isRejected ? E.left({ _tag: 'Stop' as const }) : E.right(write)
    })()
    if (E.isLeft(changed) || (O.isSome(before) && before.value.title === title)) return undefined
    const { item } = changed.right
    return { revision: item.revision, state: libraryFields(item), actor: act.actor.id }
  }
  for (let step = 0; step < 60; step += 1) {
    const n = below(4)
    const act: Act = { actor: { kind: 'client', id: `app-${below(3)}` }, action: 'update' }
    const earlier = written.get(n)
    if (earlier === undefined) {
      await add(store, n, act)
      written.set(n, [{ revision: 1, state: libraryFields(sampleLibraryItem(n)), actor: act.actor.id }])
    } else {
      const one = await changeOne(n, act)
      if (one !== undefined) earlier.push(one)
    }
  }
  return written
}

/** Whether a history is the sequence of the writes: for random writes, revisions and states are those of a model. */
export const historySequenceContract = (
  runner: ContractRunner,
  make: () => Promise<HistoryUnderTest>,
): void => {
  const given = givenHistory(runner, make)
  for (const seed of [1, 2, 3])
    given(`K1, K2: the history is the sequence of the writes (seed ${seed})`, async (check, store) => {
      const written = await writeAtRandom(store, seed)
      for (const [n, expected] of written) {
        const found = [...(await revisions(store, n))].reverse()
        check.same(
          found.map(({ number, actor }) => [number.value, actor.id]),
          expected.map(({ revision, actor }) => [revision, actor]),
        )
        for (const [at, { revision, state }] of expected.entries()) {
          check.same(replayed(found.slice(0, at + 1)), state)
          check.same(await done(store.history.stateAt(library(n), revision)), O.some(state))
        }
      }
      const total = [...written.values()].reduce((sum, { length }) => sum + length, 0)
      check.same((await records(store)).length, total)
    })
}

export type { HistoryUnderTest } from './fixture.ts'

const receipt = (n: number): Receipt<unknown> => ({
  clientId: 'app' as never,
  key: `key ${n}` as never,
  digest: '',
  at: SAMPLE_MOMENT,
  about: O.none,
  responseTo: () => ({ status: 200, contentType: O.none, etag: O.none, body: '' }),
})

/** Purges until nothing is left; returns how many records went. */
const purgeAll = async ({ history }: HistoryUnderTest, madeBy: number): Promise<number> => {
  for (let total = 0; ; ) {
    const step = await done(history.purge(instant(madeBy)))
    if (step === 0) return total
    total += step
  }
}

/** What every `History` must do, with the stores whose changes it records. */
export const historyContract = (runner: ContractRunner, make: () => Promise<HistoryUnderTest>): void => {
  const given = givenHistory(runner, make)

  given('K2: a creation changes every field, from null', async (check, store) => {
    await add(store, 1)
    const [first, ...others] = await revisions(store, 1)
    check.same(others, [])
    const fields = libraryFields(sampleLibraryItem(1))
    check.same(first, {
      at: sampleLibraryItem(1).updatedAt,
      actor: CREATED.actor,
      action: 'create',
      subject: { kind: 'library', id: sampleId(1) },
      number: O.some(1),
      changes: Object.entries(fields).map(([field, after]) => ({ field, before: null, after })),
    })
    check.same(await records(store), [first])
  })

  given('K1: a change names each changed field before and after, and no other', async (check, store) => {
    await add(store, 1)
    const before = sampleLibraryItem(1)
    await done(change(store, 1, (item) => ({ ...titled('Other')(item), lang: 'fr' })))
    const [latest] = await revisions(store, 1)
    check.same(latest?.number, O.some(2))
    check.same(
      new Set(latest?.changes),
      new Set([
        { field: 'lang', before: 'en', after: 'fr' },
        { field: 'itemTitle', before: before.title, after: 'Other' },
      ]),
    )
  })

  given('K1: what changes no field, is rejected or fails leaves no record', async (check, store) => {
    await add(store, 1)
    await done(change(store, 1, (item) => item))
    check.same(await failure(change(store, 9, titled('Other'))), 'ItemNotFound')
    const stop = () => E.left({ _tag: 'Stop' as const })
    check.same(await failure(store.libraryItems.change(sampleId(1), stop)), 'Stop')
    const missing = stored(sampleImage(1).name)
    const showing = (item: LibraryItem) => setLibraryImage(item, 'cover', missing, item.updatedAt)
    check.same(await failure(change(store, 1, showing)), 'ImageMissing')
    const write = { item: sampleLibraryItem(2), linksToImages: [], act: CREATED }
    await done(store.libraryItems.add(write, receipt(1)))
    const repeat = { item: sampleLibraryItem(3), linksToImages: [], act: CREATED }
    check.same(await failure(store.libraryItems.add(repeat, receipt(1))), 'Unavailable')
    check.same(
      (await records(store)).map(({ subject }) => subject.id),
      [sampleId(2), sampleId(1)],
    )
  })

  given('K1, K2: creating and changing a post leave its revisions', async (check, store) => {
    const { feedItems, history } = store
    const item = sampleFeedItem(1)
    await done(feedItems.add({ item, linksToImages: [], act: CREATED }))
    await done(
      feedItems.change<never>(item.id, (current) => {
        const changed = { ...nextRevision(current, instant(current.updatedAt + 1)), lang: 'fr' as const }
        const write = { item: changed, storesImages: [], displaysImages: [], linksToImages: [] }
        return E.right({ ...write, act: BY_APP })
      }),
    )
    const found = await collect(
      await done(history.revisions({ contentType: 'feed', itemId: item.id }, WHOLE)),
    )
    check.same(
      found.map(({ number, action, actor }) => [number.value, action, actor]),
      [
        [2, 'update', BY_APP.actor],
        [1, 'create', CREATED.actor],
      ],
    )
    check.same(found[0]?.changes, [{ field: 'lang', before: 'en', after: 'fr' }])
    const state = await done(history.stateAt({ contentType: 'feed', itemId: item.id }, 2))
    check.same(state, O.some(feedFields({ ...item, lang: 'fr' })))
  })

  given('K2: revisions of an unknown item and of the other content type: none', async (check, store) => {
    await done(store.feedItems.add({ item: sampleFeedItem(1), linksToImages: [], act: CREATED }))
    check.same(await revisions(store, 1), [])
    check.same(await done(store.history.stateAt(library(1), 1)), O.none)
    const query = { contentType: 'feed', itemId: sampleId(1) } as const
    check.same((await collect(await done(store.history.revisions(query, WHOLE)))).length, 1)
    check.ok(O.isSome(await done(store.history.stateAt(query, 1))))
    check.same(await done(store.history.stateAt(query, 2)), O.none)
  })

  given('C11, K2: a history is read page by page, newest first', async (check, store) => {
    await add(store, 1)
    for (let n = 2; n <= 7; n += 1) await done(change(store, 1, titled(`Title ${n}`)))
    const numbers = (page: ReadonlyArray<Revision>) => page.map(({ number }) => number.value)
    check.same(numbers(await revisions(store, 1)), [7, 6, 5, 4, 3, 2, 1])
    const page = (after: O.Option<number>) => ({ lim: O.some(3), offset: 0, after })
    const first = await done(store.history.revisions(library(1), page(O.none)))
    check.same(first.next, O.some(5))
    const second = await done(store.history.revisions(library(1), page(first.next)))
    check.same(numbers(await collect(second)), [4, 3, 2])
    const third = await done(store.history.revisions(library(1), page(second.next)))
    check.same([numbers(await collect(third)), third.next], [[1], O.none])
    check.same(numbers(await revisions(store, 1, { ...page(O.none), offset: 6 })), [1])
  })

  given('K4: records are selected by time, actor and subject', async (check, store) => {
    const other: Act = { actor: { kind: 'command', id: 'seed' }, action: 'create' }
    await add(store, 1)
    await add(store, 2, other)
    await add(store, 3)
    const ids = async (query: Partial<AuditQuery>) =>
      (await records(store, query)).map(({ subject }) => subject.id)
    check.same(await ids({}), [sampleId(3), sampleId(2), sampleId(1)])
    check.same(await ids({ since: O.some(sampleLibraryItem(2).updatedAt) }), [sampleId(3), sampleId(2)])
    check.same(await ids({ actor: O.some('seed') }), [sampleId(2)])
    check.same(await ids({ subject: O.some(sampleId(1)) }), [sampleId(1)])
    check.same(await ids({ actor: O.some('seed'), subject: O.some(sampleId(1)) }), [])
  })

  given('K3: old records go, and the latest revision of each item stays', async (check, store) => {
    for (const n of [1, 2]) await add(store, n)
    for (let n = 2; n <= 4; n += 1) await done(change(store, 1, titled(`Title ${n}`)))
    const numbers = async () =>
      (await records(store)).map(({ subject, number }) => [subject.id, O.toNullable(number)])
    const madeAt = (n: number) => sampleLibraryItem(1).updatedAt + n - 1
    check.same(await purgeAll(store, madeAt(0)), 0)
    check.same(await purgeAll(store, madeAt(2)), 2, 'item 2 is as old and has no other revision')
    check.same(await numbers(), [
      [sampleId(1), 4],
      [sampleId(1), 3],
      [sampleId(2), 1],
    ])
    check.same(await purgeAll(store, madeAt(1000)), 1)
    check.same(await done(store.history.stateAt(library(1), 4)).then(O.isSome), true)
    await done(change(store, 1, titled('Title 5')))
    check.same(await purgeAll(store, madeAt(1000)), 1)
    check.same(
      (await revisions(store, 1)).map(({ number }) => number.value),
      [5],
    )
  })

  historyActsContract(runner, make)
  historyAuditContract(runner, make)
  historyPeopleContract(runner, make)
  historySequenceContract(runner, make)
}
