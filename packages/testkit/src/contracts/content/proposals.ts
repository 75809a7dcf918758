import type { Actor } from '@almoner/domain/access'
import {
  feedFields,
  libraryFields,
  MISSING_FIELD,
  type NewProposal,
  nextRevision,
  type Proposal,
  type ProposalId,
  proposalChanges,
  withoutSchedule,
} from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'
import { linked } from '@almoner/domain/media'
import type { ItemStore, ProposalWrite } from '@almoner/domain/ports'
import { addMillis, collect, type ItemId, instant, type WebUrl } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { CREATED, EVERYTHING } from '../history/fixture.ts'
import { sampleManager } from '../managers/managers.ts'
import { type Check, type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import {
  done,
  failure,
  sampleFeedItem,
  sampleId,
  sampleImage,
  sampleLibraryItem,
  sampleMoment,
} from '../samples.ts'

/** A store for one test, with its own data. */
export type ProposalsUnderTest = UnderTest<
  ('libraryItems' | 'feedItems' | 'proposals' | 'history' | 'knownImages') | ('managers' | 'personalData')
>

const PICTURE = O.some(linked('https://example.org/a.png' as WebUrl))
const IMAGE = sampleImage(1)
const NO_IMAGES = { storesImages: [], displaysImages: [], linksToImages: [] }
const BY_APP: Actor = { kind: 'client', id: 'app' }
const ada = sampleManager('ada')

const idOf = (n: number): ProposalId => `0190dddd-0000-7000-8000-00000000000${n}` as ProposalId

type Items = ItemStore<ReturnType<typeof sampleLibraryItem>, never, never, never>

/** Adds the n-th item, and returns its identifier. */
const add = async (store: ProposalsUnderTest, type: ContentType, n: number): Promise<ItemId> => {
  const images = { cover: PICTURE, notification: PICTURE }
  if (type === 'feed')
    await done(store.feedItems.add({ item: sampleFeedItem(n), linksToImages: [], act: CREATED }))
  else
    await done(
      store.libraryItems.add({ item: sampleLibraryItem(n, { images }), linksToImages: [], act: CREATED }),
    )
  return sampleId(n)
}

const itemsOf = (store: ProposalsUnderTest, type: ContentType): Items =>
  (type === 'library' ? store.libraryItems : store.feedItems) as unknown as Items

/** Makes a version of a proposal for the n-th item, which changes its title. */
export const sampleProposal = (
  type: ContentType,
  n: number,
  over: Partial<NewProposal> = {},
): NewProposal => {
  const base = withoutSchedule(
    type === 'library' ? libraryFields(sampleLibraryItem(n)) : feedFields(sampleFeedItem(n)),
  )
  return {
    ...{ id: idOf(n), contentType: type, itemId: sampleId(n), baseRevision: 1, publishAt: O.none },
    ...{ base, state: { ...base, itemTitle: 'A new title' } },
    ...over,
  }
}

/** Makes the write of a version, this number of seconds after the moment of the samples. */
export const proposalWrite = (
  proposal: NewProposal,
  over: Partial<ProposalWrite> = {},
  { actor = BY_APP, seconds = 0 } = {},
): ProposalWrite => ({
  ...{ proposal, act: { actor, action: 'propose', at: sampleMoment(seconds) }, ...NO_IMAGES },
  changes: proposalChanges(undefined, proposal),
  ...over,
})

const act = (action: 'discard-proposal' | 'restore' | 'fail-schedule', seconds: number) => ({
  ...{ actor: BY_APP, action, at: sampleMoment(seconds) },
})

/** Changes an item, and carries a proposal out with it if one is named. */
const publish = (
  store: ProposalsUnderTest,
  { contentType, itemId, id, publishAt }: NewProposal,
  title = 'A new title',
) =>
  itemsOf(store, contentType).change(itemId, (current) => {
    const item = nextRevision({ ...current, title: title as never }, instant(sampleMoment(5)))
    const by = { actor: BY_APP, action: 'publish-proposal' } as const
    return E.right({ item, ...NO_IMAGES, act: by, carriesOut: { id, publishAt } })
  })

const edit = (store: ProposalsUnderTest, type: ContentType, id: ItemId) =>
  done(
    itemsOf(store, type).change(id, (current) => {
      const item = nextRevision({ ...current, title: 'Edited' as never }, addMillis(current.updatedAt, 1))
      return E.right({ item, ...NO_IMAGES })
    }),
  )

const records = async ({ history }: ProposalsUnderTest) => {
  const all = await collect(await done(history.audit(EVERYTHING, { lim: O.none, offset: 0, after: O.none })))
  return all.filter(({ action }) => action !== 'create')
}

const proposalsOf = (
  runner: ContractRunner,
  make: () => Promise<ProposalsUnderTest>,
  type: ContentType,
): void => {
  const given = onEach(runner, make)
  const test = (name: string, body: (check: Check, store: ProposalsUnderTest) => Promise<void>) =>
    given(`C16: ${type}, ${name}`, body)
  const found = (store: ProposalsUnderTest, n: number) => done(store.proposals.find(type, sampleId(n)))

  test('a proposal is found as it was written, and a second one names the first', async (check, store) => {
    const { proposals } = store
    for (const n of [1, 2]) await add(store, type, n)
    check.same(await found(store, 1), O.none)
    const one = sampleProposal(type, 1, { publishAt: O.some(sampleMoment(60)) })
    const written = await done(proposals.put(proposalWrite(one)))
    const whole: Proposal = {
      ...{ ...one, by: O.some(BY_APP), at: sampleMoment(0), failure: O.none },
    }
    check.same(written, whole)
    check.same(await found(store, 1), O.some(whole))
    check.same(await found(store, 2), O.none)
    check.same(await done(proposals.find(type === 'library' ? 'feed' : 'library', one.itemId)), O.none)
    const first = { id: one.id, by: whole.by, at: whole.at }
    const second = await proposals.put(proposalWrite(sampleProposal(type, 1, { id: idOf(8) })))()
    check.same(second, E.left({ _tag: 'ProposalExists', first }))
    const other = sampleProposal(type, 2)
    await done(proposals.put(proposalWrite(other, {}, { seconds: 1 })))
    check.same(
      (await done(proposals.all(5))).map(({ id }) => id),
      [one.id, other.id],
    )
    check.same(
      (await done(proposals.all(1))).map(({ id }) => id),
      [one.id],
    )
    const [, record] = await records(store)
    check.same([record?.action, record?.subject], ['propose', { kind: type, id: one.itemId }])
    check.same(record?.changes, proposalChanges(undefined, one))
    check.same(record?.number, O.none, 'no revision')
  })

  test('a version takes the place of the one that it names, by the same author', async (check, store) => {
    const { proposals } = store
    await add(store, type, 1)
    const [one, next] = [sampleProposal(type, 1), sampleProposal(type, 1, { id: idOf(2) })]
    const replacing = proposalWrite(
      next,
      { replaces: one.id },
      { actor: { kind: 'client', id: 'other' }, seconds: 9 },
    )
    check.same(await failure(proposals.put(replacing)), 'ProposalNotFound')
    await done(proposals.put(proposalWrite(one)))
    check.same(await failure(proposals.put({ ...replacing, replaces: idOf(7) })), 'PreconditionFailed')
    const written = await done(proposals.put(replacing))
    check.same([written.id, written.by, written.at], [next.id, O.some(BY_APP), sampleMoment(0)])
    check.same(await found(store, 1), O.some(written))
    check.same(await failure(proposals.discard(one, act('discard-proposal', 10))), 'ProposalNotFound')
    check.same((await done(proposals.all(5))).length, 1)
  })

  test('a proposal begins from the present revision of an item', async (check, store) => {
    const { proposals } = store
    check.same(await failure(proposals.put(proposalWrite(sampleProposal(type, 1)))), 'ItemNotFound')
    const id = await add(store, type, 1)
    await edit(store, type, id)
    check.same(await failure(proposals.put(proposalWrite(sampleProposal(type, 1)))), 'PreconditionFailed')
    check.same(await found(store, 1), O.none)
    await done(proposals.put(proposalWrite(sampleProposal(type, 1, { baseRevision: 2 }))))
  })

  test('the write that carries a proposal out closes it, once', async (check, store) => {
    const { proposals } = store
    for (const n of [1, 2]) await add(store, type, n)
    const [one, other] = [sampleProposal(type, 1), sampleProposal(type, 2)]
    check.same(await failure(publish(store, one)), 'ItemNotFound', 'there is none')
    for (const each of [one, other]) await done(proposals.put(proposalWrite(each)))
    check.same(await failure(publish(store, { ...one, id: other.id })), 'ItemNotFound')
    await done(publish(store, one))
    check.same(await found(store, 1), O.none)
    check.ok(O.isSome(await found(store, 2)))
    check.same(await failure(publish(store, one, 'Twice')), 'ItemNotFound')
    const item = await done(itemsOf(store, type).find(one.itemId))
    check.same(
      O.map(({ title, revision }: { title: string; revision: number }) => [title, revision])(item),
      O.some(['A new title', 2]),
    )
  })

  test('a closed proposal is put back for a while, as reopened says', async (check, store) => {
    const { proposals } = store
    const id = await add(store, type, 1)
    const moments = { publishAt: O.some(sampleMoment(60)) }
    const one = sampleProposal(type, 1, moments)
    const written = await done(proposals.put(proposalWrite(one)))
    check.same(await done(proposals.discard(one, act('discard-proposal', 10))), written)
    check.same(await found(store, 1), O.none)
    check.same(await failure(proposals.discard(one, act('discard-proposal', 11))), 'ProposalNotFound')
    const back = (since: number, seconds = 20) =>
      proposals.putBack(one, act('restore', seconds), sampleMoment(since))
    check.same(await failure(back(11)), 'ProposalNotFound', 'too late')
    check.same(await failure(back(-61, -51)), 'ProposalNotFound', 'closed by a clock that was ahead (I9)')
    check.same(
      await failure(proposals.putBack({ ...one, itemId: sampleId(9) }, act('restore', 20), sampleMoment(0))),
      'ProposalNotFound',
    )
    check.same(await done(back(10)), written)
    check.same(await found(store, 1), O.some(written))
    check.same(await failure(back(0)), 'ProposalExists')
    await done(proposals.discard(one, act('discard-proposal', 30)))
    await edit(store, type, id)
    const later = await done(back(30, 70))
    check.same(
      [later.baseRevision, later.publishAt],
      [1, O.none],
      'the moment has come, and the item differs',
    )
    check.same(await failure(publish(store, one)), 'ItemNotFound', 'with the moment of before')
    check.same(await found(store, 1), O.some(later))
    check.same((await records(store)).map(({ action }) => action).sort(), [
      'discard-proposal',
      'discard-proposal',
      'propose',
      'restore',
      'restore',
    ])
  })

  test('moments come in the order of time, and one that fails is taken away', async (check, store) => {
    const { proposals } = store
    for (const n of [1, 2, 3, 4]) await add(store, type, n)
    const moments = [30, 10, 20].map((seconds) => O.some(sampleMoment(seconds)))
    for (const [at, publishAt] of [...moments, O.none].entries())
      await done(proposals.put(proposalWrite(sampleProposal(type, at + 1, { publishAt }))))
    const upcoming = async (most: number) =>
      (await done(proposals.upcoming(most))).map(({ itemId }) => itemId)
    check.same(await upcoming(9), [sampleId(2), sampleId(3), sampleId(1)])
    check.same(await upcoming(1), [sampleId(2)])
    await done(proposals.discard(sampleProposal(type, 2), act('discard-proposal', 5)))
    const third = sampleProposal(type, 3)
    const fail = () => proposals.fail(third, ['revision', 'link'], act('fail-schedule', 21))
    check.same([await done(fail()), await done(fail())], [true, false])
    check.same(await upcoming(9), [sampleId(1)])
    const failed = O.toUndefined(await found(store, 3))
    check.same(failed?.failure, O.some({ at: sampleMoment(21), missing: ['revision', 'link'] }))
    check.same(failed?.publishAt, O.none)
    const [record] = await records(store)
    check.same(
      record?.changes.map(({ field, after }) => [field, after]),
      [
        ['publishAt', ''],
        [MISSING_FIELD, 'revision,link'],
      ],
    )
    const again = sampleProposal(type, 3, { id: idOf(9) })
    await done(proposals.put(proposalWrite(again, { replaces: third.id })))
    check.same(O.toUndefined(await found(store, 3))?.failure, O.none, 'another version has not failed')
  })

  test('its images stay known until it is forgotten (D5)', async (check, store) => {
    const { proposals, knownImages } = store
    for (const n of [1, 2]) await add(store, type, n)
    const purge = (seconds: number, now = seconds) =>
      done(proposals.purge(sampleMoment(seconds), sampleMoment(now)))
    const knows = async () => (await done(knownImages.among([IMAGE.name]))).size === 1
    const [one, other] = [sampleProposal(type, 1), sampleProposal(type, 2)]
    const showing = { displaysImages: [IMAGE.name] }
    check.same(await failure(proposals.put(proposalWrite(one, showing))), 'ImageMissing')
    check.same(await found(store, 1), O.none)
    await done(proposals.put(proposalWrite(one, { ...showing, storesImages: [IMAGE] })))
    await done(proposals.put(proposalWrite(other, { linksToImages: [IMAGE.name, sampleImage(2).name] })))
    await done(proposals.discard(one, act('discard-proposal', 10)))
    check.same(await purge(9), { proposals: 0, orphans: [] })
    check.same(await purge(10), { proposals: 1, orphans: [] })
    check.same(await failure(proposals.putBack(one, act('restore', 11), sampleMoment(0))), 'ProposalNotFound')
    check.ok(await knows(), 'another proposal mentions it')
    check.same(await purge(99), { proposals: 0, orphans: [] }, 'it is open')
    await done(proposals.discard(other, act('discard-proposal', 20)))
    check.ok(await knows())
    check.same(await purge(-99, -40), { proposals: 0, orphans: [] }, 'a minute ahead')
    check.same(await purge(-99, -41), { proposals: 1, orphans: [IMAGE.name] }, 'far ahead (I9)')
    check.ok(!(await knows()))
  })

  for (const end of ['disabled', 'erased'] as const)
    test(`the name of an author who is ${end} goes, and the text stays (L1)`, async (check, store) => {
      const { managers, personalData, proposals } = store
      for (const n of [1, 2, 3]) await add(store, type, n)
      await done(managers.add(ada, { actor: BY_APP, action: 'add-manager', at: sampleMoment(0) }))
      const [numbered] = await done(managers.numbered())
      const actor: Actor = { kind: 'person', id: String(numbered?.number) }
      const [one, other] = [sampleProposal(type, 1), sampleProposal(type, 2)]
      check.same((await done(proposals.put(proposalWrite(one, {}, { actor })))).by, O.some(actor))
      await done(proposals.put(proposalWrite(other)))
      const changed = proposalWrite(sampleProposal(type, 1, { id: idOf(4) }), { replaces: one.id })
      const version = await done(proposals.put({ ...changed, act: { ...changed.act, at: sampleMoment(1) } }))
      const own = async () => (await done(personalData.find(ada.email))).proposals
      check.same(await own(), [{ ...version, ...one }, version], 'L2: with the versions that were replaced')
      if (end === 'disabled') await done(managers.change(ada.email, { disabled: true }))
      else await done(personalData.erase(ada.email, sampleMoment(1)))
      check.same(await own(), [])
      const kept = O.toUndefined(await found(store, 1))
      check.same([kept?.by, kept?.state], [O.none, one.state])
      check.same(O.toUndefined(await found(store, 2))?.by, O.some(BY_APP))
      const late = await done(proposals.put(proposalWrite(sampleProposal(type, 3), {}, { actor })))
      check.same(late.by, O.none, 'one who is gone before the write is no author')
    })
}

/** Contract tests of `Proposals`, and of the writes of items that carry them out (C16). */
export const proposalsContract = (runner: ContractRunner, make: () => Promise<ProposalsUnderTest>): void => {
  proposalsOf(runner, make, 'library')
  proposalsOf(runner, make, 'feed')
}
