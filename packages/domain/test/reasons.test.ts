import assert from 'node:assert/strict'
import { collect } from '@almoner/domain/values'
import { done, failure, sampleFeedItem } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { faultsIn, read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import { amina, donor, feedUpdate, manager, newFixture } from './fixtures/fixture.ts'

// L3: why a post is not taken.

const NOW = domain.instant(Date.UTC(2026, 4, 1, 12))
const reason = (text: string) => O.some(text as domain.Reason)
const LINK = 'https://example.org/page'
const SENT = { itemType: 'link', link: LINK } as const

const maybeReason = fc.constantFrom(O.none, reason('Too dark'))
const statuses = fc.constantFrom(...domain.STATUSES)

t.test('L3: an edit sets, clears or keeps the reason; a post that becomes Live has none', async () => {
  const sent = fc.option(fc.constantFrom(O.none, reason('Too long')), { nil: undefined })
  const isUndo = fc.boolean()
  const property = fc.property(
    statuses,
    maybeReason,
    statuses,
    sent,
    isUndo,
    (from, held, to, given, undo) => {
      const item = {
        ...sampleFeedItem(1),
        status: from,
        reason: from === 'Live' ? O.none : held,
      } as domain.FeedItem
      const { link, vlink } = sampleFeedItem(1).content
      const content = { kind: 'link', link, vlink } as domain.SentContent
      const edit: domain.FeedEdit = {
        ...{ title: item.title, description: item.description, content, status: to, isUndo: undo },
        ...(given !== undefined && { reason: given }),
      }
      const edited = domain.editFeedItem(edit, NOW)(item)
      if (!undo && !domain.TRANSITIONS[from].includes(to)) return assert(E.isLeft(edited))
      assert(E.isRight(edited))
      assert.deepEqual(edited.right.reason, to === 'Live' ? O.none : (given ?? item.reason))
    },
  )
  fc.assert(property)
})

t.test('L3, C15: the moment of a schedule clears the reason as an edit does', async () => {
  const property = fc.property(maybeReason, fc.boolean(), (held, hasLink) => {
    const { content } = sampleFeedItem(1)
    const photo = { ...content, kind: 'photo', link: hasLink ? content.link : O.none } as domain.FeedContent
    const item = { ...sampleFeedItem(1), content: photo, reason: held, publishAt: O.some(NOW) }
    const [change] = domain.carryOutFeed(NOW)(item)
    assert.equal(change?.item.status, hasLink ? 'Live' : 'Draft')
    assert.deepEqual(change?.item.reason, hasLink ? O.none : held)
  })
  fc.assert(property)
})

t.test('L3, B6: a reason has at most 500 code points; with Live it must be empty', async (t) => {
  const faults = (over: domain.RawParameters) =>
    faultsIn(domain.UpdateFeedItem, {
      ...{ itemId: sampleFeedItem(1).id, itemTitle: 'T', itemDescription: 'D', status: 'Archived' },
      ...{ ...SENT, ...over },
    })
  t.same(faults({ reason: '😀'.repeat(500) }), [])
  t.same(faults({ reason: '😀'.repeat(501) }), [
    { field: 'reason', message: 'must have at most 500 characters' },
  ])
  t.same(faults({ reason: ' ' }), [{ field: 'reason', message: 'is required' }])
  t.same(faults({ reason: 'a', status: 'Live' }), [
    { field: 'reason', message: 'must be empty when status is Live' },
  ])
  t.same(faults({ reason: '', status: 'Live' }), [])
})

t.test(
  'L3, J2: the author sees the reason, no search finds it, and undo and restoring bring it back',
  async (t) => {
    const fixture = newFixture()
    const { act } = fixture
    const post = await done(
      act.createFeedItem(
        amina,
        read(domain.CreateFeedItem, { ...SENT, itemTitle: 'Post', itemDescription: 'Text' }),
      ),
    )
    const update = (over: domain.RawParameters) =>
      done(act.updateFeedItem(manager, feedUpdate(post.id, { ...SENT, ...over }), O.none))
    const own = async () => {
      const asked = read(domain.ListOwnPosts, { email: 'me', include: 'reason,images' })
      const [one] = await collect(await done(act.listOwnPosts(amina, asked)))
      t.same(one?.included?.fields, ['reason'])
      t.same(one?.included?.images, { image: O.none })
      return O.toUndefined(one?.reason ?? O.none)
    }
    t.equal(await own(), undefined)
    await update({ status: 'Archived', reason: 'Blurred, sorry' })
    t.equal(await own(), 'Blurred, sorry')
    const list = (raw: domain.RawParameters) => read(domain.ListFeedItems, raw)
    t.same(await collect(await done(act.listFeedItems(manager, list({ q: 'blurred' })))), [])
    t.equal(await failure(act.listFeedItems(donor, list({ include: 'reason' }))), 'InsufficientScope')
    await update({ status: 'Draft' })
    t.equal(await own(), 'Blurred, sorry', 'waiting again does not take it back')
    const live = await update({ status: 'Live' })
    t.equal(await own(), undefined)
    const undone = await done(
      domain.makeUndoFeedChange(fixture.ports)(
        manager,
        { itemId: post.id },
        O.some(new Set([live.revision])),
      ),
    )
    t.same([undone.status, await own()], ['Draft', 'Blurred, sorry'])
    await update({ status: 'Draft', reason: '' })
    const number = undone.revision as domain.OneRevision['number']
    await done(domain.makeRestoreFeedRevision(fixture.ports)(manager, { itemId: post.id, number }, O.none))
    t.equal(await own(), 'Blurred, sorry')
  },
)

t.test(
  'L3, J4: managers list what the author of a post sent before it; without a known user none',
  async (t) => {
    const fixture = newFixture()
    const { act } = fixture
    const post = (caller: domain.Caller, itemTitle: string) =>
      done(
        act.createFeedItem(
          caller,
          read(domain.CreateFeedItem, { ...SENT, itemTitle, itemDescription: 'Text' }),
        ),
      )
    const earlier = domain.makeListEarlierPosts(fixture.ports)
    const titles = async (itemId: domain.ItemId) =>
      (await collect(await done(earlier(manager, { itemId })))).map(({ title }) => title)
    const own = []
    for (let number = 0; number < 9; number += 1) {
      own.push(await post(amina, `Post ${number}`))
      await post(donor, 'Without a user')
    }
    const ofDonor = await post(donor, 'The last')
    t.same(await titles(own[0]?.id as domain.ItemId), [])
    t.same(await titles(own[2]?.id as domain.ItemId), ['Post 1', 'Post 0'])
    t.same(
      await titles(own[8]?.id as domain.ItemId),
      [7, 6, 5, 4, 3, 2].map((number) => `Post ${number}`),
      'six at most',
    )
    t.same(await titles(ofDonor.id), [])
    t.same(await titles(sampleFeedItem(1).id), [], 'an unknown post')
    t.equal(await failure(earlier(amina, { itemId: ofDonor.id })), 'InsufficientScope')
  },
)
