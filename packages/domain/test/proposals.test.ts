import assert from 'node:assert/strict'
import { collect } from '@almoner/domain/values'
import { done, failure, sampleManager } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import {
  BROKEN,
  callerWith,
  feedDraft,
  feedUpdate,
  IMAGE,
  LIBRARY,
  libraryDraft,
  libraryLive,
  libraryUpdate,
  manager,
  newFixture,
  POST,
  user,
} from './fixtures/fixture.ts'

// C16: rewrites of Live items that content managers share, publish or discard.

const ANY: domain.Precondition = O.none
const revisions = (...numbers: ReadonlyArray<number>): domain.Precondition => O.some(new Set(numbers))
const HOUR = 60 * domain.MINUTE

const start = () => {
  const fixture = newFixture()
  const { ports } = fixture
  const policy = domain.DEFAULT_POLICY
  const propose = domain.makeProposeChange(ports, policy)
  const change = domain.makeChangeProposal(ports, policy)
  const run = domain.makeRunProposals(ports, policy)
  const publish = domain.makePublishProposal(ports, policy)
  const nameOf = ({ contentType, itemId, id }: domain.Proposal, over: object = {}) =>
    read(domain.OneProposal, { contentType, itemId, proposalId: id, ...over })
  const sent = (itemId: string, fields: object, over: object = {}) =>
    read(domain.ProposeChange, {
      ...{ contentType: 'library', itemId, fields: JSON.stringify({ ...LIBRARY, ...fields }) },
      ...over,
    })
  return {
    ...fixture,
    fixture,
    nameOf,
    propose: (itemId: string, fields: object, over: object = {}, expected = ANY) =>
      propose(manager, sent(itemId, fields, over), expected),
    proposeAs: (caller: domain.Caller, itemId: string) => propose(caller, sent(itemId, {}), ANY),
    change: (one: domain.Proposal, over: Record<string, unknown>, expected = ANY) => {
      const { contentType, itemId, id } = one
      const command = { contentType, itemId, proposalId: id, ...over }
      return change(manager, read(domain.ChangeProposal, command as never), expected)
    },
    illustrate: (one: domain.Proposal, image: string, bytes = IMAGE) =>
      domain.makeProposeImage(ports, policy)(
        manager,
        read(domain.ProposeImage, { ...nameOf(one), image }),
        bytes,
        ANY,
      ),
    publish: (one: domain.Proposal, expected = ANY) => publish(manager, nameOf(one), expected),
    discard: (one: domain.Proposal) => domain.makeDiscardProposal(ports)(manager, nameOf(one)),
    undo: (one: domain.Proposal) => domain.makeUndoProposal(ports)(manager, nameOf(one)),
    show: (contentType: domain.ContentType, itemId: domain.ItemId) =>
      domain.makeShowProposal(ports)(manager, { contentType, itemId }),
    purge: domain.makePurgeProposals(ports),
    item: async (id: domain.ItemId) => O.toNullable(await done(ports.libraryItems.find(id))),
    history: async (itemId: domain.ItemId) =>
      collect(
        await done(ports.history.revisions({ contentType: 'library', itemId }, domain.WHOLE_COLLECTION)),
      ),
    run,
    pass: (milliseconds: number) => fixture.clock.set(domain.addMillis(fixture.clock.now(), milliseconds)),
  }
}

t.test(
  'C16: a Live item is proposed, which changes nothing, and a second proposal names the first',
  async (t) => {
    const { fixture, propose, proposeAs, show, item } = start()
    const live = await libraryLive(fixture)
    const before = await item(live.id)
    const proposal = await done(propose(live.id, { itemTitle: 'Deep wells' }, {}, revisions(live.revision)))
    t.match(proposal.state, { itemTitle: 'Deep wells', coverImgUrl: 'https://example.org/cover.png' })
    t.match([proposal.base['itemTitle'], proposal.baseRevision], ['Wells', live.revision])
    t.strictSame(await item(live.id), before)
    const second = await propose(live.id, { itemTitle: 'Dry wells' })()
    const { id, by, at } = proposal
    t.strictSame(second, E.left({ _tag: 'ProposalExists', first: { id, by, at } }))
    t.strictSame(await done(show('library', live.id)), { proposal, isCurrent: true, isOwn: true })
    t.equal(await failure(proposeAs(user, live.id)), 'InsufficientScope')
    t.equal(await failure(proposeAs(callerWith([]), live.id)), 'InsufficientScope')
  },
)

t.test(
  'C16: only Live items are proposed, from their present revision, and bad fields are named',
  async (t) => {
    const { fixture, propose, act } = start()
    const draft = await libraryDraft(fixture)
    t.equal(await failure(propose(draft.id, {})), 'NotProposable')
    t.equal(await failure(propose('0190aaaa-0000-7000-8000-000000000099', {})), 'ItemNotFound')
    const live = await libraryLive(fixture)
    t.equal(await failure(propose(live.id, {}, {}, revisions(live.revision + 1))), 'PreconditionFailed')
    const refused = await propose(live.id, { itemTitle: '', link: 'no address' })()
    t.match(
      refused,
      E.left({ _tag: 'ValidationFailed', errors: [{ field: 'itemTitle' }, { field: 'link' }] }),
    )
    const french = await libraryDraft(fixture, { lang: 'fr' })
    await done(act.linkTranslation(manager, { itemId: live.id, counterpartId: french.id } as never))
    t.equal(await failure(propose(live.id, { lang: 'fr' })), 'HasCounterpart')
    const moments = { publishAt: '1', archiveAt: '1', status: 'Draft' }
    t.ok(await done(propose(live.id, moments)), 'the state and its schedule are not proposed')
  },
)

t.test('C16: a change makes another version, and the one before it is published no more', async (t) => {
  const { fixture, propose, change, publish, item, act } = start()
  const live = await libraryLive(fixture)
  const first = await done(propose(live.id, { itemTitle: 'One' }))
  const moved = await done(change(first, { publishAt: '1893456000' }))
  t.match(moved, { by: first.by, at: first.at, state: first.state, publishAt: O.some(1_893_456_000_000) })
  const cleared = await done(change(moved, { publishAt: '' }))
  t.strictSame(cleared.publishAt, O.none)
  const second = await done(change(cleared, { fields: JSON.stringify({ ...LIBRARY, itemTitle: 'Two' }) }))
  for (const stale of [first, moved, cleared]) t.equal(await failure(publish(stale)), 'PreconditionFailed')
  t.equal(await failure(change(first, { publishAt: '' })), 'PreconditionFailed')
  await done(
    act.updateLibraryItem(
      manager,
      libraryUpdate(live.id, { status: 'Live', link: 'https://example.org/b' }),
      O.none,
    ),
  )
  t.equal(await failure(publish(second)), 'PreconditionFailed', 'the item has changed')
  t.equal(await failure(change(second, { publishAt: '1893456000' })), 'PreconditionFailed')
  const merged = await done(
    change(second, {
      fields: JSON.stringify({ ...LIBRARY, itemTitle: 'Two', link: 'https://example.org/b' }),
    }),
  )
  t.equal(merged.baseRevision, live.revision + 1)
  await done(publish(merged))
  t.match(await item(live.id), { title: 'Two', link: 'https://example.org/b' })
})

t.test(
  'C16: a merge keeps an image that only the live version has changed, and one that only the proposal has',
  async (t) => {
    const { fixture, propose, change, illustrate, publish, item, act } = start()
    const live = await libraryLive(fixture)
    const own = await done(illustrate(await done(propose(live.id, { itemTitle: 'Two' })), 'notification'))
    const changed = { status: 'Live', coverImgUrl: 'https://example.org/new.png' }
    await done(act.updateLibraryItem(manager, libraryUpdate(live.id, changed), O.none))
    await done(publish(await done(change(own, { fields: JSON.stringify({ ...LIBRARY, itemTitle: 'Two' }) }))))
    const images = (await item(live.id))?.images
    t.match(images?.cover, O.some({ url: 'https://example.org/new.png' }))
    t.match(images?.notification, O.some({ kind: 'stored' }))
  },
)

t.test('C16: text and images are published together, in one revision; readers see none before', async (t) => {
  const { fixture, propose, illustrate, publish, item, history, files, show, nameOf } = start()
  const live = await libraryLive(fixture)
  const text = await done(propose(live.id, { itemTitle: 'Deep wells' }))
  t.equal(await failure(illustrate(text, 'cover', BROKEN)), 'BrokenImage')
  const whole = await done(illustrate(text, 'cover'))
  t.equal(files().length, 1)
  t.match(await item(live.id), { title: 'Wells', images: live.images })
  t.equal(await failure(publish(whole, revisions(live.revision + 5))), 'PreconditionFailed')
  const published = await done(publish(whole, revisions(live.revision)))
  t.match(published.item, { title: 'Deep wells', status: 'Live', revision: live.revision + 1 })
  const [latest] = await history(live.id)
  t.match(latest, { action: 'publish-proposal', number: O.some(live.revision + 1), actor: manager.actor })
  t.strictSame(latest?.changes.map(({ field }) => field).sort(), ['coverImgUrl', 'itemTitle'])
  t.equal(await failure(show('library', live.id)), 'ProposalNotFound')
  t.equal(await failure(publish(whole)), 'ProposalNotFound')
  t.throws(() => read(domain.ProposeImage, { ...nameOf(whole), image: 'image' }), 'of a post only')
})

t.test('C16: a post is proposed with text and image, too', async (t) => {
  const { fixture, ports, act, illustrate, publish } = start()
  const draft = await feedDraft(fixture)
  await done(act.uploadFeedImage(manager, { itemId: draft.id }, IMAGE, O.none))
  await done(act.updateFeedItem(manager, feedUpdate(draft.id, { status: 'Live' }), O.none))
  const before = O.toNullable(await done(ports.feedItems.find(draft.id)))
  const command = {
    ...{ contentType: 'feed', itemId: draft.id },
    fields: JSON.stringify({ ...POST, itemTitle: 'Two pumps' }),
  }
  const text = await done(
    domain.makeProposeChange(ports, domain.DEFAULT_POLICY)(manager, read(domain.ProposeChange, command), ANY),
  )
  const whole = await done(illustrate(text, 'image'))
  await done(publish(whole))
  const after = O.toNullable(await done(ports.feedItems.find(draft.id)))
  t.match(after, { title: 'Two pumps', status: 'Live', revision: (before?.revision ?? 0) + 1 })
  t.not(O.toNullable(after?.content.image ?? O.none), O.toNullable(before?.content.image ?? O.none))
})

t.test('C16: at its moment a proposal is published by the schedule, or says why not', async (t) => {
  const { fixture, ports, propose, item, history, run, pass, act, show, clock, change } = start()
  const [one, other] = [await libraryLive(fixture), await libraryLive(fixture)]
  const at = String(Math.floor(clock.now() / 1000) + 60)
  const proposed = await done(propose(one.id, { itemTitle: 'Later' }, { publishAt: at }))
  const stale = await done(propose(other.id, { itemTitle: 'Too late' }, { publishAt: at }))
  t.strictSame(await done(domain.nextProposal(ports)), O.some({ id: proposed.id, at: Number(at) * 1000 }))
  t.strictSame((await done(run())).carriedOut, [])
  await done(
    act.updateLibraryItem(manager, libraryUpdate(other.id, { status: 'Live', itemTitle: 'Now' }), O.none),
  )
  pass(60_000)
  t.strictSame(
    (await done(run())).carriedOut.map(({ proposal, missing }) => [proposal.id, missing]),
    [
      [proposed.id, []],
      [stale.id, ['revision']],
    ],
  )
  t.match([await item(one.id), await item(other.id)], [{ title: 'Later' }, { title: 'Now' }])
  t.match((await history(one.id))[0]?.actor, { kind: 'schedule', id: '' })
  t.strictSame(await done(domain.nextProposal(ports)), O.none)
  const { proposal, isCurrent } = await done(show('library', other.id))
  t.match(proposal, {
    id: stale.id,
    publishAt: O.none,
    failure: O.some({ at: clock.now(), missing: ['revision'] }),
  })
  t.notOk(isCurrent)
  const again = await done(change(proposal, { fields: JSON.stringify(LIBRARY) }))
  t.strictSame(again.failure, O.none)
  t.strictSame((await done(run())).carriedOut, [])
})

t.test(
  'C16: a proposal that cannot be written holds up no others, and is left out from then on',
  async (t) => {
    const { fixture, ports, propose, pass, item, clock } = start()
    const [one, other] = [await libraryLive(fixture), await libraryLive(fixture)]
    const at = String(Math.floor(clock.now() / 1000) + 60)
    const broken = await done(propose(one.id, { itemTitle: 'Broken' }, { publishAt: at }))
    await done(propose(other.id, { itemTitle: 'Whole' }, { publishAt: at }))
    pass(60_000)
    const { libraryItems } = ports
    const faulty: typeof ports = {
      ...ports,
      libraryItems: {
        ...libraryItems,
        change: (id, decide, receipt) => {
          if (id === one.id) throw new Error('the row is broken')
          return libraryItems.change(id, decide, receipt)
        },
      },
    }
    const left: domain.ProposalsSetAside = new Set()
    const runAll = domain.makeRunProposals(faulty, domain.DEFAULT_POLICY, left)
    const { carriedOut, setAside } = await done(runAll())
    t.match(setAside, [{ proposal: { id: broken.id }, cause: { message: 'the row is broken' } }])
    t.equal(carriedOut.length, 1)
    t.match([await item(one.id), await item(other.id)], [{ title: one.title }, { title: 'Whole' }])
    t.strictSame(await done(domain.nextProposal(ports, left)), O.none, 'it does not wake the job again')
    t.strictSame(await done(runAll()), { carriedOut: [], setAside: [] })
    const others = domain.makeRunProposals(ports, domain.DEFAULT_POLICY)
    t.equal((await done(others())).carriedOut.length, 1, 'another process tries it')
  },
)

t.test('C16, M12: discarding is taken back for an hour, and publishing after its item', async (t) => {
  const { fixture, propose, discard, undo, publish, show, pass, item, act } = start()
  const live = await libraryLive(fixture)
  const proposal = await done(propose(live.id, { itemTitle: 'Deep wells' }))
  await done(discard(proposal))
  t.equal(await failure(discard(proposal)), 'ProposalNotFound')
  pass(HOUR)
  t.strictSame(await done(undo(proposal)), proposal)
  t.equal(await failure(undo(proposal)), 'ProposalExists')
  await done(publish(proposal))
  await done(act.updateLibraryItem(manager, libraryUpdate(live.id, { ...LIBRARY, status: 'Live' }), O.none))
  const reopened = await done(undo(proposal))
  t.equal(reopened.baseRevision, live.revision + 2, 'the item has the fields of the base again')
  await done(publish(reopened))
  t.match(await item(live.id), { title: 'Deep wells' })
  pass(HOUR + 1)
  t.equal(await failure(undo(proposal)), 'ProposalNotFound')
  t.equal(await failure(show('library', live.id)), 'ProposalNotFound')
})

t.test('C16, D5: the images of a discarded proposal are deleted after an hour', async (t) => {
  const { fixture, propose, illustrate, discard, purge, pass, files } = start()
  const live = await libraryLive(fixture)
  const whole = await done(illustrate(await done(propose(live.id, {})), 'cover'))
  await done(discard(whole))
  pass(HOUR - 1)
  t.equal(await done(purge()), 0)
  t.equal(files().length, 1)
  pass(1)
  t.equal(await done(purge()), 2, 'with the version before the image')
  t.strictSame(files(), [])
})

t.test('C16, L1: the name of a disabled author goes, and the proposal stays', async (t) => {
  const { fixture, ports, proposeAs, show } = start()
  const live = await libraryLive(fixture)
  const ada = sampleManager('ada')
  const act = { actor: manager.actor, action: 'add-manager', at: fixture.clock.now() } as const
  await done(ports.managers.add(ada, act))
  const [numbered] = await done(ports.managers.numbered())
  const actor = { kind: 'person', id: String(numbered?.number) } as const
  const { by } = await done(proposeAs({ ...manager, actor }, live.id))
  t.strictSame(by, O.some(actor))
  await done(ports.managers.change(ada.email, { disabled: true }))
  t.strictSame((await done(show('library', live.id))).proposal.by, O.none)
})

const words = fc.constantFrom('Wells', 'Deep wells', 'Éé 😀', 'x'.repeat(40))
const addresses = fc.constantFrom('https://example.org/wells', 'https://example.org/b?q=1')
const edits = fc.record(
  {
    ...{ itemTitle: words, itemDescription: words, link: addresses, lang: fc.constantFrom('en', 'fr') },
    coverImgUrl: fc.constantFrom('https://example.org/c.png', 'https://example.org/cover.png'),
    coverImgAlt: fc.constantFrom('', 'A well'),
    isDonorRestricted: fc.constantFrom('0', '1'),
    itemPublicationDate: fc.constantFrom('2025-06-01', '2024-02-29'),
  },
  { requiredKeys: ['itemTitle', 'itemDescription', 'link', 'itemPublicationDate'] },
)

t.test('C16: publishing a proposal makes of an item what the edit itself would have made', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edits, { minLength: 1, maxLength: 3 }), async ([first = {}, ...more]) => {
      const [direct, shared] = [start(), start()]
      const [one, other] = [await libraryLive(direct.fixture), await libraryLive(shared.fixture)]
      for (const edit of [first, ...more]) {
        const command = { itemId: one.id, status: 'Live', ...edit }
        await direct.act.updateLibraryItem(
          manager,
          read(domain.UpdateLibraryItem, command as never),
          O.none,
        )()
      }
      let proposal = await done(shared.propose(other.id, first))
      for (const edit of more)
        proposal = await done(shared.change(proposal, { fields: JSON.stringify(edit) }))
      await done(shared.publish(proposal))
      const fields = async ({ item }: typeof direct, id: domain.ItemId) =>
        domain.libraryFields((await item(id)) as domain.LibraryItem)
      assert.deepEqual(await fields(shared, other.id), await fields(direct, one.id))
    }),
    { numRuns: 40 },
  )
})

const texts = fc.record({ itemTitle: words, link: words, publishAt: words, archiveAt: words })
const moments = fc
  .option(fc.integer({ min: 0, max: 9 }).map(domain.instant), { nil: undefined })
  .map(O.fromNullable)

t.test('C16: what a proposal changes is recorded, and what is put back is the same or newer', async () => {
  const whole = fc.record({ base: texts, state: texts, publishAt: moments }).map(
    (given) =>
      ({
        ...{ id: 'one', contentType: 'library', itemId: 'item', baseRevision: 3, ...given },
        ...{ by: O.none, at: domain.instant(0), failure: O.none },
      }) as unknown as domain.Proposal,
  )
  fc.assert(
    fc.property(whole, texts, fc.integer({ min: 4, max: 9 }), (proposal, fields, revision) => {
      const now = domain.instant(5)
      const changes = domain.proposalChanges(undefined, proposal)
      const [base, state] = [proposal.base, proposal.state].map(domain.withoutSchedule)
      for (const { field, before, after } of changes.filter((one) => one.field !== 'publishAt')) {
        assert.equal(before ?? undefined, base?.[field])
        assert.equal(after ?? undefined, state?.[field])
      }
      assert.equal(
        changes.some(({ field }) => field === 'publishAt'),
        O.isSome(proposal.publishAt),
      )
      assert.deepEqual(domain.proposalChanges(proposal, proposal), [])
      const again = domain.reopened(proposal, { revision, fields }, now)
      const isBase =
        domain.proposalChanges(
          { state: fields, publishAt: O.none },
          { ...proposal, state: proposal.base, publishAt: O.none },
        ).length === 0
      assert.equal(again.baseRevision, isBase ? revision : 3)
      assert.ok(O.isNone(again.publishAt) || again.publishAt.value > now)
      assert.deepEqual({ ...again, baseRevision: 3, publishAt: proposal.publishAt }, proposal)
    }),
  )
})
